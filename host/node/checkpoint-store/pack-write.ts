import { hash } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs';
import { constants, crc32, zstdCompressSync } from 'node:zlib';
import type { CheckpointMeta } from './checkpoint-files.ts';
import { walkFolder } from './checksums.ts';
import {
  blockHashBytes,
  encodePackFooter,
  encodePackHead,
  findFirstCut,
  frameBytes,
  maxBlockBytes,
  type PackFile,
  type PackHeader,
  pageBytes,
} from './pack-format.ts';
import { throwIfStopped } from './store-failures.ts';
import { selectImageFiles, selectSockets, writeTarArchive } from './tar-archive.ts';

/** One level more takes twice the time for two percent. */
const packLevel = 1;

export interface PackJob {
  readonly raw: string;
  /** Where the pack is written. */
  readonly target: string;
  /** A file for the archive while it is packed. */
  readonly scratch: string;
  readonly id: string;
  readonly meta: CheckpointMeta;
}

/** Packs a raw checkpoint: blocks that the packs of `base` have already are only named. */
export function writePack(job: PackJob, base: readonly { name: string; file: PackFile }[]): PackHeader {
  const fd = openSync(job.target, 'wx', 0o600);
  try {
    const blocks = new BlockWriter(fd, base);
    const entries = walkFolder(job.raw);
    const streams: PackHeader['streams'] = [];
    for (const { name, mode } of selectImageFiles(entries)) {
      const described = blocks.addFile(`${job.raw}/images/${name}`, () => pageBytes);
      streams.push({ image: name, mode, ...described });
    }
    writeTarArchive(job.raw, entries, job.scratch);
    streams.push({ image: null, mode: 0, ...blocks.addFile(job.scratch, findFirstCut) });
    const header = blocks.finish({ id: job.id, meta: job.meta, streams, sockets: selectSockets(entries) });
    fsyncSync(fd);
    return header;
  } finally {
    closeSync(fd);
  }
}

/** Cuts streams into blocks and writes those that are new. */
class BlockWriter {
  readonly #fd: number;
  /** Packs whose blocks are known, and the number of the first block of each. */
  readonly #base: PackHeader['needs'];
  readonly #starts: number[] = [];
  /** Number of a block by its hash; those of other packs count on from 2^31 until it is known how many are ours. */
  readonly #known = new Map<string, number>();
  readonly #lengths: number[] = [];
  readonly #hashes: string[] = [];
  readonly #refs: number[] = [];
  readonly #frames: PackHeader['frames'] = [];
  #open: Buffer[] = [];
  #openBytes = 0;
  #offset: number;

  constructor(fd: number, base: readonly { name: string; file: PackFile }[]) {
    this.#fd = fd;
    let next = firstForeignBlock;
    this.#base = base.map(({ name, file: { footer } }) => {
      this.#starts.push(next);
      for (let block = 0; block < footer.blocks; block++)
        this.#known.set(
          footer.hashes.toString('latin1', block * blockHashBytes, (block + 1) * blockHashBytes),
          next + block,
        );
      next += footer.blocks;
      return { pack: name, blocks: footer.blocks, footer: footer.digest };
    });
    this.#offset = writeAll(fd, encodePackHead());
  }

  /** @param cut how long the first block of these bytes is; asked with more than a block unless the file ends */
  addFile(path: string, cut: (bytes: Uint8Array) => number): { size: number; blocks: number } {
    const file = openSync(path, 'r');
    try {
      const before = this.#refs.length;
      let rest = Buffer.alloc(0);
      let size = 0;
      for (let ended = false; !ended;) {
        throwIfStopped();
        const piece = Buffer.allocUnsafe(frameBytes);
        const read = readSync(file, piece);
        ended = read === 0;
        size += read;
        rest = Buffer.concat([rest, piece.subarray(0, read)]);
        while (rest.length >= (ended ? 1 : maxBlockBytes)) {
          const length = Math.min(cut(rest), rest.length);
          this.#add(rest.subarray(0, length));
          rest = rest.subarray(length);
        }
      }
      return { size, blocks: this.#refs.length - before };
    } finally {
      closeSync(file);
    }
  }

  finish(described: Pick<PackHeader, 'id' | 'meta' | 'streams' | 'sockets'>): PackHeader {
    this.#flush();
    const blocks = this.#lengths.length;
    const { needs, shifts } = this.#used();
    const shift = (ref: number) => {
      const at = this.#starts.findLastIndex((start) => start <= ref);
      return ref - (this.#starts[at] ?? 0) + blocks + (shifts[at] ?? 0);
    };
    const blockOf = Uint32Array.from(this.#refs, (ref) => (ref >= firstForeignBlock ? shift(ref) : ref));
    const header = { ...described, needs, frames: this.#frames, blocks, refs: blockOf.length };
    const hashes = Buffer.from(this.#hashes.join(''), 'latin1');
    const lengths = Uint32Array.from(this.#lengths);
    writeAll(this.#fd, encodePackFooter({ ...header, hashes, lengths, blockOf }, this.#offset));
    return header;
  }

  /** Those of the other packs that are referenced at all, and how many of their blocks come before each. */
  #used(): { needs: PackHeader['needs']; shifts: number[] } {
    const ends = this.#base.map(({ blocks }, index) => (this.#starts[index] ?? 0) + blocks);
    const named = new Set(
      this.#refs.filter((ref) => ref >= firstForeignBlock).map((ref) => ends.findIndex((end) => ref < end)),
    );
    let before = 0;
    const shifts = this.#base.map(({ blocks }, index) => {
      const shift = before;
      if (named.has(index)) before += blocks;
      return shift;
    });
    return { needs: this.#base.filter((_, index) => named.has(index)), shifts };
  }

  #add(block: Buffer): void {
    const key = hash('sha256', block, 'buffer').toString('latin1', 0, blockHashBytes);
    const known = this.#known.get(key);
    if (known !== undefined) {
      this.#refs.push(known);
      return;
    }
    const number = this.#lengths.length;
    this.#known.set(key, number);
    this.#refs.push(number);
    this.#lengths.push(block.length);
    this.#hashes.push(key);
    this.#open.push(block);
    this.#openBytes += block.length;
    if (this.#openBytes >= frameBytes) this.#flush();
  }

  #flush(): void {
    if (this.#open.length === 0) return;
    const params = { [constants.ZSTD_c_compressionLevel]: packLevel };
    const frame = zstdCompressSync(Buffer.concat(this.#open), { params, chunkSize: frameBytes });
    const { length } = frame;
    this.#frames.push({ offset: this.#offset, length, crc32: crc32(frame), blocks: this.#open.length });
    this.#offset += writeAll(this.#fd, frame);
    this.#open = [];
    this.#openBytes = 0;
  }
}

const firstForeignBlock = 2 ** 31;

/** A write may stop short where the disk gets full: the next one fails. */
export function writeAll(fd: number, bytes: Uint8Array, position: number | null = null): number {
  for (let at = 0; at < bytes.length;)
    at += writeSync(fd, bytes, at, bytes.length - at, position === null ? null : position + at);
  return bytes.length;
}
