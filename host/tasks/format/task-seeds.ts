import { join } from 'node:path';
import { defaultWorkspace } from '../../../bridge/protocol/index.ts';
import { isJsonObject } from '../../../bridge/text/index.ts';
import {
  type ArchiveEntry,
  type LargeFile,
  listParentFolders,
  makeStreamedSeed,
  makeTextEntry,
  packArchive,
  type StreamedTaskSeed,
} from './archive.ts';
import type { IdeSettings, TaskConfig } from './task-config.ts';
import { badTask, makeRunnable, type TaskFiles } from './task-files.ts';

/** An uncompressed tar and the absolute folder inside a sandbox that it is unpacked into. */
export interface TaskSeed {
  readonly path: string;
  readonly tar: Uint8Array;
}

const workspaceSettingsPath = '.vscode/settings.json';

/**
 * A task's initial state: workspace, home and the IDE's profile. Only the last archive is ever a streamed one.
 * @param base user settings that every task starts with; the task's own win
 */
export async function packInitialSeeds(
  folder: TaskFiles,
  config: TaskConfig,
  base: IdeSettings = {},
  workspace = defaultWorkspace,
  home = defaultHome,
): Promise<(TaskSeed | StreamedTaskSeed)[]> {
  const places = await listInitialPlaces(folder, config, base, workspace, home);
  // Some readers take an archive without entries for a broken one.
  const whole = places
    .filter(({ entries }) => entries.length > 0)
    .map(({ path, entries }) => ({ path, tar: packArchive(entries) }));
  return folder.large.length > 0 ? [...whole, makeStreamedSeed(workspace, folder.large)] : whole;
}

/** Of root, the agent's user in our own image. */
const defaultHome = '/root';

/** The same without large files, not yet packed. */
export async function listInitialPlaces(
  folder: TaskFiles,
  config: TaskConfig,
  base: IdeSettings = {},
  workspace = defaultWorkspace,
  home = defaultHome,
): Promise<{ path: string; entries: ArchiveEntry[] }[]> {
  const root = await folder.tree('environment/root');
  const places = [
    { path: workspace, entries: await listWorkspaceEntries(folder, config) },
    { path: '/ide', entries: await listProfileEntries(folder, config, base, workspace) },
    { path: home, entries: await folder.tree('environment/home') },
  ];
  // Each place has one owner: what a task has of the root in workspace or home is the agent's.
  return [
    ...places.map(({ path, entries }) => ({ path, entries: [...entries, ...takeBelow(root, path)] })),
    {
      path: '/',
      entries: root.filter((entry) => places.every(({ path }) => takeBelow([entry], path).length === 0)),
    },
  ];
}

/** The entries of a root that are in one of its folders, by their paths in it. */
function takeBelow(entries: readonly ArchiveEntry[], folder: string): ArchiveEntry[] {
  const start = `${folder.slice(1)}/`;
  return entries.flatMap((entry) =>
    entry.path.startsWith(start) ? [{ ...entry, path: entry.path.slice(start.length) }] : [],
  );
}

/** The content of a workspace. */
export interface WorkspaceFiles {
  /** Every folder comes before what is in it. */
  readonly entries: readonly ArchiveEntry[];
  readonly large: readonly LargeFile[];
}

/** The contents of the workspace at the start, without the files that a set-up script makes. */
export async function listWorkspaceFiles(
  folder: TaskFiles,
  config: TaskConfig,
  workspace = defaultWorkspace,
): Promise<WorkspaceFiles> {
  const own = await listWorkspaceEntries(folder, config);
  const root = takeBelow(await folder.tree('environment/root'), workspace);
  const { large } = folder;
  const entries = [...own, ...root];
  return { entries: [...listParentFolders([...entries, ...large]), ...entries], large };
}

/**
 * The archives that grading adds to the check libraries: the tests, the folder that they report to, and the files of
 * the image.
 * @param copied folders that hold what the agent left: files of the image would replace it there
 */
export async function packTestSeeds(folder: TaskFiles, copied: readonly string[] = []): Promise<TaskSeed[]> {
  const isCopied = ({ path }: ArchiveEntry) =>
    copied.some((one) => `/${path}`.startsWith(`${one}/`) || `/${path}` === one);
  const root = (await folder.tree('environment/root')).filter((entry) => !isCopied(entry));
  return [
    ...(root.length > 0 ? [{ path: '/', tar: packArchive(root) }] : []),
    { path: '/tests', tar: packArchive((await folder.tree('tests')).map(makeRunnable)) },
    { path: '/logs', tar: packArchive([{ kind: 'folder', path: 'verifier' }]) },
  ];
}

async function listWorkspaceEntries(folder: TaskFiles, { pwp }: TaskConfig): Promise<ArchiveEntry[]> {
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
  if (files.has(workspaceSettingsPath)) {
    const problem = `pwp.workspace_settings: expected no environment/workspace/${workspaceSettingsPath} beside it, found one`;
    throw badTask(join(folder.path, 'task.toml'), problem);
  }
  return [...entries, makeTextEntry(workspaceSettingsPath, formatSettings(pwp.workspace_settings))];
}

async function listProfileEntries(
  folder: TaskFiles,
  { pwp }: TaskConfig,
  base: IdeSettings,
  workspace: string,
): Promise<ArchiveEntry[]> {
  // The bridge reads start.json when it opens the window.
  const start = { open: pwp.open.map((path) => `${workspace}/${path}`) };
  const entries = [
    ...(await folder.tree('environment/ide')),
    makeTextEntry('data/User/settings.json', formatSettings(mergeSettings(base, pwp.settings))),
    makeTextEntry('start.json', formatSettings(start)),
  ];
  return pwp.keybindings.length > 0
    ? [...entries, makeTextEntry('data/User/keybindings.json', formatSettings(pwp.keybindings))]
    : entries;
}

/** As VS Code itself formats its files, so that an edit through the UI changes no other line. */
function formatSettings(value: unknown): string {
  return `${JSON.stringify(value, null, 4)}\n`;
}

/** Whether a key of settings.json is an override for languages, e.g. `[python]` or `[json][jsonc]`. */
function isLanguageOverride(key: string): boolean {
  return /^(\[[^\]]+\])+$/.test(key);
}

/**
 * Two settings.json in one: a later value replaces an earlier one, but a language override is merged setting by
 * setting. Other objects are replaced whole: a task that sets `files.exclude` means exactly that.
 */
export function mergeSettings(base: IdeSettings, over: IdeSettings): IdeSettings {
  const merged = { ...base };
  for (const [key, value] of Object.entries(over)) {
    const below = merged[key];
    merged[key] =
      isLanguageOverride(key) && isJsonObject(below) && isJsonObject(value) ? { ...below, ...value } : value;
  }
  return merged;
}
