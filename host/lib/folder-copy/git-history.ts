import type { Stats } from 'node:fs';
import { lstat, readdir, readlink, realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { PwpError } from '../../../bridge/lib/index.ts';
import { readUntrustedText } from '../untrusted-files.ts';
import { findGitSetting, type GitSettings, readGitSettings, renderPlainConfig } from './git-command.ts';

/** The contents of one `.git` folder for a repository that is in two folders, or somewhere else. */
export interface GitHistory {
  /** Paths on this machine by those below the `.git` folder, each folder before what is in it. */
  readonly paths: ReadonlyMap<string, string>;
  readonly bytes: number;
  /** Its `config`. */
  readonly config: string;
  /** Existing files that are not copied, below the `.git` folder. */
  readonly leftOut: readonly string[];
}

/** The files that worktrees share. Hooks, settings and other worktrees stay where they are. */
const sharedFiles = /^(objects|refs|logs|info|packed-refs|shallow)(\/|$)/;
/** The files that each worktree has of its own: where it is, what is staged, and an operation that is under way. */
const worktreeFiles =
  /^(index|sharedindex\.[0-9a-f]+|(?!FETCH_HEAD)[A-Z]+(_[A-Z]+)*|rebase-(merge|apply)|sequencer)(\/|$)/;
const worktreeFilesInShared =
  /^((logs\/)?refs\/(bisect|worktree|rewritten)|logs\/HEAD|info\/sparse-checkout)(\/|$)/;
/** Files that Git is about to write. */
const unfinishedFiles = /(\.lock|(^|\/)tmp_[^/]+)$/;
const borrowedObjects = /^objects\/info\/(http-)?alternates$/;

/** As for all folders that another person made: see `listUntrusted`. */
const maxHistoryFiles = 500_000;
const maxHistoryDepth = 200;

/**
 * Looks for the history of a worktree or a submodule. Undefined where Git does not read its settings, or its branches are
 * not in files. Errors: `too-large`; those of the file system.
 */
export async function readGitHistory({
  common,
  own: ownFolder,
}: GitFolders): Promise<GitHistory | undefined> {
  const settings = await readSettings(common, ownFolder);
  if (settings === undefined || (findGitSetting(settings, 'extensions.refstorage') ?? 'files') !== 'files')
    return undefined;
  const found: FoundHistory = { paths: new Map(), bytes: 0, leftOut: [] };
  await addFiles(found, common, (path) => sharedFiles.test(path) && !worktreeFilesInShared.test(path));
  await addFiles(
    found,
    ownFolder,
    (path) => worktreeFiles.test(path) || worktreeFilesInShared.test(path),
    (path) => /^(logs|refs|logs\/refs|info)$/.test(path),
  );
  return { ...found, config: renderPlainConfig(settings) };
}

async function readSettings(common: string, ownFolder: string): Promise<GitSettings | undefined> {
  const settings = await readGitSettings(join(common, 'config'));
  if (settings === undefined || findGitSetting(settings, 'extensions.worktreeconfig') !== 'true')
    return settings;
  return [...settings, ...((await readGitSettings(join(ownFolder, 'config.worktree'))) ?? [])];
}

interface FoundHistory {
  readonly paths: Map<string, string>;
  bytes: number;
  readonly leftOut: string[];
}

type PathFilter = (path: string) => boolean;

/** @param alsoEnters folders that are not taken themselves, but may contain paths that are */
async function addFiles(
  found: FoundHistory,
  folder: string,
  takes: PathFilter,
  alsoEnters: PathFilter = () => false,
): Promise<void> {
  const open = [''];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    const names = (await readdir(join(folder, path))).sort();
    const paths = names.map((name) => (path === '' ? name : `${path}/${name}`));
    for (const each of paths.filter((one) => takes(one) || alsoEnters(one))) {
      const info = await lstat(join(folder, each));
      if (info.isDirectory()) open.push(each);
      if (takes(each)) addFile(found, each, join(folder, each), info);
    }
    if (found.paths.size > maxHistoryFiles || path.split('/').length > maxHistoryDepth)
      throw new PwpError('too-large', `${folder} has more than ${maxHistoryFiles} files, or is too deep`);
  }
}

function addFile(found: FoundHistory, path: string, at: string, info: Stats): void {
  if (unfinishedFiles.test(path)) return;
  if (borrowedObjects.test(path) || !(info.isFile() || info.isDirectory())) {
    found.leftOut.push(path);
    return;
  }
  found.paths.set(path, at);
  if (info.isFile()) found.bytes += info.size;
}

/** Bytes of a file that names another place. */
const maxPathBytes = 64 * 1024;

/** The two folders that a repository is in: the same, except for a worktree. */
interface GitFolders {
  /** The folder that all worktrees share: objects, branches, tags. */
  readonly common: string;
  /** The folder that is this worktree's own: HEAD, the index. */
  readonly own: string;
}

/** Where the repository of a folder with a `.git` file is: a worktree, a submodule, or a folder set up this way. */
type GitFileTarget =
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
export async function followGitFile(root: string, folder: string): Promise<GitFileTarget> {
  try {
    const [realRoot, at] = await Promise.all([realpath(root), realpath(folder)]);
    const [, named] =
      /^gitdir: ([^\r\n]+)\r?\n*$/.exec(await readUntrustedText(at, '.git', maxPathBytes)) ?? [];
    if (named === undefined) return { is: 'unknown' };
    const own = await realpath(resolve(at, named));
    if (isWithin(realRoot, own)) {
      return isAbsolute(named) ? { is: 'moved', text: `gitdir: ${relative(at, own)}\n` } : { is: 'inside' };
    }
    const common = await findCommonFolder(own);
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
  const lines = (await readUntrustedText(objects, file, maxPathBytes)).split('\n');
  const places = lines.filter((line) => line !== '' && !line.startsWith('#'));
  const realRoot = await realpath(root);
  return places.some((place) => isAbsolute(place) || !isWithin(realRoot, resolve(objects, place)));
}

/** Undefined for a worktree that is not among those of the repository that it names. */
async function findCommonFolder(own: string): Promise<string | undefined> {
  const named = await readUntrustedText(own, 'commondir', maxPathBytes).catch(() => undefined);
  if (named === undefined) return own;
  const common = await realpath(resolve(own, named.trimEnd()));
  const isListed = basename(dirname(own)) === 'worktrees' && dirname(dirname(own)) === common;
  return isListed ? common : undefined;
}

/** A worktree is named by a file, a submodule by a setting. */
async function namesBack(own: string, common: string, folder: string): Promise<boolean> {
  if (own !== common) {
    const named = (await readUntrustedText(own, 'gitdir', maxPathBytes)).trimEnd();
    return basename(named) === '.git' && (await realpath(dirname(resolve(own, named)))) === folder;
  }
  const settings = (await readGitSettings(join(own, 'config'))) ?? [];
  const worktree = findGitSetting(settings, 'core.worktree');
  return worktree !== undefined && (await realpath(resolve(own, worktree))) === folder;
}

function isWithin(folder: string, path: string): boolean {
  const below = relative(folder, path);
  return below === '' || (below !== '..' && !below.startsWith('../') && !isAbsolute(below));
}
