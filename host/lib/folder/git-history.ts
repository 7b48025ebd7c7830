import type { Stats } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { PwpError } from '../../../bridge/lib/index.ts';
import type { GitFolders } from './git-elsewhere.ts';
import { plainConfig, readGitSettings, settingOf, type GitSettings } from './git-settings.ts';

/** The contents of one `.git` folder for a repository that is in two folders, or somewhere else. */
export interface History {
  /** Paths on this machine by those below the `.git` folder, each folder before what is in it. */
  readonly paths: ReadonlyMap<string, string>;
  readonly bytes: number;
  /** Its `config`. */
  readonly config: string;
  /** Existing files that are not copied, below the `.git` folder. */
  readonly leftOut: readonly string[];
}

/** The files that worktrees share. Hooks, settings and other worktrees stay where they are. */
const shared = /^(objects|refs|logs|info|packed-refs|shallow)(\/|$)/;
/** The files that each worktree has of its own: where it is, what is staged, and an operation that is under way. */
const own =
  /^(index|sharedindex\.[0-9a-f]+|(?!FETCH_HEAD)[A-Z]+(_[A-Z]+)*|rebase-(merge|apply)|sequencer)(\/|$)/;
const ownOfShared = /^((logs\/)?refs\/(bisect|worktree|rewritten)|logs\/HEAD|info\/sparse-checkout)(\/|$)/;
/** Files that Git is about to write. */
const unfinished = /(\.lock|(^|\/)tmp_[^/]+)$/;
const borrowed = /^objects\/info\/(http-)?alternates$/;

/** As for all folders that another person made: see `listForeign`. */
const mostFiles = 500_000;
const mostDeep = 200;

/**
 * Looks for the history of a worktree or a submodule. Undefined where Git does not read its settings, or its branches are
 * not in files. Errors: `too-large`; those of the file system.
 */
export async function historyOf({ common, own: ownFolder }: GitFolders): Promise<History | undefined> {
  const settings = await settingsOf(common, ownFolder);
  if (settings === undefined || (settingOf(settings, 'extensions.refstorage') ?? 'files') !== 'files')
    return undefined;
  const found: Found = { paths: new Map(), bytes: 0, leftOut: [] };
  await addFiles(found, common, (path) => shared.test(path) && !ownOfShared.test(path));
  await addFiles(
    found,
    ownFolder,
    (path) => own.test(path) || ownOfShared.test(path),
    (path) => /^(logs|refs|logs\/refs|info)$/.test(path),
  );
  return { ...found, config: plainConfig(settings) };
}

async function settingsOf(common: string, ownFolder: string): Promise<GitSettings | undefined> {
  const settings = await readGitSettings(join(common, 'config'));
  if (settings === undefined || settingOf(settings, 'extensions.worktreeconfig') !== 'true') return settings;
  return [...settings, ...((await readGitSettings(join(ownFolder, 'config.worktree'))) ?? [])];
}

interface Found {
  readonly paths: Map<string, string>;
  bytes: number;
  readonly leftOut: string[];
}

type Chooses = (path: string) => boolean;

/** @param alsoEnters folders that are not taken themselves, but may contain paths that are */
async function addFiles(
  found: Found,
  folder: string,
  takes: Chooses,
  alsoEnters: Chooses = () => false,
): Promise<void> {
  const open = [''];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    const names = (await readdir(join(folder, path))).sort();
    const paths = names.map((name) => (path === '' ? name : `${path}/${name}`));
    for (const each of paths.filter((one) => takes(one) || alsoEnters(one))) {
      const info = await lstat(join(folder, each));
      if (info.isDirectory()) open.push(each);
      if (takes(each)) addOne(found, each, join(folder, each), info);
    }
    if (found.paths.size > mostFiles || path.split('/').length > mostDeep)
      throw new PwpError('too-large', `${folder} has more than ${mostFiles} files, or is too deep`);
  }
}

function addOne(found: Found, path: string, at: string, info: Stats): void {
  if (unfinished.test(path)) return;
  if (borrowed.test(path) || !(info.isFile() || info.isDirectory())) {
    found.leftOut.push(path);
    return;
  }
  found.paths.set(path, at);
  if (info.isFile()) found.bytes += info.size;
}
