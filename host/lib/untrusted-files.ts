import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, open, readdir, readlink, realpath } from 'node:fs/promises';
import { isAbsolute, join, resolve, sep } from 'node:path';
import { PwpError } from '../../bridge/lib/index.ts';

/** Most bytes of a folder's files in memory at once: of one file, and of all of them together. */
export const maxUntrustedBytes = 1024 * 1024 * 1024;
const chunkBytes = 1024 * 1024;

/** The folder in which links of a snapshot in Hugging Face's cache end, beside its `snapshots`. */
const snapshotPath = /^(.*\/(?:datasets|models|spaces)--[^/]+)\/snapshots\/[^/]+(?:\/.*)?$/;

/**
 * The real path of something in a folder that another person made. The folder itself may be a link: the user named it.
 * Errors: `unsafe-path` where a link leads out of the folder; those of the file system, such as `ENOENT`.
 * @param path below the folder, or an absolute one
 */
export async function resolveUntrusted(folder: string, path: string): Promise<string> {
  const root = await realpath(folder);
  const named = isAbsolute(path) ? path : join(folder, path);
  const real = await realpath(named);
  const [, cache] = snapshotPath.exec(root) ?? [];
  const isInside = [root, ...(cache === undefined ? [] : [`${cache}/blobs`])].some(
    (one) => real === one || real.startsWith(one.endsWith(sep) ? one : one + sep),
  );
  if (isInside) return real;
  throw new PwpError('unsafe-path', `${named} leads out of ${resolve(folder)}, and is not followed`, {
    help: 'Put a copy of what the link points to in its place.',
  });
}

/** A file that is open, and what it is. */
interface UntrustedFile extends AsyncDisposable {
  readonly file: FileHandle;
  readonly path: string;
  readonly info: Stats;
}

/**
 * Opens a regular file in a folder that another person made, for reading. Never waits for a pipe, a socket or a device.
 * Errors: `unsafe-path`; those of the file system.
 * @param path below the folder, or an absolute one
 */
export async function openUntrusted(folder: string, path: string): Promise<UntrustedFile> {
  const real = await resolveUntrusted(folder, path);
  // Opening a device may do something, so it is looked at before; a pipe that took its place since does not block.
  requireFile(await lstat(real), real);
  const file = await open(real, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  try {
    const info = await file.stat();
    requireFile(info, real);
    return { file, path: real, info, [Symbol.asyncDispose]: () => file.close() };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Errors: `unsafe-path`. */
function requireFile(info: Stats, path: string): void {
  if (info.isFile()) return;
  const what = info.isDirectory() ? 'a folder' : 'a pipe, a socket or a device';
  throw new PwpError('unsafe-path', `${path} is ${what}, and no file`);
}

/**
 * The content of a regular file in a folder that another person made. Errors: those of {@link openUntrusted};
 * `too-large`.
 * @param path below the folder, or an absolute one
 */
export async function readUntrusted(folder: string, path: string, most = maxUntrustedBytes): Promise<Buffer> {
  await using opened = await openUntrusted(folder, path);
  if (opened.info.size > most) throw tooLarge(opened.path, most);
  const chunks: Buffer[] = [];
  let bytes = 0;
  // Its size is not used: some files of the kernel have none and never end.
  for await (const chunk of readChunks(opened.file, opened.info.size)) {
    bytes += chunk.length;
    if (bytes > most) throw tooLarge(opened.path, most);
    chunks.push(chunk);
  }
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, bytes);
}

/** As {@link readUntrusted}, as text in UTF-8. */
export async function readUntrustedText(folder: string, path: string, most?: number): Promise<string> {
  return (await readUntrusted(folder, path, most)).toString('utf8');
}

/** The content piece by piece, for what is too large for memory. Errors: those of {@link openUntrusted}. */
export async function* streamUntrusted(folder: string, path: string): AsyncGenerator<Buffer, void, void> {
  await using opened = await openUntrusted(folder, path);
  yield* readChunks(opened.file, Infinity);
}

/** @param expected bytes: small files need no large buffer */
async function* readChunks(file: FileHandle, expected: number): AsyncGenerator<Buffer, void, void> {
  const size = Math.min(chunkBytes, expected + 1);
  for (let at = 0; ;) {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.allocUnsafe(size), position: at });
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
    at += bytesRead;
  }
}

/** Whether there is a regular file that may be read. */
export async function hasUntrustedFile(folder: string, path: string): Promise<boolean> {
  try {
    return (await lstat(await resolveUntrusted(folder, path))).isFile();
  } catch {
    return false;
  }
}

function tooLarge(path: string, most: number): PwpError {
  return new PwpError('too-large', `${path} has more than ${most} bytes`);
}

/** Something in a folder that another person made. */
export interface UntrustedEntry {
  /** Below the folder that was listed, with `/` between its parts. */
  readonly path: string;
  /** Its path on this machine. */
  readonly at: string;
  /** `special`: a pipe, a socket or a device. */
  readonly kind: 'file' | 'folder' | 'link' | 'special';
}

/** Names in all folders together; folders in folders. */
const maxEntries = 500_000;
const maxDepth = 200;

interface ListUntrustedOptions {
  /** Folders in folders that are listed; deeper ones are named alone. Default: all. */
  readonly deepest?: number;
}

/**
 * Everything in a folder of a folder that another person made, sorted, each folder before what is in it. No link is
 * followed. Errors: `unsafe-path` where a link leads out; `too-large` for more than half a million entries; those of
 * the file system.
 * @param path below the folder, or an absolute one
 */
export async function listUntrusted(
  folder: string,
  path: string,
  { deepest = Infinity }: ListUntrustedOptions = {},
): Promise<UntrustedEntry[]> {
  const top = await resolveUntrusted(folder, path);
  const found: UntrustedEntry[] = [];
  const open: { readonly at: string; readonly path: string }[] = [{ at: top, path: '' }];
  for (let next = open.pop(); next; next = open.pop()) {
    const children = await readdir(next.at, { withFileTypes: true });
    const folders: typeof open = [];
    for (const child of children.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const listed = { at: join(next.at, child.name), path: next.path + child.name };
      found.push({ ...listed, kind: classifyEntry(child) });
      if (child.isDirectory()) folders.push({ at: listed.at, path: `${listed.path}/` });
    }
    const depth = next.path.split('/').length;
    if (found.length > maxEntries || depth > maxDepth)
      throw new PwpError('too-large', `${top} has more than ${maxEntries} entries, or is too deep`);
    if (depth < deepest) open.push(...folders.reverse());
  }
  return found;
}

/** The target of a link that was listed, as it is written there. */
export function readLinkTarget({ at }: UntrustedEntry): Promise<string> {
  return readlink(at);
}

interface EntryKinds {
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}

function classifyEntry(entry: EntryKinds): UntrustedEntry['kind'] {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'folder';
  return entry.isSymbolicLink() ? 'link' : 'special';
}
