import { join } from 'node:path';
import { archive, foldersAbove, textEntry, type Entry } from './archive.ts';
import { badTask } from './bad-task.ts';
import type { LargeFile } from './large-file.ts';
import type { Settings, TaskConfig } from './schema.ts';
import { runnableEntry } from './script-lines.ts';
import { mergeSettings } from './settings.ts';
import { streamedSeed, type StreamedTaskSeed } from './streamed-seed.ts';
import type { TaskFiles } from './task-files.ts';

/** An uncompressed tar and the absolute folder inside a sandbox that it is unpacked into. */
export interface TaskSeed {
  readonly path: string;
  readonly tar: Uint8Array;
}

const workspaceSettings = '.vscode/settings.json';

/**
 * A task's initial state: workspace, home and the IDE's profile. Only the last archive is ever a streamed one.
 * @param base user settings that every task starts with; the task's own win
 */
export async function initialSeeds(
  folder: TaskFiles,
  config: TaskConfig,
  base: Settings = {},
): Promise<(TaskSeed | StreamedTaskSeed)[]> {
  const places = await initialPlaces(folder, config, base);
  // Some readers take an archive without entries for a broken one.
  const whole = places
    .filter(({ entries }) => entries.length > 0)
    .map(({ path, entries }) => ({ path, tar: archive(entries) }));
  return folder.large.length > 0 ? [...whole, streamedSeed('/workspace', folder.large)] : whole;
}

/** The same without large files, not yet packed. */
export async function initialPlaces(
  folder: TaskFiles,
  config: TaskConfig,
  base: Settings = {},
): Promise<{ path: string; entries: Entry[] }[]> {
  return [
    { path: '/workspace', entries: await workspaceEntries(folder, config) },
    { path: '/ide', entries: await profileEntries(folder, config, base) },
    { path: '/root', entries: await folder.tree('environment/home') },
    { path: '/', entries: await folder.tree('environment/root') },
  ];
}

/** The content of /workspace. */
export interface WorkspaceFiles {
  /** Every folder comes before what is in it. */
  readonly entries: readonly Entry[];
  readonly large: readonly LargeFile[];
}

/** The contents of /workspace at the start, without the files that a set-up script makes. */
export async function workspaceFiles(folder: TaskFiles, config: TaskConfig): Promise<WorkspaceFiles> {
  const own = await workspaceEntries(folder, config);
  const root = (await folder.tree('environment/root')).flatMap((entry): Entry[] =>
    entry.path.startsWith('workspace/') ? [{ ...entry, path: entry.path.slice('workspace/'.length) }] : [],
  );
  const { large } = folder;
  const entries = [...own, ...root];
  return { entries: [...foldersAbove([...entries, ...large]), ...entries], large };
}

/**
 * The archives that grading adds to the check libraries: the tests, the folder that they report to, and the files of
 * the image.
 * @param copied folders that hold what the agent left: files of the image would replace it there
 */
export async function testSeeds(folder: TaskFiles, copied: readonly string[] = []): Promise<TaskSeed[]> {
  const isCopied = ({ path }: Entry) =>
    copied.some((one) => `/${path}`.startsWith(`${one}/`) || `/${path}` === one);
  const root = (await folder.tree('environment/root')).filter((entry) => !isCopied(entry));
  return [
    ...(root.length > 0 ? [{ path: '/', tar: archive(root) }] : []),
    { path: '/tests', tar: archive((await folder.tree('tests')).map(runnableEntry)) },
    { path: '/logs', tar: archive([{ kind: 'folder', path: 'verifier' }]) },
  ];
}

async function workspaceEntries(folder: TaskFiles, { pwp }: TaskConfig): Promise<Entry[]> {
  const entries = await folder.tree('environment/workspace');
  const files = new Set(entries.map(({ path }) => path));
  const missing = pwp.open.find((path) => !files.has(path));
  if (missing !== undefined) {
    throw badTask(
      join(folder.path, 'task.toml'),
      `pwp.open: expected files of environment/workspace, found "${missing}"`,
    );
  }
  if (pwp.workspace_settings === undefined) return entries;
  if (files.has(workspaceSettings)) {
    const problem = `pwp.workspace_settings: expected no environment/workspace/${workspaceSettings} beside it, found one`;
    throw badTask(join(folder.path, 'task.toml'), problem);
  }
  return [...entries, textEntry(workspaceSettings, json(pwp.workspace_settings))];
}

async function profileEntries(folder: TaskFiles, { pwp }: TaskConfig, base: Settings): Promise<Entry[]> {
  // The bridge reads start.json when it opens the window.
  const start = { open: pwp.open.map((path) => `/workspace/${path}`) };
  const entries = [
    ...(await folder.tree('environment/ide')),
    textEntry('data/User/settings.json', json(mergeSettings(base, pwp.settings))),
    textEntry('start.json', json(start)),
  ];
  return pwp.keybindings.length > 0
    ? [...entries, textEntry('data/User/keybindings.json', json(pwp.keybindings))]
    : entries;
}

/** As VS Code itself formats its files, so that an edit through the UI changes no other line. */
function json(value: unknown): string {
  return `${JSON.stringify(value, null, 4)}\n`;
}
