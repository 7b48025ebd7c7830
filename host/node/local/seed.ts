import { lstat, rm, statfs, symlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { once } from 'node:events';
import { extract, type ReadEntry, type Unpack } from 'tar';
import { PwpError, messageOf, raceSignal } from '../../../bridge/lib/index.ts';
import type { Seed, StreamedSeed } from '../spec.ts';
import { makeFolderInside } from './inside.ts';

interface Link {
  readonly path: string;
  readonly target: string;
}

/** A disk with less left is full. */
const leastFreeBytes = 1024 * 1024;

const plain = new Set(['File', 'OldFile', 'ContiguousFile', 'Directory', 'Link']);

/**
 * Unpacks an archive into the root of a sandbox in which nothing runs. Everything belongs to the sandbox's root
 * afterwards. Errors: `bad-seed` for a path that is absolute or has `..`, a device or a pipe, a damaged archive;
 * `unsafe-path` where a link in the root is on the way; `seed-too-large` where the sandbox's disk has no room for it.
 */
export async function unpackSeed(
  root: string,
  seed: Seed | StreamedSeed,
  signal: AbortSignal,
): Promise<void> {
  const folder = await makeFolderInside(root, seed.path);
  const links: Link[] = [];
  try {
    await unpack(folder, seed.tar, links, signal);
  } catch (cause) {
    signal.throwIfAborted();
    if (cause instanceof PwpError) throw cause;
    if ((cause as NodeJS.ErrnoException).code === 'ENOSPC') throw tooLarge(seed.path, cause);
    throw new PwpError('bad-seed', `the archive for ${seed.path} can't be unpacked: ${messageOf(cause)}`, {
      cause,
    });
  }
  if (await isFull(folder)) throw tooLarge(seed.path);
  // Links come last: while files are written, no link exists to write through.
  for (const link of links) await makeLink(root, seed.path, link);
}

/** The package takes a write that was cut short by a full disk for a whole one, so that files would end early. */
async function isFull(folder: string): Promise<boolean> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize < leastFreeBytes;
}

function tooLarge(path: string, cause?: unknown): PwpError {
  return new PwpError('seed-too-large', `the archive for ${path} does not fit on the sandbox's disk`, {
    cause,
  });
}

async function unpack(
  cwd: string,
  tar: Uint8Array | AsyncIterable<Uint8Array>,
  links: Link[],
  signal: AbortSignal,
): Promise<void> {
  // Strict: what would be a warning, such as a path cut to stay inside, is an error.
  const stream = extract({
    cwd,
    strict: true,
    preserveOwner: false,
    filter: (_, entry) => isWanted(entry, links),
  });
  // Listens to the end: a damaged archive has many errors, and one without a listener would end this process.
  const closed = new Promise<void>((resolve, reject) => stream.on('close', resolve).on('error', reject));
  closed.catch(() => undefined);
  if (tar instanceof Uint8Array) stream.end(Buffer.from(tar.buffer, tar.byteOffset, tar.byteLength));
  else await feed(stream, tar, closed, signal);
  await raceSignal(closed, signal);
}

/** At the pace of the disk: what is not written yet is not read yet. */
async function feed(
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

function isWanted(entry: unknown, links: Link[]): boolean {
  const { type, path, linkpath } = entry as ReadEntry;
  if (plain.has(type)) return true;
  if (type !== 'SymbolicLink') throw new PwpError('bad-seed', `${path} is a ${type}`);
  const names = path.split('/').filter((name) => name !== '' && name !== '.');
  if (path.startsWith('/') || names.includes('..')) throw new PwpError('bad-seed', `${path} leads outside`);
  // Where it points does not matter: it is only ever followed inside the sandbox.
  links.push({ path: names.join('/'), target: linkpath ?? '' });
  return false;
}

async function makeLink(root: string, folder: string, link: Link): Promise<void> {
  const path = join(folder, link.path);
  const at = join(await makeFolderInside(root, dirname(path)), basename(path));
  const there = await lstat(at).catch(() => undefined);
  if (there?.isDirectory()) throw new PwpError('bad-seed', `${path} is both a folder and a link`);
  await rm(at, { force: true });
  await symlink(link.target, at);
}
