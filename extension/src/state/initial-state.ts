import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { deadline, poll } from '../../../bridge/lib/index.ts';
import type { ParamsOut, ResultOf, workspaceMethods } from '../../../bridge/protocol/index.ts';
import { isReachable } from '../lib/index.ts';
import { activateGit } from './source-control.ts';

/** Answers `workspace.takeIn`. */
export async function applyInitialState(
  _: ParamsOut<typeof workspaceMethods.takeIn>,
  signal: AbortSignal,
): Promise<ResultOf<typeof workspaceMethods.takeIn>> {
  const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath);
  const names = (await Promise.all(folders.map((folder) => readdir(folder)))).flat();
  const newWindow = explainNewWindow(names);
  if (newWindow !== null) return { newWindow };
  const rest = [refreshFiles(), openRepositories(folders), activateWaiting(folders)];
  const [watches] = await Promise.all([restartFileWatcher(signal), ...rest]);
  return { newWindow: watches ? null : 'no process of VS Code watches files' };
}

async function refreshFiles(): Promise<void> {
  await vscode.commands.executeCommand('workbench.files.action.refreshFilesExplorer');
}

/** Opens the repositories that VS Code's git extension finds when a window opens: at the top, and one folder below. */
async function openRepositories(folders: readonly string[]): Promise<void> {
  const places = (await Promise.all(folders.map(listFoldersBelow))).flat();
  const isRepository = await Promise.all(places.map((place) => isReachable(join(place, '.git'))));
  const found = places.filter((_, index) => isRepository[index]);
  if (found.length === 0) return;
  // Git may be missing or switched off: then a window that opens now has no repositories either.
  const api = await activateGit().catch(() => undefined);
  if (api) await Promise.all(found.map((place) => api.openRepository(vscode.Uri.file(place))));
}

async function listFoldersBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const below = entries.filter((entry) => entry.isDirectory() && entry.name !== '.git');
  return [folder, ...below.map(({ name }) => join(folder, name))];
}

/**
 * Why only a window that opens now would know everything in a workspace with these names at its top; null if an open
 * window can load them. Only when it opens does VS Code read settings that need a new window, run tasks that belong to
 * opening a folder, and offer workspace files.
 */
function explainNewWindow(names: readonly string[]): string | null {
  if (names.includes('.vscode')) return 'VS Code reads .vscode when a window opens';
  const file = names.find((name) => name.endsWith('.code-workspace'));
  return file === undefined ? null : `VS Code offers ${file} when a window opens`;
}

/** Maximum time for VS Code to restart its watcher under load, in milliseconds. */
const restartMs = 30_000;

/**
 * Makes VS Code watch all folders of the workspace. Its watcher learns the name of a new folder, but not the content that
 * the folder has by then, so it would never watch the folders in it. VS Code restarts a watcher that has ended, and the
 * new one reads them all. False if no watcher runs.
 */
async function restartFileWatcher(parent: AbortSignal): Promise<boolean> {
  const former = await findWatcher();
  if (former === undefined) return false;
  process.kill(former, 'SIGTERM');
  using limit = deadline('restart of the watcher of files', restartMs, parent);
  const probe = async () => {
    const now = await findWatcher();
    return now === undefined || now === former
      ? ({ done: false, saw: `process ${now ?? 'none'}` } as const)
      : ({ done: true, value: true } as const);
  };
  return await poll('the watcher of files', probe, { intervalMs: 20, signal: limit.signal });
}

/** The process in which VS Code's server watches files: its child, as this extension host is. */
async function findWatcher(): Promise<number | undefined> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const found = await Promise.all(ids.map(async (id) => ((await isWatcher(id)) ? id : undefined)));
  return found.find((id) => id !== undefined);
}

async function isWatcher(id: number): Promise<boolean> {
  try {
    const words = (await readFile(`/proc/${id}/cmdline`, 'utf8')).split('\0');
    if (!words.includes('--type=fileWatcher')) return false;
    const status = await readFile(`/proc/${id}/status`, 'utf8');
    return status.includes(`\nPPid:\t${process.ppid}\n`) && !/^State:\tZ/m.test(status);
  } catch {
    // It has ended meanwhile, or belongs to another user.
    return false;
  }
}

const containsEventPrefix = 'workspaceContains:';

/** Activates the extensions that wait for a file that exists now. */
async function activateWaiting(folders: readonly string[]): Promise<void> {
  await Promise.all(
    vscode.extensions.all.map(async (extension) => {
      const patterns = extension.isActive ? [] : readContainsPatterns(extension);
      const found = await Promise.all(patterns.map((pattern) => matchesPattern(pattern, folders)));
      // An extension that fails would also fail in a window that opens now.
      if (found.includes(true)) await extension.activate().then(undefined, () => undefined);
    }),
  );
}

function readContainsPatterns({ packageJSON }: vscode.Extension<unknown>): string[] {
  const { activationEvents } = packageJSON as { readonly activationEvents?: unknown };
  if (!Array.isArray(activationEvents)) return [];
  const words = activationEvents.filter((word): word is string => typeof word === 'string');
  return words
    .filter((word) => word.startsWith(containsEventPrefix))
    .map((word) => word.slice(containsEventPrefix.length));
}

/** As VS Code searches: a name without wildcards at the top of each folder, a pattern anywhere. */
async function matchesPattern(pattern: string, folders: readonly string[]): Promise<boolean> {
  if (/[*?]/.test(pattern)) return (await vscode.workspace.findFiles(pattern, undefined, 1)).length > 0;
  const found = await Promise.all(folders.map((folder) => isReachable(join(folder, pattern))));
  return found.includes(true);
}
