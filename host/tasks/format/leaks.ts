import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, inflateSync } from 'node:zlib';
import { defaultWorkspace } from '../../../bridge/protocol/index.ts';
import type { ArchiveEntry, LargeFile } from './archive.ts';
import type { TaskConfig } from './task-config.ts';
import { badTask, type TaskFiles } from './task-files.ts';
import { listInitialPlaces } from './task-seeds.ts';

const secretFolders = ['tests', 'solution', 'false-solutions'] as const;

/** The parts of a task's tests and solutions that the agent could read against the task's intent. Errors: `bad-task`. */
export async function findTaskLeaks(folder: TaskFiles, config: TaskConfig): Promise<Leak[]> {
  const secrets = await readSecrets(folder);
  const { known_inside: named } = config.pwp;
  const missing = named.find((name) => !secrets.some(({ path }) => isBelow(path, name)));
  if (missing !== undefined)
    throw badTask(
      join(folder.path, 'task.toml'),
      `pwp.known_inside: expected files or folders of the task, found "${missing}"`,
    );
  const isKnown = ({ path }: SecretFile) => named.some((name) => isBelow(path, name));
  const known = secrets.filter(isKnown).map(({ content }) => content);
  const unknown = secrets.filter((secret) => !isKnown(secret));
  const inside = { places: await listInitialPlaces(folder, config), large: folder.large };
  return findLeaks(inside, unknown, known);
}

function isBelow(path: string, name: string): boolean {
  return path === name || path.startsWith(`${name}/`);
}

async function readSecrets(folder: TaskFiles): Promise<SecretFile[]> {
  const trees = await Promise.all(secretFolders.map((name) => folder.tree(name)));
  return trees.flatMap((entries, index) =>
    entries.flatMap((entry) =>
      entry.kind === 'file'
        ? [{ path: `${secretFolders[index] ?? ''}/${entry.path}`, content: entry.content }]
        : [],
    ),
  );
}

/** Something that the agent must not see, and where it can. */
export interface Leak {
  /** File of the task's folder, e.g. `solution/solve.sh`. */
  readonly secret: string;
  /** Absolute path inside the sandbox, with the object where it is in a repository or an archive. */
  readonly inside: string;
  /** How much of the secret was found there, 0 to 1. */
  readonly share: number;
}

/** A file of tests or solutions. */
interface SecretFile {
  /** In the task's folder. */
  readonly path: string;
  readonly content: Uint8Array;
}

/** The files that the agent gets. */
interface VisibleFiles {
  readonly places: readonly { readonly path: string; readonly entries: readonly ArchiveEntry[] }[];
  /** Large files of the workspace. Compressed contents are not looked at. */
  readonly large: readonly LargeFile[];
}

/** A shorter text could occur anywhere and proves nothing. */
const minLength = 12;
/** Length of the pieces that a longer text is looked for by: a line or two. */
const pieceLength = 64;
const maxPieces = 300;
/** A text takes several times its part's bytes for a moment. */
const partBytes = 8 * 1024 * 1024;
/** More than a piece with the space in it. */
const overlapBytes = 4096;
/** Places of one secret that are reported. */
const mostPlaces = 5;
/** Code that looks at a file, or makes one, has lines in common with it. */
const maxShare = 0.3;

/**
 * Looks for the content of tests and solutions in what the agent gets: under any name, in part, and in the objects of
 * Git repositories, history included. White space doesn't count, nor what a secret shares with what is meant to be
 * inside: of a mended file only the mending is secret.
 * @param known contents that the agent is meant to have
 */
async function findLeaks(
  inside: VisibleFiles,
  secrets: readonly SecretFile[],
  known: readonly Uint8Array[] = [],
): Promise<Leak[]> {
  const open = known.map(withoutSpace);
  const sought = secrets.map(({ path, content }) => ({
    path,
    pieces: cutPieces(withoutSpace(content)).filter((piece) => !open.some((text) => text.includes(piece))),
    leaks: [] as Leak[],
  }));
  for await (const { path, bytes } of readVisible(inside)) {
    const text = withoutSpace(bytes);
    for (const { path: secret, pieces, leaks } of sought) {
      const share = measureShare(pieces, text);
      if (share > maxShare && leaks.length < mostPlaces) leaks.push({ secret, inside: path, share });
    }
  }
  return sought.flatMap(({ leaks }) => leaks);
}

/** Large files come in parts that overlap. */
async function* readVisible({ places, large }: VisibleFiles): AsyncGenerator<ReadableContent, void, void> {
  const size = { bytes: partBytes, overlap: overlapBytes };
  for (const { path, entries } of places)
    for (const entry of entries)
      for (const { path: at, bytes } of unpackContents(path, entry))
        for (const part of cutParts(bytes)) yield { path: at, bytes: part };
  for (const file of large) yield* readLargeParts(file, size);
}

function measureShare(pieces: readonly string[], text: string): number {
  if (pieces.length === 0) return 0;
  return pieces.filter((piece) => text.includes(piece)).length / pieces.length;
}

/** The whole of a short text; pieces from all over a long one. */
function cutPieces(text: string): string[] {
  if (text.length < minLength) return [];
  if (text.length <= pieceLength) return [text];
  const starts = text.length - pieceLength + 1;
  const step = Math.max(16, Math.ceil(starts / maxPieces));
  const count = Math.ceil(starts / step);
  return Array.from({ length: count }, (_, index) => text.slice(index * step, index * step + pieceLength));
}

function cutParts(bytes: Uint8Array): Uint8Array[] {
  const count = Math.max(1, Math.ceil(bytes.byteLength / partBytes));
  return Array.from({ length: count }, (_, index) =>
    bytes.subarray(index * partBytes, (index + 1) * partBytes + overlapBytes),
  );
}

/** Without white space, so that another indentation hides nothing. Latin 1 keeps every byte apart. */
function withoutSpace(bytes: Uint8Array): string {
  const kept = Buffer.allocUnsafe(bytes.byteLength);
  let length = 0;
  for (const byte of bytes) if (!spaceBytes.has(byte)) kept[length++] = byte;
  return kept.toString('latin1', 0, length);
}

/** White space of Latin 1. Looked up by byte: an expression needs a stack as deep as the longest run of it. */
const spaceBytes = new Set([...'\t\n\v\f\r \u00a0'].map((sign) => sign.charCodeAt(0)));

/** Bytes that can be read inside, and how. */
interface ReadableContent {
  readonly path: string;
  readonly bytes: Uint8Array;
}

const maxOutputLength = 64 * 1024 * 1024;

/** All that can be read of an entry: the file itself, and what it holds compressed. */
function unpackContents(folder: string, entry: ArchiveEntry): ReadableContent[] {
  const path = `${folder}/${entry.path}`;
  if (entry.kind === 'link') return [{ path, bytes: Buffer.from(entry.target) }];
  if (entry.kind === 'folder') return [];
  const plain = { path, bytes: entry.content };
  return [
    plain,
    ...unpackBytes(plain).map((bytes, index) => ({ path: `${path} (object ${index + 1})`, bytes })),
  ];
}

function unpackBytes({ path, bytes }: ReadableContent): Uint8Array[] {
  if (path.endsWith('.pack')) return readPackedObjects(bytes);
  if (/\/objects\/[0-9a-f]{2}\/[0-9a-f]{38}$/.test(path))
    return tryUnpack(() => inflateSync(bytes, { maxOutputLength }));
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return tryUnpack(() => gunzipSync(bytes, { maxOutputLength }));
  return [];
}

function tryUnpack(unpack: () => Uint8Array): Uint8Array[] {
  try {
    return [unpack()];
  } catch {
    return [];
  }
}

/**
 * The compressed content of a pack of Git's: objects, and the new parts of those stored as differences to others. The
 * streams are found by their first byte, which shows what zlib made them.
 */
function readPackedObjects(pack: Uint8Array): Uint8Array[] {
  const found: Uint8Array[] = [];
  let at = 12;
  while (at < pack.length - 20) {
    const stream = pack[at] === 0x78 ? readStreamAt(pack, at) : undefined;
    if (stream) found.push(stream.bytes);
    at += stream?.length ?? 1;
  }
  return found;
}

function readStreamAt(pack: Uint8Array, at: number): { bytes: Uint8Array; length: number } | undefined {
  try {
    const { buffer, engine } = inflateSync(pack.subarray(at), { info: true, maxOutputLength }) as unknown as {
      buffer: Uint8Array;
      engine: { bytesWritten: number };
    };
    return { bytes: buffer, length: engine.bytesWritten };
  } catch {
    return undefined;
  }
}

/** A file in parts, each with the beginning of the next one. */
async function* readLargeParts(
  { path, from, bytes }: LargeFile,
  size: { readonly bytes: number; readonly overlap: number },
): AsyncGenerator<ReadableContent, void, void> {
  await using file = await open(from);
  for (let position = 0; position < bytes; position += size.bytes) {
    const part = Buffer.alloc(Math.min(size.bytes + size.overlap, bytes - position));
    const { bytesRead } = await file.read({ buffer: part, position });
    yield { path: `${defaultWorkspace}/${path}`, bytes: part.subarray(0, bytesRead) };
  }
}
