import { lstat, mkdir, readdir, rename, unlink } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import * as vscode from 'vscode';
import {
  type fileTools,
  toolError,
  type ToolInput,
  type ToolOutput,
} from '../../../../bridge/protocol/index.ts';
import type { ToolContext } from '../../../../bridge/rpc/index.ts';
import { listModules, notifyServers } from '../../language/index.ts';
import { runInFileOrder } from '../change-document.ts';
import {
  formatPath,
  ignoredFolders,
  resolveLinkPlace,
  resolvePlace,
  type WorkspacePlace,
} from '../workspace-place.ts';

type ListDir = typeof fileTools.listDir;
type ListedEntry = ToolOutput<ListDir>['entries'][number];

export async function listDir(
  input: ToolInput<ListDir>,
  { signal }: ToolContext,
): Promise<ToolOutput<ListDir>> {
  const where = await resolvePlace(input.path);
  const walk = new FolderWalk(input, signal);
  await walk.enter(where.path, 1);
  const { entries, passed } = walk;
  return {
    path: formatPath(where.path),
    entries: entries.slice(0, input.limit),
    not_entered: passed.slice(0, 1000),
    truncated: entries.length > input.limit,
  };
}

/** Walks folders in the order of their paths until it has one entry more than requested. */
class FolderWalk {
  readonly entries: ListedEntry[] = [];
  readonly passed: string[] = [];
  readonly #input: ToolInput<ListDir>;
  readonly #signal: AbortSignal;

  constructor(input: ToolInput<ListDir>, signal: AbortSignal) {
    this.#input = input;
    this.#signal = signal;
  }

  async enter(folder: string, depth: number): Promise<void> {
    const names = (await readNames(folder)).sort();
    for (const name of names) {
      this.#signal.throwIfAborted();
      if (this.entries.length > this.#input.limit) return;
      const path = join(folder, name);
      const entry = await describeEntry(path);
      if (!entry) continue;
      this.entries.push(entry);
      if (entry.kind === 'folder' && this.#input.recursive) await this.#goInto(path, name, depth);
    }
  }

  async #goInto(path: string, name: string, depth: number): Promise<void> {
    const ignored = ignoredFolders.has(name) && !this.#input.include_ignored;
    if (ignored || depth >= this.#input.max_depth) this.passed.push(formatPath(path));
    else await this.enter(path, depth + 1);
  }
}

async function readNames(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT')
      throw toolError('not-found', `there is no folder ${formatPath(folder)}`, { cause: error });
    if (code === 'ENOTDIR')
      throw toolError('not-a-folder', `${formatPath(folder)} is a file`, { cause: error });
    throw error;
  }
}

/** Undefined for an entry that was removed meanwhile. */
async function describeEntry(path: string): Promise<ListedEntry | undefined> {
  const stats = await lstat(path).catch(() => undefined);
  if (!stats) return undefined;
  const kinds = [
    ['file', stats.isFile()],
    ['folder', stats.isDirectory()],
    ['link', stats.isSymbolicLink()],
  ] as const;
  const kind = kinds.find(([, is]) => is)?.[0] ?? 'other';
  return {
    path: formatPath(path),
    kind,
    size: kind === 'folder' ? 0 : stats.size,
    modified: stats.mtime.toISOString(),
    executable: kind === 'file' && (stats.mode & 0o111) !== 0,
  };
}

type Files = typeof fileTools;

export async function createDirectory({
  path,
}: ToolInput<Files['createDirectory']>): Promise<ToolOutput<Files['createDirectory']>> {
  const where = await resolvePlace(path);
  try {
    const made = await mkdir(where.real, { recursive: true });
    return { path: formatPath(where.path), created: made !== undefined };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EEXIST' && code !== 'ENOTDIR') throw error;
    throw toolError('not-a-folder', `a file is at ${formatPath(where.path)} or above it`, { cause: error });
  }
}

/** Deletes through VS Code, so that it can be undone there and editors of the file close. */
export async function deleteFile(
  input: ToolInput<Files['deleteFile']>,
  { signal }: ToolContext,
): Promise<ToolOutput<Files['deleteFile']>> {
  const where = await resolveLinkPlace(input.path);
  const name = formatPath(where.path);
  return runInFileOrder(where.real, signal, async () => {
    const kind = await readFileKind(where);
    refuseRoot(where);
    if (kind === 'folder' && !input.recursive && (await readdir(where.real)).length > 0)
      throw toolError('bad-arguments', `${name} is a folder that holds something`, { help: 'Set recursive' });
    if (!input.discard_unsaved) refuseUnsaved(where);
    const gone = kind === 'folder' ? await listModules(where.uri) : [where.uri];
    if (!(await removeFile(where, input.recursive)))
      throw toolError('write-failed', `${name} could not be deleted`);
    await Promise.all(gone.map((uri) => notifyServers(uri, 'deleted')));
    return { path: name, kind };
  });
}

/**
 * Renames on disk: VS Code's own rename asks the person about imports in a dialog that would stay open. Editors follow.
 */
export async function renameFile(
  input: ToolInput<Files['renameFile']>,
  { signal }: ToolContext,
): Promise<ToolOutput<Files['renameFile']>> {
  const from = await resolveLinkPlace(input.path);
  const to = await resolveLinkPlace(input.new_path);
  return runInFileOrder(from.real, signal, async () => {
    await refuseRename(from, to, input.overwrite);
    return renameNow(from, to);
  });
}

/** Errors: `not-found`, `bad-arguments`, `unsaved-changes`, `already-exists`. */
export async function refuseRename(
  from: WorkspacePlace,
  to: WorkspacePlace,
  overwrite: boolean,
): Promise<void> {
  const kind = await readFileKind(from);
  refuseRoot(from);
  refuseOwn(from, to);
  refuseUnsaved(from);
  await refuseTaken(to, kind, overwrite);
}

/** Renames after all checks; the caller already holds the files' queues. */
export async function renameNow(
  from: WorkspacePlace,
  to: WorkspacePlace,
): Promise<ToolOutput<Files['renameFile']>> {
  const kind = await readFileKind(from);
  const gone = kind === 'folder' ? await listModules(from.uri) : [from.uri];
  await mkdir(dirname(to.real), { recursive: true });
  await rename(from.real, to.real);
  const come = gone.map(({ path }) => to.uri.with({ path: to.uri.path + path.slice(from.uri.path.length) }));
  await Promise.all([
    ...gone.map((uri) => notifyServers(uri, 'deleted')),
    ...come.map((uri) => notifyServers(uri, 'created')),
  ]);
  await followRename(from.path, to.path);
  return { path: formatPath(from.path), new_path: formatPath(to.path), kind };
}

/** VS Code follows a link, and would not delete one that leads to a folder. */
async function removeFile({ real, uri }: WorkspacePlace, recursive: boolean): Promise<boolean> {
  if ((await lstat(real)).isSymbolicLink()) {
    await unlink(real);
    return true;
  }
  const edit = new vscode.WorkspaceEdit();
  edit.deleteFile(uri, { recursive });
  return (await vscode.workspace.applyEdit(edit)) && !(await lstat(real).catch(() => undefined));
}

async function readFileKind(where: WorkspacePlace): Promise<'file' | 'folder'> {
  const stats = await lstat(where.real).catch(() => undefined);
  if (!stats) throw toolError('not-found', `there is no file ${formatPath(where.path)}`);
  return stats.isDirectory() ? 'folder' : 'file';
}

function refuseRoot({ path }: WorkspacePlace): void {
  const folders = vscode.workspace.workspaceFolders ?? [];
  if (!folders.some(({ uri }) => uri.fsPath === path || uri.fsPath.startsWith(path + sep))) return;
  throw toolError('bad-arguments', `${path} is the workspace itself`);
}

/** A file can't be renamed to its own name, and a folder can't be moved into itself. */
function refuseOwn(from: WorkspacePlace, to: WorkspacePlace): void {
  const name = formatPath(from.path);
  if (to.real === from.real) throw toolError('bad-arguments', `${name} has this name already`);
  if (to.real.startsWith(from.real + sep))
    throw toolError('bad-arguments', `${formatPath(to.path)} is in ${name} itself`);
}

/** Only a file may replace a file. */
async function refuseTaken(to: WorkspacePlace, kind: 'file' | 'folder', overwrite: boolean): Promise<void> {
  const stats = await lstat(to.real).catch(() => undefined);
  if (!stats) return;
  const isReplaceable = kind === 'file' && !stats.isDirectory();
  if (!isReplaceable || !overwrite)
    throw toolError('already-exists', `${formatPath(to.path)} is there already`, {
      ...(isReplaceable && { help: 'Set overwrite to replace it' }),
    });
  refuseUnsaved(to);
}

/** An unsaved document of the file, or of any file in the folder. */
function refuseUnsaved({ path }: WorkspacePlace): void {
  const documents = [...vscode.workspace.textDocuments, ...vscode.workspace.notebookDocuments];
  const unsaved = documents.find(
    ({ uri, isDirty }) => isDirty && (uri.fsPath === path || uri.fsPath.startsWith(path + sep)),
  );
  if (!unsaved) return;
  throw toolError('unsaved-changes', `${formatPath(unsaved.uri.fsPath)} has unsaved changes in its editor`, {
    help: 'Save them first',
  });
}

/**
 * Shows the new file in the tabs of a file that was moved, or of files in a moved folder. They have no unsaved changes.
 */
async function followRename(from: string, to: string): Promise<void> {
  for (const group of vscode.window.tabGroups.all) {
    for (const tab of group.tabs) {
      const path = tab.input instanceof vscode.TabInputText ? tab.input.uri.fsPath : undefined;
      if (path === undefined || (path !== from && !path.startsWith(from + sep))) continue;
      const uri = vscode.Uri.file(to + path.slice(from.length));
      const { viewColumn } = group;
      const { isActive, isPreview } = tab;
      await vscode.window.showTextDocument(uri, { viewColumn, preview: isPreview, preserveFocus: !isActive });
      await vscode.window.tabGroups.close(tab, true);
    }
  }
}
