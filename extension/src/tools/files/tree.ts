import { lstat, mkdir, readdir, rename, unlink } from 'node:fs/promises';
import { dirname, sep } from 'node:path';
import * as vscode from 'vscode';
import {
  toolError,
  type fileTools,
  type ToolInput,
  type ToolOutput,
} from '../../../../bridge/protocol/index.ts';
import type { ToolContext } from '../../../../bridge/rpc/index.ts';
import { inTurn } from '../edit/index.ts';
import { modulesIn, notifyServers } from '../../language/index.ts';
import { pathText, place, placeOfLink, type Place } from '../place/index.ts';
import { followRename } from './tabs.ts';

type Files = typeof fileTools;

export async function createDirectory({
  path,
}: ToolInput<Files['createDirectory']>): Promise<ToolOutput<Files['createDirectory']>> {
  const where = await place(path);
  try {
    const made = await mkdir(where.real, { recursive: true });
    return { path: pathText(where.path), created: made !== undefined };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EEXIST' && code !== 'ENOTDIR') throw error;
    throw toolError('not-a-folder', `a file is at ${pathText(where.path)} or above it`, { cause: error });
  }
}

/** Deletes through VS Code, so that it can be undone there and editors of the file close. */
export async function deleteFile(
  input: ToolInput<Files['deleteFile']>,
  { signal }: ToolContext,
): Promise<ToolOutput<Files['deleteFile']>> {
  const where = await placeOfLink(input.path);
  const name = pathText(where.path);
  return inTurn(where.real, signal, async () => {
    const kind = await kindOf(where);
    refuseRoot(where);
    if (kind === 'folder' && !input.recursive && (await readdir(where.real)).length > 0)
      throw toolError('bad-arguments', `${name} is a folder that holds something`, { help: 'Set recursive' });
    if (!input.discard_unsaved) refuseUnsaved(where);
    const gone = kind === 'folder' ? await modulesIn(where.uri) : [where.uri];
    if (!(await removed(where, input.recursive)))
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
  const from = await placeOfLink(input.path);
  const to = await placeOfLink(input.new_path);
  return inTurn(from.real, signal, async () => {
    await refuseRename(from, to, input.overwrite);
    return renameNow(from, to);
  });
}

/** Errors: `not-found`, `bad-arguments`, `unsaved-changes`, `already-exists`. */
export async function refuseRename(from: Place, to: Place, overwrite: boolean): Promise<void> {
  const kind = await kindOf(from);
  refuseRoot(from);
  refuseOwn(from, to);
  refuseUnsaved(from);
  await refuseTaken(to, kind, overwrite);
}

/** Renames after all checks; the caller already holds the files' queues. */
export async function renameNow(from: Place, to: Place): Promise<ToolOutput<Files['renameFile']>> {
  const kind = await kindOf(from);
  const gone = kind === 'folder' ? await modulesIn(from.uri) : [from.uri];
  await mkdir(dirname(to.real), { recursive: true });
  await rename(from.real, to.real);
  const come = gone.map(({ path }) => to.uri.with({ path: to.uri.path + path.slice(from.uri.path.length) }));
  await Promise.all([
    ...gone.map((uri) => notifyServers(uri, 'deleted')),
    ...come.map((uri) => notifyServers(uri, 'created')),
  ]);
  await followRename(from.path, to.path);
  return { path: pathText(from.path), new_path: pathText(to.path), kind };
}

/** VS Code follows a link, and would not delete one that leads to a folder. */
async function removed({ real, uri }: Place, recursive: boolean): Promise<boolean> {
  if ((await lstat(real)).isSymbolicLink()) {
    await unlink(real);
    return true;
  }
  const edit = new vscode.WorkspaceEdit();
  edit.deleteFile(uri, { recursive });
  return (await vscode.workspace.applyEdit(edit)) && !(await lstat(real).catch(() => undefined));
}

async function kindOf(where: Place): Promise<'file' | 'folder'> {
  const stats = await lstat(where.real).catch(() => undefined);
  if (!stats) throw toolError('not-found', `there is no file ${pathText(where.path)}`);
  return stats.isDirectory() ? 'folder' : 'file';
}

function refuseRoot({ path }: Place): void {
  const folders = vscode.workspace.workspaceFolders ?? [];
  if (!folders.some(({ uri }) => uri.fsPath === path || uri.fsPath.startsWith(path + sep))) return;
  throw toolError('bad-arguments', `${path} is the workspace itself`);
}

/** A file can't be renamed to its own name, and a folder can't be moved into itself. */
function refuseOwn(from: Place, to: Place): void {
  const name = pathText(from.path);
  if (to.real === from.real) throw toolError('bad-arguments', `${name} has this name already`);
  if (to.real.startsWith(from.real + sep))
    throw toolError('bad-arguments', `${pathText(to.path)} is in ${name} itself`);
}

/** Only a file may replace a file. */
async function refuseTaken(to: Place, kind: 'file' | 'folder', overwrite: boolean): Promise<void> {
  const stats = await lstat(to.real).catch(() => undefined);
  if (!stats) return;
  const isReplaceable = kind === 'file' && !stats.isDirectory();
  if (!isReplaceable || !overwrite)
    throw toolError('already-exists', `${pathText(to.path)} is there already`, {
      ...(isReplaceable && { help: 'Set overwrite to replace it' }),
    });
  refuseUnsaved(to);
}

/** An unsaved document of the file, or of any file in the folder. */
function refuseUnsaved({ path }: Place): void {
  const documents = [...vscode.workspace.textDocuments, ...vscode.workspace.notebookDocuments];
  const unsaved = documents.find(
    ({ uri, isDirty }) => isDirty && (uri.fsPath === path || uri.fsPath.startsWith(path + sep)),
  );
  if (!unsaved) return;
  throw toolError('unsaved-changes', `${pathText(unsaved.uri.fsPath)} has unsaved changes in its editor`, {
    help: 'Save them first',
  });
}
