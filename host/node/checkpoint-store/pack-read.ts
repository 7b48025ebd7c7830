import { closeSync, fchmodSync, ftruncateSync, mkdirSync, openSync, rmSync } from 'node:fs';
import { decompressFrame, type PackFile } from './pack-format.ts';
import { writeAll } from './pack-write.ts';
import { makeDamagedError } from './store-failures.ts';
import { extractTarArchive, makeSockets } from './tar-archive.ts';

/** Bytes of a frame that go to one place of one file. */
interface Piece {
  readonly stream: number;
  readonly offset: number;
  readonly from: number;
  readonly length: number;
}

/**
 * Makes the raw folder of a pack again.
 * @param packs the pack itself, then those that it needs in their order
 */
export async function unpackCheckpoint(packs: readonly PackFile[], raw: string): Promise<void> {
  const [own] = packs;
  if (!own) throw makeDamagedError('it has no pack');
  mkdirSync(`${raw}/images`, { recursive: true, mode: 0o700 });
  const scratch = `${raw}.tar`;
  const files = own.footer.streams.map(({ image, size, mode }) => {
    const fd = openSync(image === null ? scratch : `${raw}/images/${image}`, 'wx', 0o600);
    ftruncateSync(fd, size);
    if (image !== null) fchmodSync(fd, mode);
    return fd;
  });
  try {
    await scatterBlocks(packs, files);
  } finally {
    files.forEach(closeSync);
  }
  // First, so that their folders get the times that they had.
  await makeSockets(raw, own.footer.sockets);
  extractTarArchive(scratch, raw);
  rmSync(scratch);
}

/** Reads every frame that is needed once, and writes its blocks to all places that they belong to. */
async function scatterBlocks(packs: readonly PackFile[], files: readonly number[]): Promise<void> {
  const ahead: { readonly bytes: Promise<Buffer>; readonly pieces: readonly Piece[] }[] = [];
  const writeNext = async () => {
    const next = ahead.shift();
    if (next) writePieces(await next.bytes, next.pieces, files);
  };
  for (const { pack, index, pieces } of listNeededFrames(packs)) {
    const bytes = decompressFrame(pack.frame(index));
    // A later caller receives the failure of an earlier one first.
    bytes.catch(() => undefined);
    ahead.push({ bytes, pieces });
    if (ahead.length > framesAhead) await writeNext();
  }
  while (ahead.length > 0) await writeNext();
}

/** Frames that are decompressed at the same time. */
const framesAhead = 3;

function* listNeededFrames(packs: readonly PackFile[]) {
  const places = mapBlockPlaces(packs);
  let base = 0;
  for (const pack of packs) {
    let block = base;
    for (const [index, { blocks }] of pack.footer.frames.entries()) {
      const pieces = collectPieces(pack, places, base, block, blocks);
      block += blocks;
      if (pieces.length > 0) yield { pack, index, pieces };
    }
    base += pack.footer.blocks;
  }
}

function writePieces(bytes: Buffer, pieces: readonly Piece[], files: readonly number[]): void {
  for (const { stream, offset, from, length } of joinNeighbours(pieces)) {
    if (from + length > bytes.length) throw makeDamagedError('a frame of its pack is too short');
    writeAll(files[stream] ?? -1, bytes.subarray(from, from + length), offset);
  }
}

/** For every block by its number: where it belongs. */
type Places = readonly { readonly stream: number; readonly offset: number }[][];

function mapBlockPlaces(packs: readonly PackFile[]): Places {
  const [own] = packs;
  if (!own) return [];
  const lengths = packs.flatMap(({ footer }) => [...footer.lengths]);
  const places: { stream: number; offset: number }[][] = [];
  let at = 0;
  own.footer.streams.forEach(({ blocks, size }, stream) => {
    let offset = 0;
    for (let end = at + blocks; at < end; at++) {
      const block = own.footer.blockOf[at] ?? -1;
      (places[block] ??= []).push({ stream, offset });
      offset += lengths[block] ?? 0;
    }
    if (offset !== size) throw makeDamagedError('the lengths of its pack do not agree');
  });
  return places;
}

function collectPieces(pack: PackFile, places: Places, base: number, first: number, count: number): Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (let block = first; block < first + count; block++) {
    const length = pack.footer.lengths[block - base] ?? 0;
    for (const place of places[block] ?? []) pieces.push({ ...place, from, length });
    from += length;
  }
  return pieces;
}

/** Neighbours that stay neighbours are written as one. */
function joinNeighbours(pieces: readonly Piece[]): Piece[] {
  const sorted = pieces.toSorted((a, b) => a.stream - b.stream || a.offset - b.offset);
  const runs: Piece[] = [];
  for (const piece of sorted) {
    const last = runs.at(-1);
    const follows =
      last?.stream === piece.stream &&
      last.offset + last.length === piece.offset &&
      last.from + last.length === piece.from;
    if (last && follows) runs[runs.length - 1] = { ...last, length: last.length + piece.length };
    else runs.push(piece);
  }
  return runs;
}
