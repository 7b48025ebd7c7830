import { once } from 'node:events';
import { chmod, chown, lchown, lstat, rm, symlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { extract, type ReadEntry, type Unpack } from 'tar';
import { describeError, PwpError, raceSignal } from '../../../bridge/lib/index.ts';
import { readFreeBytes } from '../../lib/index.ts';
import type { CopySpec, Seed, StreamedSeed } from '../sandbox-spec.ts';
import { runHostCommand } from './command.ts';
import { makeFolderInside, openInside, type Owner, splitInsidePath } from './files-inside.ts';
import type { SandboxPaths } from './sandbox-record.ts';

interface SeedLink {
  readonly path: string;
  readonly target: string;
}

/** A disk with less left is full. */
const leastFreeBytes = 1024 * 1024;

const plainTypes = new Set(['File', 'OldFile', 'ContiguousFile', 'Directory', 'Link']);

/**
 * Unpacks an archive into the root of a sandbox in which nothing runs. All that it has belongs to `owner` afterwards. Errors: `bad-seed` for a path that is absolute or has `..`, a device or a pipe, a damaged archive;
 * `unsafe-path` where a link in the root is on the way; `seed-too-large` where the sandbox's disk has no room for it.
 */
export async function unpackSeed(
  root: string,
  seed: Seed | StreamedSeed,
  owner: Owner,
  signal: AbortSignal,
): Promise<void> {
  const folder = await makeFolderInside(root, seed.path, owner);
  const links: SeedLink[] = [];
  try {
    await extractSeed(folder, seed.tar, { links, owner }, signal);
  } catch (cause) {
    signal.throwIfAborted();
    if (cause instanceof PwpError) throw cause;
    if ((cause as NodeJS.ErrnoException).code === 'ENOSPC') throw makeSeedTooLargeError(seed.path, cause);
    throw new PwpError(
      'bad-seed',
      `the archive for ${seed.path} can't be unpacked: ${describeError(cause)}`,
      {
        cause,
      },
    );
  }
  // The package takes a write that was cut short by a full disk for a whole one, so that files would end early.
  if ((await readFreeBytes(folder)) < leastFreeBytes) throw makeSeedTooLargeError(seed.path);
  // Links come last: while files are written, no link exists to write through.
  for (const link of links) await makeLink(root, seed.path, link, owner);
}

function makeSeedTooLargeError(path: string, cause?: unknown): PwpError {
  return new PwpError('seed-too-large', `the archive for ${path} does not fit on the sandbox's disk`, {
    cause,
  });
}

async function extractSeed(
  cwd: string,
  tar: Uint8Array | AsyncIterable<Uint8Array>,
  { links, owner: { uid, gid } }: { readonly links: SeedLink[]; readonly owner: Owner },
  signal: AbortSignal,
): Promise<void> {
  // Strict: what would be a warning, such as a path cut to stay inside, is an error.
  const stream = extract({
    cwd,
    strict: true,
    uid,
    gid,
    filter: (_, entry) => isWanted(entry, links),
  });
  // Listens to the end: a damaged archive has many errors, and one without a listener would end this process.
  const closed = new Promise<void>((resolve, reject) => stream.on('close', resolve).on('error', reject));
  closed.catch(() => undefined);
  if (tar instanceof Uint8Array) stream.end(Buffer.from(tar.buffer, tar.byteOffset, tar.byteLength));
  else await feedStream(stream, tar, closed, signal);
  await raceSignal(closed, signal);
}

/** At the pace of the disk: what is not written yet is not read yet. */
async function feedStream(
  stream: Unpack,
  tar: AsyncIterable<Uint8Array>,
  closed: Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  try {
    for await (const chunk of tar) {
      if (!stream.write(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)))
        await raceSignal(Promise.race([once(stream, 'drain'), closed]), signal);
      signal.throwIfAborted();
    }
  } finally {
    // Also after a failure: a file that is half written must be closed before its disk is unmounted.
    stream.end();
  }
}

function isWanted(entry: unknown, links: SeedLink[]): boolean {
  const { type, path, linkpath } = entry as ReadEntry;
  if (plainTypes.has(type)) return true;
  if (type !== 'SymbolicLink') throw new PwpError('bad-seed', `${path} is a ${type}`);
  const names = path.split('/').filter((name) => name !== '' && name !== '.');
  if (path.startsWith('/') || names.includes('..')) throw new PwpError('bad-seed', `${path} leads outside`);
  // Where it points does not matter: it is only ever followed inside the sandbox.
  links.push({ path: names.join('/'), target: linkpath ?? '' });
  return false;
}

async function makeLink(root: string, folder: string, link: SeedLink, owner: Owner): Promise<void> {
  const path = join(folder, link.path);
  const at = join(await makeFolderInside(root, dirname(path), owner), basename(path));
  const there = await lstat(at).catch(() => undefined);
  if (there?.isDirectory()) throw new PwpError('bad-seed', `${path} is both a folder and a link`);
  await rm(at, { force: true });
  await symlink(link.target, at);
  await lchown(at, owner.uid, owner.gid);
}

/** Programs that walk a tree by recursion, as Python's do, get no further than some hundreds. */
const deepestCopied = 100;

/**
 * Copies folders from the root of a frozen sandbox to the same places in the root of one that does not run yet. The
 * image's files there are removed first, so a file that is gone in the source is gone in the copy. Links are copied,
 * never followed; devices, pipes and sockets are left out. A folder that isn't in the source isn't in the copy either.
 * Errors: `unsafe-path`, `too-deep`, unless the spec names a file that lists what is left out.
 */
export async function copyFolders(
  source: string,
  target: string,
  { paths, only, leftOut }: Omit<CopySpec, 'from'>,
  signal: AbortSignal,
): Promise<void> {
  const problems: string[] = [];
  for (const path of paths) {
    try {
      await (only ? copyParts(source, target, path, only, signal) : copyFolder(source, target, path, signal));
    } catch (error) {
      if (leftOut === undefined || !isContentError(error)) throw error;
      problems.push(describeError(error));
    }
  }
  if (leftOut === undefined) return;
  const folder = await makeFolderInside(target, dirname(leftOut));
  await writeFile(join(folder, basename(leftOut)), problems.map((problem) => `${problem}\n`).join(''), {
    flag: 'wx',
  });
}

/** What is mounted over them does not belong to the root. */
const mountedFolders = ['.pwp', 'proc', 'sys', 'dev', 'desk', 'desk-profile'];

/**
 * Copies all that a frozen sandbox has changed in its root into the upper folder of one that is being made: what it removed
 * is not there either. Errors: `too-deep`.
 */
export async function copyUpper(
  { upper: source }: Pick<SandboxPaths, 'upper'>,
  { upper: target }: Pick<SandboxPaths, 'upper'>,
  signal: AbortSignal,
): Promise<void> {
  const isLong = await copyTree(source, target, false, signal);
  for (const name of mountedFolders) await rm(join(target, name), { recursive: true, force: true });
  if (isLong) throw new PwpError('too-deep', 'the root has paths longer than the system takes');
}

/** Errors that programs in the source can cause, unlike a full disk. */
function isContentError(error: unknown): boolean {
  return error instanceof PwpError && ['unsafe-path', 'too-deep'].includes(error.code);
}

/** The folder itself, empty except for some folders in it. Each folder on the way has owner and mode of the source's. */
async function copyParts(
  source: string,
  target: string,
  path: string,
  only: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  await rm(join(await makeFolderInside(target, dirname(path)), basename(path)), {
    recursive: true,
    force: true,
  });
  const wanted: string[] = [];
  for (const part of only) {
    await using opened = await openInside(source, `${path}/${part}`);
    if (opened) wanted.push(part);
  }
  for (const folder of new Set([path, ...wanted.flatMap((part) => listFoldersTo(path, part))]))
    await makeFolderAlike(source, target, folder);
  for (const part of wanted) await copyFolder(source, target, `${path}/${part}`, signal);
}

/** The folders below a path that another one is in. */
function listFoldersTo(path: string, part: string): string[] {
  const names = splitInsidePath(`/${part}`).slice(0, -1);
  return names.map((_, index) => [path, ...names.slice(0, index + 1)].join('/'));
}

async function makeFolderAlike(source: string, target: string, path: string): Promise<void> {
  await using opened = await openInside(source, path);
  if (!opened) return;
  const made = await makeFolderInside(target, path);
  const { uid, gid, mode } = await opened.stat();
  await chown(made, uid, gid);
  await chmod(made, mode & 0o777);
}

async function copyFolder(source: string, target: string, path: string, signal: AbortSignal): Promise<void> {
  const names = splitInsidePath(path);
  if (names.length === 0)
    throw new PwpError('unsafe-path', "the whole root can't be copied, only folders in it");
  const parent = await makeFolderInside(target, dirname(`/${names.join('/')}`));
  const to = join(parent, basename(path));
  await rm(to, { recursive: true, force: true });
  // Looked up name by name for the links on the way. Nothing can change afterwards: all processes are frozen.
  await using opened = await openInside(source, path);
  if (!opened) return;
  const info = await opened.stat();
  if (!info.isDirectory() && !info.isFile())
    throw new PwpError('unsafe-path', `${path} is neither a folder nor a file`);
  const from = join(source, ...names);
  const isDeep = await hasDeeper(from, signal);
  const isLong = await copyTree(from, to, isDeep, signal);
  await runHostCommand(
    'find',
    [to, '!', '(', '-type', 'f', '-o', '-type', 'd', '-o', '-type', 'l', ')', '-delete'],
    {
      signal,
    },
  );
  const what = isDeep
    ? `folders nested more than ${deepestCopied} deep`
    : 'paths longer than the system takes';
  if (isDeep || isLong) throw new PwpError('too-deep', `${path} has ${what}: what is below is missing`);
}

/** Whether anything lies deeper than what is copied. */
async function hasDeeper(folder: string, signal: AbortSignal): Promise<boolean> {
  const below = String(deepestCopied + 1);
  const found = await runHostCommand(
    'find',
    [folder, '-mindepth', below, '-maxdepth', below, '-printf', 'x', '-quit'],
    {
      signal,
    },
  );
  return found !== '';
}

/** Whether there are paths that no program can copy. All others are copied then. */
async function copyTree(from: string, to: string, isDeep: boolean, signal: AbortSignal): Promise<boolean> {
  let isLong = false;
  try {
    await runHostCommand('cp', ['-a', '--reflink=auto', '--no-target-directory', '--', from, to], { signal });
  } catch (error) {
    isLong = describeError(error).includes('File name too long');
    if (!isLong) throw error;
  }
  if (isDeep)
    await runHostCommand('find', [to, '-mindepth', String(deepestCopied + 1), '-delete'], { signal });
  return isLong;
}
