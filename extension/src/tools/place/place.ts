import { lstat, realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, resolve, sep } from 'node:path';
import * as vscode from 'vscode';
import { toolError } from '../../../../bridge/protocol/index.ts';
import { asOnDisk } from './look-alike.ts';

/** A place in the workspace that a caller named. */
export interface Place {
  /** Absolute, as the caller named it: editors and language servers know the file by it. */
  readonly path: string;
  /** Absolute, without links: where the bytes are. */
  readonly real: string;
  readonly uri: vscode.Uri;
}

/**
 * Finds the place of a path, whether it exists or not; a name that only looks like one on disk means that one. Errors:
 * `outside-workspace`, also if a link leads out of it; `not-found` if the window shows no folder.
 */
export function place(given: string): Promise<Place> {
  return find(given, (path) => realPath(path, given));
}

/** As {@link place}, but a link means itself, not its target. */
export function placeOfLink(given: string): Promise<Place> {
  return find(given, async (path) => {
    const folder = await realPath(dirname(path), given);
    const stats = await lstat(folder).catch(() => undefined);
    if (stats?.isDirectory() === false) throw toolError('not-a-folder', `${given} is below a file`);
    return join(folder, basename(path));
  });
}

async function find(given: string, realOf: (path: string) => Promise<string>): Promise<Place> {
  const folders = workspaceFolders();
  const [first] = folders;
  if (first === undefined)
    throw toolError('not-found', 'the window shows no folder', { help: 'Open a folder first' });
  const named = isAbsolute(given) ? resolve(given) : resolve(first, given);
  const path = await asOnDisk(named, folders.find((folder) => within(folder, named)) ?? first);
  const real = await realOf(path);
  const roots = await Promise.all(folders.map((folder) => realPath(folder, folder)));
  if (!folders.some((folder) => within(folder, path)) && !roots.some((root) => within(root, path)))
    throw outside(given, folders);
  if (!roots.some((root) => within(root, real))) throw outside(given, folders);
  return { path, real, uri: vscode.Uri.file(path) };
}

/** Paths of the folders on this machine. */
function workspaceFolders(): string[] {
  const folders = vscode.workspace.workspaceFolders ?? [];
  return folders.filter(({ uri }) => uri.scheme === 'file').map(({ uri }) => uri.fsPath);
}

function within(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** Resolves links as far as the path exists; the rest is appended unchanged. */
async function realPath(path: string, given: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ELOOP')
      throw toolError('not-found', `${given}: its links go round in a circle`, { cause: error });
    if (code === 'ENOTDIR') throw toolError('not-a-folder', `${given} is below a file`, { cause: error });
    if (code !== 'ENOENT' || dirname(path) === path) throw error;
    // A write through the link would go to its target.
    if (await lstat(path).catch(() => undefined))
      throw toolError('not-found', `${given}: a link there leads nowhere`, { cause: error });
    return join(await realPath(dirname(path), given), basename(path));
  }
}

function outside(given: string, folders: readonly string[]): Error {
  return toolError('outside-workspace', `${given} is outside of the workspace ${folders.join(', ')}`, {
    help: 'Give a path inside it; links that lead out are not followed',
  });
}
