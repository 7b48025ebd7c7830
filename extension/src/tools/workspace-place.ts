import { lstat, readdir, realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import * as vscode from 'vscode';
import { toolError } from '../../../bridge/protocol/index.ts';
import { isOnDisk, normalizeLook } from '../lib/index.ts';

/** A place in the workspace that a caller named. */
export interface WorkspacePlace {
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
export function resolvePlace(given: string): Promise<WorkspacePlace> {
  return findPlace(given, (path) => resolveRealPath(path, given));
}

/** As {@link resolvePlace}, but a link means itself, not its target. */
export function resolveLinkPlace(given: string): Promise<WorkspacePlace> {
  return findPlace(given, async (path) => {
    const folder = await resolveRealPath(dirname(path), given);
    const stats = await lstat(folder).catch(() => undefined);
    if (stats?.isDirectory() === false) throw toolError('not-a-folder', `${given} is below a file`);
    return join(folder, basename(path));
  });
}

async function findPlace(given: string, realOf: (path: string) => Promise<string>): Promise<WorkspacePlace> {
  const folders = listWorkspaceFolders();
  const [first] = folders;
  if (first === undefined)
    throw toolError('not-found', 'the window shows no folder', { help: 'Open a folder first' });
  const named = isAbsolute(given) ? resolve(given) : resolve(first, given);
  const path = await findPathOnDisk(named, folders.find((folder) => isWithinFolder(folder, named)) ?? first);
  const real = await realOf(path);
  const roots = await Promise.all(folders.map((folder) => resolveRealPath(folder, folder)));
  if (
    !folders.some((folder) => isWithinFolder(folder, path)) &&
    !roots.some((root) => isWithinFolder(root, path))
  )
    throw makeOutsideError(given, folders);
  if (!roots.some((root) => isWithinFolder(root, real))) throw makeOutsideError(given, folders);
  return { path, real, uri: vscode.Uri.file(path) };
}

/** Paths of the folders on this machine. */
function listWorkspaceFolders(): string[] {
  const folders = vscode.workspace.workspaceFolders ?? [];
  return folders.filter(({ uri }) => uri.scheme === 'file').map(({ uri }) => uri.fsPath);
}

function isWithinFolder(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** Resolves links as far as the path exists; the rest is appended unchanged. */
async function resolveRealPath(path: string, given: string): Promise<string> {
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
    return join(await resolveRealPath(dirname(path), given), basename(path));
  }
}

function makeOutsideError(given: string, folders: readonly string[]): Error {
  return toolError('outside-workspace', `${given} is outside of the workspace ${folders.join(', ')}`, {
    help: 'Give a path inside it; links that lead out are not followed',
  });
}

/** A path in a tool's result: relative to the first workspace folder if it is inside it, else absolute. */
export function formatPath(path: string): string {
  const first = vscode.workspace.workspaceFolders?.[0]?.uri;
  if (first?.scheme !== 'file') return path;
  const inside = relative(first.fsPath, path);
  if (inside === '') return '.';
  const leaves = inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside);
  return leaves ? path : inside.split(sep).join('/');
}

/** Names that no other name looks like. */
const plainName = /^[!-~]*$/;

/**
 * The path on disk that only looks like the given one: macOS writes `é` as two characters, and a screenshot has a narrow
 * space in its name. The given path if it exists, or unless exactly one name looks like it.
 * @param top an existing folder above it
 */
async function findPathOnDisk(path: string, top: string): Promise<string> {
  const names = relative(top, path).split(sep);
  if (names.every((name) => plainName.test(name)) || (await isOnDisk(path))) return path;
  let at = top;
  for (const [i, name] of names.entries()) {
    const next = await findInFolder(at, name);
    if (next === undefined) return join(at, ...names.slice(i));
    at = join(at, next);
  }
  return at;
}

async function findInFolder(folder: string, name: string): Promise<string | undefined> {
  if (await isOnDisk(join(folder, name))) return name;
  if (plainName.test(name)) return undefined;
  const all = await readdir(folder).catch((): string[] => []);
  const [found, ...others] = all.filter((one) => normalizeLook(one) === normalizeLook(name));
  return others.length === 0 ? found : undefined;
}

/** Folders of builds, dependencies and version control: listed, but not entered. */
export const ignoredFolders: ReadonlySet<string> = new Set([
  '.git',
  '.hg',
  '.svn',
  '.venv',
  'venv',
  'node_modules',
  'bower_components',
  '__pycache__',
  '.pytest_cache',
  '.mypy_cache',
  '.ruff_cache',
  '.tox',
  '.gradle',
  '.next',
  '.cache',
  'build',
  'dist',
  'out',
  'target',
  'coverage',
]);
