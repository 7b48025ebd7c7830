import { createHash, randomUUID } from 'node:crypto';
import { constants, createReadStream, type Stats } from 'node:fs';
import { copyFile, lstat, mkdir, open, readlink, rename, rm, rmdir, symlink } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { create } from 'tar';
import { PwpError } from '../../../bridge/lib/index.ts';
import { isFolder } from '../../lib/index.ts';
import {
  type FileEntry,
  type FolderTree,
  isSameEntry,
  type LinkEntry,
  type OmittedPath,
  type PathChange,
  type TreeEntry,
} from './folder-tree.ts';
import { findEscapingLinks, readTargetsFromDisk } from './path-safety.ts';
import { keptContentPath } from './read-tree.ts';

/** The effects that a pull would have on a folder. */
export interface PullPlan {
  /** Changes of paths that are here as they were copied, or as an earlier pull left them. */
  readonly apply: readonly PathChange[];
  /** Changes of paths that have changed here as well, in another way. */
  readonly conflicts: readonly PathChange[];
  /** Links that lead out of the folder, and paths below a link of this machine. */
  readonly unsafe: readonly PathChange[];
  /** Changes that are here already. */
  readonly done: readonly PathChange[];
}

/**
 * Compares three sides: what was copied, what is inside now, and what is here now. Changes nothing.
 * @param inside all that is in the sandbox
 * @param pulled what an earlier pull from the same sandbox has put here, by path; null for what it removed
 */
export async function planPull(
  folder: string,
  changes: readonly PathChange[],
  pulled: ReadonlyMap<string, TreeEntry | null>,
  inside: FolderTree,
): Promise<PullPlan> {
  const plan = { apply: [], conflicts: [], unsafe: [], done: [] } as Record<keyof PullPlan, PathChange[]>;
  for (const change of changes) plan[await classifyPull(folder, change, pulled)].push(change);
  const links = [...inside.entries].filter(([, { kind }]) => kind === 'link').map(([path]) => path);
  // A conflict may be decided for what is inside.
  const coming = [...plan.apply, ...plan.conflicts];
  const after = new Map(coming.map((each) => [each.path, each.after]));
  const out = await findEscapingLinks(readTargetsFromDisk(folder), after, links);
  const isOut = ({ path }: PathChange) => out.has(path);
  return {
    apply: plan.apply.filter((change) => !isOut(change)),
    conflicts: plan.conflicts.filter((change) => !isOut(change)),
    unsafe: [...plan.unsafe, ...coming.filter(isOut)],
    done: plan.done,
  };
}

async function classifyPull(
  folder: string,
  change: PathChange,
  pulled: ReadonlyMap<string, TreeEntry | null>,
): Promise<keyof PullPlan> {
  const { path, before, after } = change;
  const here = await readLocalEntry(folder, path);
  if (here === 'blocked') return 'unsafe';
  if (isSameEntry(here, after)) return 'done';
  if (isSameEntry(here, before)) return 'apply';
  const earlier = pulled.get(path);
  return earlier !== undefined && isSameEntry(here, earlier) ? 'apply' : 'conflicts';
}

/**
 * Brings changes into a folder: first the removals, then the rest.
 * @param inside all that is in the sandbox
 * @param contents where the content of its files is. Errors: `unsafe-path`
 */
export async function applyChanges(
  folder: string,
  changes: readonly PathChange[],
  inside: FolderTree,
  contents: string,
): Promise<void> {
  const staysFolder = (path: string) => inside.entries.get(path)?.kind === 'folder';
  for (const { path, after } of changes)
    if (after === null) await removeLocalEntry(folder, path, staysFolder);
  for (const { path, after } of changes) {
    if (after === null) continue;
    await writeLocalEntry(
      folder,
      path,
      after,
      after.kind === 'file' ? keptContentPath(contents, after.hash) : '',
    );
  }
}

interface CopyResult {
  /** Files and links that were written. */
  readonly written: readonly string[];
  /** Links that lead out of what is copied. */
  readonly unsafe: readonly string[];
  readonly omitted: readonly OmittedPath[];
}

/**
 * Writes what was read from a sandbox: a folder's content into `to`; a file as `to`, or into it where that is a folder
 * or ends with a slash. Errors: `pull-conflict` for existing files unless `replace`, `unsafe-path`, `no-such-folder`.
 * @param single the name of the one file; undefined for a folder
 */
export async function writeFolderTree(
  tree: FolderTree,
  contents: string,
  to: string,
  { single, replace }: { readonly single: string | undefined; readonly replace: boolean },
): Promise<CopyResult> {
  const place = await resolveDestination(to, single);
  const entries = [...tree.entries].map(([path, entry]) => [place.name ?? path, entry] as const);
  const out = await findEscapingLinks(readTargetsFromDisk(place.folder), new Map(entries));
  const isUnsafe = ([path]: readonly [string, TreeEntry]) => out.has(path);
  const safe = entries.filter((each) => !isUnsafe(each));
  if (!replace) await refuseExisting(place.folder, safe);
  if (place.name === undefined) await makeLocalFolders(dirname(place.folder), basename(place.folder));
  for (const [path, entry] of safe) {
    if (entry.kind === 'folder') await makeLocalFolders(place.folder, path);
    else
      await writeLocalEntry(
        place.folder,
        path,
        entry,
        entry.kind === 'file' ? keptContentPath(contents, entry.hash) : '',
      );
  }
  return {
    written: safe.filter(([, { kind }]) => kind !== 'folder').map(([path]) => join(place.folder, path)),
    unsafe: entries.filter(isUnsafe).map(([path]) => path),
    omitted: tree.omitted,
  };
}

/** The archive of one file under a name. Errors: `no-such-file`. */
export async function packFile(path: string, name: string): Promise<AsyncIterable<Uint8Array>> {
  const info = await lstat(path).catch(() => null);
  if (!info?.isFile()) throw new PwpError('no-such-file', `${path} is not a file`);
  const options = {
    cwd: dirname(path),
    portable: true,
    strict: true,
    onWriteEntry: (entry: { path: string }) => void (entry.path = name),
  };
  return create(options, [`./${basename(path)}`]);
}

/** The folder of this machine, which the user named and which may be a link, and the name in it of a single file. */
async function resolveDestination(
  to: string,
  single: string | undefined,
): Promise<{ readonly folder: string; readonly name?: string }> {
  const at = resolve(to);
  const toFolder = await isFolder(at);
  const parent = single !== undefined && (toFolder || to.endsWith('/')) ? at : dirname(at);
  if (!(await isFolder(parent)) && !(toFolder && single === undefined))
    throw new PwpError('no-such-folder', `${parent} is not a folder`);
  if (single === undefined) return { folder: at };
  return parent === at ? { folder: at, name: single } : { folder: parent, name: basename(at) };
}

async function refuseExisting(
  folder: string,
  entries: readonly (readonly [string, TreeEntry])[],
): Promise<void> {
  for (const [path, { kind }] of entries) {
    const here = await readLocalEntry(folder, path);
    if (here === null || (kind === 'folder' && here !== 'blocked' && here.kind === 'folder')) continue;
    throw new PwpError('pull-conflict', `${join(folder, path)} is there already`, {
      help: 'Nothing was written. --force replaces what is there.',
    });
  }
}

/**
 * The kind of a path below a folder of this machine; `blocked` where a link, a special file or a file is on the way.
 */
async function readLocalEntry(folder: string, path: string): Promise<TreeEntry | 'blocked' | null> {
  const at = join(folder, path);
  if (await isBlocked(folder, path)) return 'blocked';
  const info = await statLocal(at);
  if (info === null) return null;
  if (info.isDirectory()) return { kind: 'folder' };
  if (info.isSymbolicLink()) return { kind: 'link', target: await readlink(at) };
  if (!info.isFile()) return 'blocked';
  const executable = (info.mode & 0o111) !== 0;
  return { kind: 'file', executable, bytes: info.size, hash: await hashFile(at) };
}

/** Replaces what is at a path, without following a link. Errors: `unsafe-path`. */
async function writeLocalEntry(
  folder: string,
  path: string,
  entry: FileEntry | LinkEntry,
  content: string,
): Promise<void> {
  await makeLocalFolders(folder, dirname(path));
  const at = join(folder, path);
  const part = join(dirname(at), `.pwp-${randomUUID()}`);
  try {
    if (entry.kind === 'link') await symlink(entry.target, part);
    else await copyInto(content, part, chooseMode(entry, await statLocal(at)));
    await rename(part, at);
  } finally {
    await rm(part, { force: true });
  }
}

/** Removes a file or a link, and the folders that are empty without it. Errors: `unsafe-path`. */
async function removeLocalEntry(
  folder: string,
  path: string,
  staysFolder: (path: string) => boolean,
): Promise<void> {
  if (await isBlocked(folder, path)) throw unsafePathError(path);
  await rm(join(folder, path), { force: true });
  for (let at = dirname(path); at !== '.' && !staysFolder(at); at = dirname(at)) {
    const isGone = await rmdir(join(folder, at)).then(
      () => true,
      () => false,
    );
    if (!isGone) return;
  }
}

/** Makes the folders of a path below a folder. Errors: `unsafe-path` for a link or a file on the way. */
async function makeLocalFolders(folder: string, path: string): Promise<void> {
  let at = folder;
  for (const name of path.split('/').filter((each) => each !== '.' && each !== '')) {
    at = join(at, name);
    const info = await statLocal(at);
    if (info === null) await mkdir(at);
    else if (!info.isDirectory()) throw unsafePathError(path);
  }
}

async function isBlocked(folder: string, path: string): Promise<boolean> {
  const names = path.split('/').slice(0, -1);
  for (const [i] of names.entries()) {
    const info = await statLocal(join(folder, ...names.slice(0, i + 1)));
    if (info === null) return false;
    if (!info.isDirectory()) return true;
  }
  return false;
}

/** Null where there is nothing. */
async function statLocal(at: string): Promise<Stats | null> {
  return lstat(at).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
    throw error;
  });
}

async function hashFile(at: string): Promise<string> {
  const sum = createHash('sha256');
  for await (const chunk of createReadStream(at)) sum.update(chunk as Buffer);
  return sum.digest('hex');
}

/** Who may read and write stays as it is; of what comes from inside only counts whether it can be executed. */
function chooseMode({ executable }: FileEntry, there: Stats | null): number {
  const mode = there?.isFile() ? there.mode & 0o666 : 0o644;
  return executable ? mode | ((mode & 0o444) >> 2) : mode;
}

async function copyInto(content: string, part: string, mode: number): Promise<void> {
  await copyFile(content, part, constants.COPYFILE_EXCL);
  await using file = await open(part, 'r');
  await file.chmod(mode);
}

function unsafePathError(path: string): PwpError {
  return new PwpError('unsafe-path', `${path} is below a link or a file of this machine`);
}
