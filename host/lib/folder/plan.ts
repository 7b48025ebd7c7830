import type { Dirent, Stats } from 'node:fs';
import { lstat, readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { PwpError, messageOf } from '../../../bridge/lib/index.ts';
import { borrowsFrom, followGitFile, linkLeadsOut } from './git-elsewhere.ts';
import { historyOf, type History } from './git-history.ts';
import { Rules } from './rules.ts';
import { isSecret } from './secrets.ts';

/**
 * `special`: a pipe, a socket or a device, which can't be copied; `elsewhere`: a repository's `.git` that leads out of the
 * folder to one that does not name it in turn; `borrowed`: its history is another repository's in part.
 */
export type WhyLeftOut = 'ignored' | 'secret' | 'special' | 'elsewhere' | 'borrowed';

/** The file in which a repository names those that it borrows objects of. */
const alternates = /^((?:.*\/)?\.git\/(?:modules\/.+\/)?objects)\/info\/alternates$/;

export interface LeftOut {
  /** Below the folder; a folder's ends with a slash. */
  readonly path: string;
  readonly why: WhyLeftOut;
}

/** The contents of a copy of a folder. */
export interface FolderPlan {
  readonly folder: string;
  /** Paths below it, each folder before what is in it. */
  readonly paths: readonly string[];
  /**
   * Places of the paths that are not below the folder, by path in the copy: the history of a worktree or a submodule.
   */
  readonly elsewhere: ReadonlyMap<string, string>;
  /** Files of the copy alone, by path: they are not among `paths`. */
  readonly made: ReadonlyMap<string, string>;
  /** All files together. */
  readonly bytes: number;
  readonly leftOut: readonly LeftOut[];
}

export interface PlanOptions {
  /** Take files that `.gitignore` and `.pwpignore` name. Default false. */
  readonly ignored?: boolean | undefined;
  /** Take files that look like a password or a key. Default false. */
  readonly secrets?: boolean | undefined;
}

/**
 * Looks at a folder before it is copied. Symbolic links are not followed.
 * Errors, which name the path: `no-such-folder`; `bad-seed` for files that can't be read and names that are not UTF-8.
 */
export async function planFolder(folder: string, options: PlanOptions = {}): Promise<FolderPlan> {
  await requireFolder(folder);
  const parts = { paths: [], elsewhere: new Map(), made: new Map(), bytes: 0, leftOut: [] };
  const plan: Plan = { folder, ...parts, options };
  const none = Rules.none;
  const open = [{ path: '', rules: options.ignored ? none : await none.within(folder, '') }];
  for (let at = open.pop(); at; at = open.pop()) {
    const folders = await addEntries(plan, at.path, at.rules);
    for (const path of folders.reverse())
      open.push({ path, rules: options.ignored ? none : await at.rules.within(folder, path) });
  }
  return plan;
}

interface Plan extends FolderPlan {
  readonly paths: string[];
  readonly elsewhere: Map<string, string>;
  readonly made: Map<string, string>;
  bytes: number;
  readonly leftOut: LeftOut[];
  readonly options: PlanOptions;
}

/** Errors: `no-such-folder`. */
export async function requireFolder(folder: string): Promise<void> {
  const info = await stat(folder).catch((cause: unknown) => {
    throw new PwpError('no-such-folder', `${folder} can't be copied: ${messageOf(cause)}`, { cause });
  });
  if (!info.isDirectory()) throw new PwpError('no-such-folder', `${folder} is not a folder`);
}

/** Adds what is in a folder itself; returns the folders in it. */
async function addEntries(plan: Plan, path: string, rules: Rules): Promise<string[]> {
  const names = await namesIn(plan.folder, path);
  const infos = await Promise.all(names.map((name) => statOf(plan.folder, join(path, name))));
  const folders: string[] = [];
  for (const [i, name] of names.entries()) {
    const info = infos[i];
    if (!info) continue;
    const each = path === '' ? name : `${path}/${name}`;
    const why = await whyLeftOut(plan, each, info, rules);
    if (why !== undefined) {
      plan.leftOut.push({ path: info.isDirectory() ? `${each}/` : each, why });
      continue;
    }
    if (name === '.git' && info.isFile()) {
      await tried(each, () => addRepository(plan, each));
      continue;
    }
    plan.paths.push(each);
    if (info.isDirectory()) folders.push(each);
    if (info.isFile()) plan.bytes += info.size;
  }
  return folders;
}

/**
 * Adds the folder that a `.git` file leads to: in the copy, a worktree and a submodule are repositories of their own.
 */
async function addRepository(plan: Plan, path: string): Promise<void> {
  const found = await followGitFile(plan.folder, join(plan.folder, dirname(path)));
  const history = found.is === 'outside' ? await historyOf(found.folders) : undefined;
  if (found.is === 'inside') plan.paths.push(path);
  else if (found.is === 'moved') plan.made.set(path, found.text);
  else if (history === undefined) plan.leftOut.push({ path, why: 'elsewhere' });
  else addHistory(plan, path, history);
}

function addHistory(plan: Plan, path: string, { paths, bytes, config, leftOut }: History): void {
  for (const [below, at] of paths) {
    plan.paths.push(`${path}/${below}`);
    plan.elsewhere.set(`${path}/${below}`, at);
  }
  plan.made.set(`${path}/config`, config);
  plan.bytes += bytes;
  for (const below of leftOut) plan.leftOut.push({ path: `${path}/${below}`, why: 'borrowed' });
}

async function whyLeftOut(
  { folder, options }: Plan,
  path: string,
  info: Stats,
  rules: Rules,
): Promise<WhyLeftOut | undefined> {
  if (!info.isFile() && !info.isDirectory() && !info.isSymbolicLink()) return 'special';
  if (rules.ignores(path, info.isDirectory())) return 'ignored';
  const elsewhere = await whyGitLeftOut(folder, path, info);
  if (elsewhere !== undefined) return elsewhere;
  if (options.secrets || !info.isFile()) return undefined;
  return (await tried(path, () => isSecret(path, join(folder, path)))) ? 'secret' : undefined;
}

/** Why parts of a `.git` folder that lead out of the copy are left out. */
async function whyGitLeftOut(folder: string, path: string, info: Stats): Promise<WhyLeftOut | undefined> {
  if (info.isSymbolicLink() && /(^|\/)\.git(\/|$)/.test(path))
    return (await linkLeadsOut(folder, join(folder, path))) ? 'elsewhere' : undefined;
  const [, objects] = alternates.exec(path) ?? [];
  if (objects === undefined || !info.isFile()) return undefined;
  const isBorrowed = () => borrowsFrom(folder, join(folder, objects), 'info/alternates');
  return (await tried(path, isBorrowed)) ? 'borrowed' : undefined;
}

/** In the order of their bytes. Errors: `bad-seed`. */
async function namesIn(folder: string, path: string): Promise<string[]> {
  const entries: Dirent<Buffer>[] = await tried(path || '.', () =>
    readdir(join(folder, path), { withFileTypes: true, encoding: 'buffer' }),
  );
  const names = entries.map(({ name }) => name).sort((a, b) => a.compare(b));
  return names.map((bytes) => {
    const name = bytes.toString('utf8');
    if (Buffer.from(name).equals(bytes)) return name;
    throw new PwpError('bad-seed', `the name of ${join(path, printable(bytes))} is not UTF-8`, {
      help: 'Rename it, or leave out its folder with a line in a .pwpignore file.',
    });
  });
}

/** Undefined for a file that was removed meanwhile. */
function statOf(folder: string, path: string): Promise<Stats | undefined> {
  return tried(path, () =>
    lstat(join(folder, path)).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    }),
  );
}

async function tried<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw new PwpError('bad-seed', `${path} can't be copied: ${messageOf(cause)}`, {
      help: 'Make it readable, or leave it out with a line in a .pwpignore file.',
      cause,
    });
  }
}

function printable(bytes: Buffer): string {
  return bytes
    .toString('latin1')
    .replaceAll(/[^ -~]/g, (each) => `\\x${each.charCodeAt(0).toString(16).padStart(2, '0')}`);
}
