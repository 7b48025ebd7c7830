import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { Header, Pax } from 'tar';
import { PwpError } from '../../../bridge/lib/index.ts';

/** One thing in an archive; `path` is relative, with `/` between its parts. */
export type ArchiveEntry =
  | {
      readonly kind: 'file';
      readonly path: string;
      readonly content: Uint8Array;
      readonly executable: boolean;
    }
  | { readonly kind: 'folder'; readonly path: string }
  | { readonly kind: 'link'; readonly path: string; readonly target: string };

/** All entries carry this time: 2026-01-01 in UTC. */
const fixedTime = new Date(1_767_225_600_000);
const blockSize = 512;

/**
 * An uncompressed tar that depends on nothing but the entries: sorted, owned by root, fixed times and permissions.
 * Of two entries with one path the later wins. Folders above an entry need not be listed.
 */
export function packArchive(entries: readonly ArchiveEntry[]): Uint8Array {
  const byPath = new Map(entries.map((entry) => [entry.path, entry]));
  const sorted = [...byPath.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
  // A tar ends with two empty blocks.
  return Buffer.concat([...sorted.flatMap(encodeEntry), Buffer.alloc(2 * blockSize)]);
}

/** The folders that paths are in. */
export function listParentFolders(entries: readonly { readonly path: string }[]): ArchiveEntry[] {
  const paths = new Set(
    entries.flatMap(({ path }) =>
      path.split('/').flatMap((_, index, names) => (index === 0 ? [] : [names.slice(0, index).join('/')])),
    ),
  );
  return [...paths].map((path) => ({ kind: 'folder', path }));
}

/** The same entries below a folder. */
export function moveEntriesBelow(folder: string, entries: readonly ArchiveEntry[]): ArchiveEntry[] {
  return entries.map((entry) => ({ ...entry, path: `${folder}/${entry.path}` }));
}

/** A file that is read while it is packed. */
interface StreamedFile {
  readonly path: string;
  /** What `content` gives, neither more nor less. */
  readonly bytes: number;
  /** Called each time the archive is read. */
  readonly content: () => AsyncIterable<Uint8Array>;
}

/** The same archive of files that are not in memory: it can be read any number of times. */
export function streamArchive(files: readonly StreamedFile[]): {
  readonly bytes: number;
  readonly tar: AsyncIterable<Uint8Array>;
} {
  const parts = [...files]
    .sort((a, b) => (a.path < b.path ? -1 : 1))
    .map((file) => ({
      ...file,
      head: Buffer.concat(encodeHeaders(describeFile(file.path, file.bytes, false))),
    }));
  const sizes = parts.map(({ head, bytes }) => head.length + bytes + padToBlock(bytes).length);
  return {
    bytes: sizes.reduce((sum, size) => sum + size, 2 * blockSize),
    tar: { [Symbol.asyncIterator]: () => streamParts(parts) },
  };
}

async function* streamParts(
  parts: readonly (StreamedFile & { readonly head: Uint8Array })[],
): AsyncGenerator<Uint8Array, void, void> {
  for (const { head, content, bytes } of parts) {
    yield head;
    yield* content();
    yield padToBlock(bytes);
  }
  yield Buffer.alloc(2 * blockSize);
}

function encodeEntry(entry: ArchiveEntry): Uint8Array[] {
  const head = encodeHeaders(describeHeader(entry));
  return entry.kind === 'file' ? [...head, entry.content, padToBlock(entry.content.byteLength)] : head;
}

function encodeHeaders(data: ReturnType<typeof describeHeader>): Uint8Array[] {
  const header = new Header(data);
  const more = header.encode() ? [new Pax(data).encode()] : [];
  if (!header.block) throw new PwpError('internal', `no tar header for ${data.path}`);
  return [...more, header.block];
}

/** Up to the next whole block. */
function padToBlock(bytes: number): Uint8Array {
  const rest = bytes % blockSize;
  return Buffer.alloc(rest === 0 ? 0 : blockSize - rest);
}

const rootOwner = { uid: 0, gid: 0, uname: '', gname: '', mtime: fixedTime };

function describeFile(path: string, size: number, executable: boolean) {
  return { ...rootOwner, path, type: 'File', mode: executable ? 0o755 : 0o644, size } as const;
}

function describeHeader(entry: ArchiveEntry) {
  switch (entry.kind) {
    case 'file':
      return describeFile(entry.path, entry.content.byteLength, entry.executable);
    case 'folder':
      return { ...rootOwner, path: `${entry.path}/`, type: 'Directory', mode: 0o755, size: 0 } as const;
    case 'link':
      return {
        ...rootOwner,
        path: entry.path,
        type: 'SymbolicLink',
        mode: 0o777,
        size: 0,
        linkpath: entry.target,
      } as const;
  }
}

/** A file made from text. */
export function makeTextEntry(path: string, text: string): ArchiveEntry {
  return { kind: 'file', path, content: Buffer.from(text), executable: false };
}

/** An archive that is read again each time it is used, and the absolute folder inside that it is unpacked into. */
export interface StreamedTaskSeed {
  readonly path: string;
  readonly tar: AsyncIterable<Uint8Array>;
  /** Size of the archive. */
  readonly bytes: number;
  /** Two archives with the same one are the same. */
  readonly digest: string;
}

/** The files as one archive. */
export function makeStreamedSeed(path: string, files: readonly LargeFile[]): StreamedTaskSeed {
  const contents = files.map((file) => ({
    path: file.path,
    bytes: file.bytes,
    content: () => readLargeFile(file),
  }));
  const words = files.map((file) => [file.path, file.bytes, file.sha256]);
  const digest = createHash('sha256').update(JSON.stringify(words)).digest('hex');
  return { path, digest, ...streamArchive(contents) };
}

/** A file of this machine that sandboxes get while it is read: it is never in memory as a whole. */
export interface LargeFile {
  /** Below the workspace. */
  readonly path: string;
  /** Where it is on this machine: an absolute path. */
  readonly from: string;
  readonly bytes: number;
  /** Hash of its content, as hexadecimal digits. */
  readonly sha256: string;
}

const chunkBytes = 1024 * 1024;

const hashesByFile = new Map<string, Promise<string>>();

/**
 * Reads the file once in a process, however many tasks have it. Errors: those of the file system.
 * @param path below the workspace
 * @param from where it is on this machine
 */
export async function openLargeFile(path: string, from: string): Promise<LargeFile> {
  const { size: bytes, mtimeMs } = await stat(from);
  return { path, from, bytes, sha256: await hashOnce(from, `${from} ${bytes} ${mtimeMs}`) };
}

function hashOnce(from: string, key: string): Promise<string> {
  const known = hashesByFile.get(key);
  if (known) return known;
  const made = hashFile(from);
  hashesByFile.set(key, made);
  made.catch(() => hashesByFile.delete(key));
  return made;
}

async function hashFile(from: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(from, { highWaterMark: chunkBytes }))
    hash.update(chunk as Buffer);
  return hash.digest('hex');
}

/** The content, piece by piece. Errors: `bad-data` at its end if it is not what was described. */
export async function* readLargeFile({ from, bytes, sha256 }: LargeFile): AsyncGenerator<Buffer, void, void> {
  const hash = createHash('sha256');
  await using file = await open(from);
  for (let at = 0; at < bytes;) {
    const { buffer, bytesRead } = await file.read({
      buffer: Buffer.allocUnsafe(Math.min(chunkBytes, bytes - at)),
      position: at,
    });
    if (bytesRead === 0) break;
    const chunk = buffer.subarray(0, bytesRead);
    hash.update(chunk);
    yield chunk;
    at += bytesRead;
  }
  if (hash.digest('hex') !== sha256)
    throw new PwpError('bad-data', `${from} has changed since it was read first`, {
      help: 'Run the command again, and leave the file alone meanwhile.',
    });
}
