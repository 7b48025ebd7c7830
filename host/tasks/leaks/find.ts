import type { Entry } from '../archive.ts';
import type { LargeFile } from '../large-file.ts';
import { contentsOf, type Readable } from './contents.ts';
import { largeParts } from './large-parts.ts';

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
export interface Secret {
  /** In the task's folder. */
  readonly path: string;
  readonly content: Uint8Array;
}

/** The files that the agent gets. */
export interface Inside {
  readonly places: readonly { readonly path: string; readonly entries: readonly Entry[] }[];
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
export async function findLeaks(
  inside: Inside,
  secrets: readonly Secret[],
  known: readonly Uint8Array[] = [],
): Promise<Leak[]> {
  const open = known.map(squeezed);
  const sought = secrets.map(({ path, content }) => ({
    path,
    pieces: piecesOf(squeezed(content)).filter((piece) => !open.some((text) => text.includes(piece))),
    leaks: [] as Leak[],
  }));
  for await (const { path, bytes } of readableIn(inside)) {
    const text = squeezed(bytes);
    for (const { path: secret, pieces, leaks } of sought) {
      const share = shareOf(pieces, text);
      if (share > maxShare && leaks.length < mostPlaces) leaks.push({ secret, inside: path, share });
    }
  }
  return sought.flatMap(({ leaks }) => leaks);
}

/** Large files come in parts that overlap. */
async function* readableIn({ places, large }: Inside): AsyncGenerator<Readable, void, void> {
  const size = { bytes: partBytes, overlap: overlapBytes };
  for (const { path, entries } of places)
    for (const entry of entries)
      for (const { path: at, bytes } of contentsOf(path, entry))
        for (const part of partsOf(bytes)) yield { path: at, bytes: part };
  for (const file of large) yield* largeParts(file, size);
}

function shareOf(pieces: readonly string[], text: string): number {
  if (pieces.length === 0) return 0;
  return pieces.filter((piece) => text.includes(piece)).length / pieces.length;
}

/** The whole of a short text; pieces from all over a long one. */
function piecesOf(text: string): string[] {
  if (text.length < minLength) return [];
  if (text.length <= pieceLength) return [text];
  const starts = text.length - pieceLength + 1;
  const step = Math.max(16, Math.ceil(starts / maxPieces));
  const count = Math.ceil(starts / step);
  return Array.from({ length: count }, (_, index) => text.slice(index * step, index * step + pieceLength));
}

function partsOf(bytes: Uint8Array): Uint8Array[] {
  const count = Math.max(1, Math.ceil(bytes.byteLength / partBytes));
  return Array.from({ length: count }, (_, index) =>
    bytes.subarray(index * partBytes, (index + 1) * partBytes + overlapBytes),
  );
}

/** Without white space, so that another indentation hides nothing. Latin 1 keeps every byte apart. */
function squeezed(bytes: Uint8Array): string {
  const kept = Buffer.allocUnsafe(bytes.byteLength);
  let length = 0;
  for (const byte of bytes) if (!space.has(byte)) kept[length++] = byte;
  return kept.toString('latin1', 0, length);
}

/** White space of Latin 1. Looked up by byte: an expression needs a stack as deep as the longest run of it. */
const space = new Set([...'\t\n\v\f\r \u00a0'].map((sign) => sign.charCodeAt(0)));
