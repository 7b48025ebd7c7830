import type { Dirent, Stats } from 'node:fs';
import { lstat, readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { create, Header, Pax, type ReadEntry } from 'tar';
import { describeError, PwpError } from '../../../bridge/lib/index.ts';
import { borrowsFrom, followGitFile, type GitHistory, linkLeadsOut, readGitHistory } from './git-history.ts';
import { IgnoreRules, isSecret } from './ignore-rules.ts';

/**
 * `special`: a pipe, a socket or a device, which can't be copied; `elsewhere`: a repository's `.git` that leads out of the
 * folder to one that does not name it in turn; `borrowed`: its history is another repository's in part.
 */
export type LeftOutReason = 'ignored' | 'secret' | 'special' | 'elsewhere' | 'borrowed';

/** The file in which a repository names those that it borrows objects of. */
const alternates = /^((?:.*\/)?\.git\/(?:modules\/.+\/)?objects)\/info\/alternates$/;

export interface LeftOutPath {
  /** Below the folder; a folder's ends with a slash. */
  readonly path: string;
  readonly why: LeftOutReason;
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
  readonly leftOut: readonly LeftOutPath[];
}

export interface FolderPlanOptions {
  /** Take files that `.gitignore` and `.pwpignore` name. Default false. */
  readonly ignored?: boolean | undefined;
  /** Take files that look like a password or a key. Default false. */
  readonly secrets?: boolean | undefined;
}

/**
 * Looks at a folder before it is copied. Symbolic links are not followed.
 * Errors, which name the path: `no-such-folder`; `bad-seed` for files that can't be read and names that are not UTF-8.
 */
export async function planFolder(folder: string, options: FolderPlanOptions = {}): Promise<FolderPlan> {
  await requireFolder(folder);
  const parts = { paths: [], elsewhere: new Map(), made: new Map(), bytes: 0, leftOut: [] };
  const plan: GrowingPlan = { folder, ...parts, options };
  const none = IgnoreRules.none;
  const open = [{ path: '', rules: options.ignored ? none : await none.within(folder, '') }];
  for (let at = open.pop(); at; at = open.pop()) {
    const folders = await addEntries(plan, at.path, at.rules);
    for (const path of folders.reverse())
      open.push({ path, rules: options.ignored ? none : await at.rules.within(folder, path) });
  }
  return plan;
}

interface GrowingPlan extends FolderPlan {
  readonly paths: string[];
  readonly elsewhere: Map<string, string>;
  readonly made: Map<string, string>;
  bytes: number;
  readonly leftOut: LeftOutPath[];
  readonly options: FolderPlanOptions;
}

/** Errors: `no-such-folder`. */
export async function requireFolder(folder: string): Promise<void> {
  const info = await stat(folder).catch((cause: unknown) => {
    throw new PwpError('no-such-folder', `${folder} can't be copied: ${describeError(cause)}`, { cause });
  });
  if (!info.isDirectory()) throw new PwpError('no-such-folder', `${folder} is not a folder`);
}

/** Adds what is in a folder itself; returns the folders in it. */
async function addEntries(plan: GrowingPlan, path: string, rules: IgnoreRules): Promise<string[]> {
  const names = await listNames(plan.folder, path);
  const infos = await Promise.all(names.map((name) => statEntry(plan.folder, join(path, name))));
  const folders: string[] = [];
  for (const [i, name] of names.entries()) {
    const info = infos[i];
    if (!info) continue;
    const each = path === '' ? name : `${path}/${name}`;
    const why = await findLeftOutReason(plan, each, info, rules);
    if (why !== undefined) {
      plan.leftOut.push({ path: info.isDirectory() ? `${each}/` : each, why });
      continue;
    }
    if (name === '.git' && info.isFile()) {
      await withPathInError(each, () => addRepository(plan, each));
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
async function addRepository(plan: GrowingPlan, path: string): Promise<void> {
  const found = await followGitFile(plan.folder, join(plan.folder, dirname(path)));
  const history = found.is === 'outside' ? await readGitHistory(found.folders) : undefined;
  if (found.is === 'inside') plan.paths.push(path);
  else if (found.is === 'moved') plan.made.set(path, found.text);
  else if (history === undefined) plan.leftOut.push({ path, why: 'elsewhere' });
  else addHistory(plan, path, history);
}

function addHistory(plan: GrowingPlan, path: string, { paths, bytes, config, leftOut }: GitHistory): void {
  for (const [below, at] of paths) {
    plan.paths.push(`${path}/${below}`);
    plan.elsewhere.set(`${path}/${below}`, at);
  }
  plan.made.set(`${path}/config`, config);
  plan.bytes += bytes;
  for (const below of leftOut) plan.leftOut.push({ path: `${path}/${below}`, why: 'borrowed' });
}

async function findLeftOutReason(
  { folder, options }: GrowingPlan,
  path: string,
  info: Stats,
  rules: IgnoreRules,
): Promise<LeftOutReason | undefined> {
  if (!info.isFile() && !info.isDirectory() && !info.isSymbolicLink()) return 'special';
  if (rules.ignores(path, info.isDirectory())) return 'ignored';
  const elsewhere = await findGitLeftOutReason(folder, path, info);
  if (elsewhere !== undefined) return elsewhere;
  if (options.secrets || !info.isFile()) return undefined;
  return (await withPathInError(path, () => isSecret(path, join(folder, path)))) ? 'secret' : undefined;
}

/** Why parts of a `.git` folder that lead out of the copy are left out. */
async function findGitLeftOutReason(
  folder: string,
  path: string,
  info: Stats,
): Promise<LeftOutReason | undefined> {
  if (info.isSymbolicLink() && /(^|\/)\.git(\/|$)/.test(path))
    return (await linkLeadsOut(folder, join(folder, path))) ? 'elsewhere' : undefined;
  const [, objects] = alternates.exec(path) ?? [];
  if (objects === undefined || !info.isFile()) return undefined;
  const isBorrowed = () => borrowsFrom(folder, join(folder, objects), 'info/alternates');
  return (await withPathInError(path, isBorrowed)) ? 'borrowed' : undefined;
}

/** In the order of their bytes. Errors: `bad-seed`. */
async function listNames(folder: string, path: string): Promise<string[]> {
  const entries: Dirent<Buffer>[] = await withPathInError(path || '.', () =>
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
function statEntry(folder: string, path: string): Promise<Stats | undefined> {
  return withPathInError(path, () =>
    lstat(join(folder, path)).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    }),
  );
}

async function withPathInError<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw new PwpError('bad-seed', `${path} can't be copied: ${describeError(cause)}`, {
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

const blockSize = 512;

/**
 * The content of a folder as an uncompressed tar archive, without owners and times of this machine. It is read as it is
 * packed. Errors: `bad-seed` where a file has changed since it was planned.
 */
export async function* packFolder(plan: FolderPlan): AsyncGenerator<Uint8Array> {
  const { folder, paths, elsewhere } = plan;
  const pathOf = new Map([...elsewhere].map(([path, at]) => [at, path]));
  // Paths that remain here were not packed: pipes are skipped silently.
  const left = new Set(['.', ...paths]);
  const options = {
    cwd: folder,
    portable: true,
    noDirRecurse: true,
    // A file from elsewhere is named by its own place, and gets its path in the copy.
    preservePaths: true,
    linkCache: new NoHardLinks(),
    strict: true,
    // Another kind would end before its turn, and tar would wait for it forever.
    filter: (_: string, entry: Stats | ReadEntry) => !('isFile' in entry) || isPackable(entry),
    onWriteEntry: (entry: { path: string }) => {
      const path = pathOf.get(entry.path.replace(/\/$/, ''));
      if (path !== undefined) entry.path = `./${path}`;
      left.delete(normalizeEntryPath(entry.path));
    },
  };
  for (const [path, text] of plan.made) yield packMadeFile(path, Buffer.from(text));
  try {
    // A name that begins with @ would be taken for another archive.
    const names = ['.', ...paths.map((path) => elsewhere.get(path) ?? `./${path}`)];
    for await (const chunk of create(options, names)) yield chunk;
  } catch (cause) {
    throw folderChangedError(folder, describeError(cause), cause);
  }
  const [first] = left;
  if (first !== undefined) throw folderChangedError(folder, `${first} is no longer a file, folder or link`);
}

/** A file with several names is packed once for each, as it is read back: in a sandbox they may part. */
class NoHardLinks extends Map<`${number}:${number}`, string> {
  override get(): undefined {
    return undefined;
  }
}

/** A file that is nowhere else, as a tar archive that goes on. */
function packMadeFile(path: string, content: Buffer): Buffer {
  const about = { path: `./${path}`, type: 'File', mode: 0o644, size: content.length } as const;
  const header = new Header(about);
  const more = header.encode() ? [new Pax(about).encode()] : [];
  const padding = Buffer.alloc((blockSize - (content.length % blockSize)) % blockSize);
  return Buffer.concat([...more, header.block ?? Buffer.alloc(0), content, padding]);
}

function isPackable(stats: Stats): boolean {
  return stats.isFile() || stats.isDirectory() || stats.isSymbolicLink();
}

function normalizeEntryPath(path: string): string {
  return path.replace(/^\.\/(?=.)/, '').replace(/(?<=.)\/$/, '');
}

function folderChangedError(folder: string, why: string, cause?: unknown): PwpError {
  return new PwpError('bad-seed', `${folder} can't be copied: ${why}`, { cause });
}

/**
 * The same in memory, for an archive that is used more than once.
 * @param mostBytes of its files
 * Errors: `seed-too-large`.
 */
export async function packFolderInMemory(plan: FolderPlan, mostBytes: number): Promise<Uint8Array> {
  if (plan.bytes > mostBytes)
    throw new PwpError('seed-too-large', `${plan.folder} has ${plan.bytes} bytes, more than ${mostBytes}`);
  const chunks: Uint8Array[] = [];
  for await (const chunk of packFolder(plan)) chunks.push(chunk);
  return Buffer.concat(chunks);
}
