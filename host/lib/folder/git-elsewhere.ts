import { readlink, realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { readForeignText } from '../foreign/index.ts';
import { readGitSettings, settingOf } from './git-settings.ts';

/** Bytes of a file that names another place. */
const mostPath = 64 * 1024;

/** The two folders that a repository is in: the same, except for a worktree. */
export interface GitFolders {
  /** The folder that all worktrees share: objects, branches, tags. */
  readonly common: string;
  /** The folder that is this worktree's own: HEAD, the index. */
  readonly own: string;
}

/** Where the repository of a folder with a `.git` file is: a worktree, a submodule, or a folder set up this way. */
export type Elsewhere =
  /** Inside the copied folder: the file may stay as it is. */
  | { readonly is: 'inside' }
  /** Inside the copied folder, but named by its place on this machine: this is the file for a copy. */
  | { readonly is: 'moved'; readonly text: string }
  | { readonly is: 'outside'; readonly folders: GitFolders }
  /** Its contents can't be relied on. */
  | { readonly is: 'unknown' };

/**
 * Follows a `.git` file. Where it leads out of the copied folder, the repository there has to name this folder in turn:
 * the folder may be a stranger's, and must not bring another repository of this machine along.
 * @param root the copied folder
 * @param folder the folder that the file is in, below `root`
 */
export async function followGitFile(root: string, folder: string): Promise<Elsewhere> {
  try {
    const [realRoot, at] = await Promise.all([realpath(root), realpath(folder)]);
    const [, named] = /^gitdir: ([^\r\n]+)\r?\n*$/.exec(await readForeignText(at, '.git', mostPath)) ?? [];
    if (named === undefined) return { is: 'unknown' };
    const own = await realpath(resolve(at, named));
    if (isWithin(realRoot, own)) {
      return isAbsolute(named) ? { is: 'moved', text: `gitdir: ${relative(at, own)}\n` } : { is: 'inside' };
    }
    const common = await commonOf(own);
    const isOurs = common !== undefined && (await namesBack(own, common, at));
    return isOurs ? { is: 'outside', folders: { common, own } } : { is: 'unknown' };
  } catch {
    // A file that can't be read or leads nowhere: Git does not read it either.
    return { is: 'unknown' };
  }
}

/** Whether a link leads out of the copied folder, or nowhere. */
export async function linkLeadsOut(root: string, link: string): Promise<boolean> {
  try {
    if (isAbsolute(await readlink(link))) return true;
    return !isWithin(await realpath(root), await realpath(link));
  } catch {
    return true;
  }
}

/** Whether a repository borrows objects of one outside of the copied folder. */
export async function borrowsFrom(root: string, objects: string, file: string): Promise<boolean> {
  const lines = (await readForeignText(objects, file, mostPath)).split('\n');
  const places = lines.filter((line) => line !== '' && !line.startsWith('#'));
  const realRoot = await realpath(root);
  return places.some((place) => isAbsolute(place) || !isWithin(realRoot, resolve(objects, place)));
}

/** Undefined for a worktree that is not among those of the repository that it names. */
async function commonOf(own: string): Promise<string | undefined> {
  const named = await readForeignText(own, 'commondir', mostPath).catch(() => undefined);
  if (named === undefined) return own;
  const common = await realpath(resolve(own, named.trimEnd()));
  const isListed = basename(dirname(own)) === 'worktrees' && dirname(dirname(own)) === common;
  return isListed ? common : undefined;
}

/** A worktree is named by a file, a submodule by a setting. */
async function namesBack(own: string, common: string, folder: string): Promise<boolean> {
  if (own !== common) {
    const named = (await readForeignText(own, 'gitdir', mostPath)).trimEnd();
    return basename(named) === '.git' && (await realpath(dirname(resolve(own, named)))) === folder;
  }
  const settings = (await readGitSettings(join(own, 'config'))) ?? [];
  const worktree = settingOf(settings, 'core.worktree');
  return worktree !== undefined && (await realpath(resolve(own, worktree))) === folder;
}

function isWithin(folder: string, path: string): boolean {
  const below = relative(folder, path);
  return below === '' || (below !== '..' && !below.startsWith('../') && !isAbsolute(below));
}
