import { hash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { promisify } from 'node:util';
import { crc32, zstdCompressSync, zstdDecompress, zstdDecompressSync, type ZstdOptions } from 'node:zlib';
import * as z from 'zod';
import { PwpError } from '../../../bridge/lib/index.ts';
import { checkpointMetaSchema, isCheckpointId, packPattern } from './checkpoint-files.ts';
import { makeDamagedError, throwIfStopped } from './store-failures.ts';

/*
 * A pack is one file: head, frames, footer, tail. A frame is some blocks, compressed together. The footer tells which
 * blocks the pack has, by their hashes, and which blocks, of this pack and of others, make up the streams of its
 * checkpoint: one for each file of CRIU's images and one tar archive of the rest. An exported checkpoint is a pack that
 * needs no other. Numbers are little-endian.
 */
const packMagic = 'PWPCKPT\n';
const packFormatVersion = 1;
const packHeadBytes = 12;
/** Footer's offset (8 bytes) and length (8), the first bytes of its SHA-256 (32), magic (8). */
const packTailBytes = 56;
/** Bytes of a block's SHA-256 that are kept. */
export const blockHashBytes = 16;
/** A frame is closed when it has this much, in bytes before compression. */
export const frameBytes = 1 << 20;
const maxFooterBytes = 1 << 28;

const streamSchema = z.object({
  /** A file name in `images`, or null for the archive. */
  image: z
    .string()
    .regex(/^[^/\0]+$/)
    .refine((name) => name !== '.' && name !== '..')
    .nullable(),
  mode: z.int(),
  size: z.int().nonnegative().describe('bytes'),
  blocks: z.int().nonnegative(),
});
const frameSchema = z.object({
  offset: z.int().nonnegative(),
  length: z.int().positive(),
  crc32: z.int().nonnegative().describe('of the compressed bytes'),
  blocks: z.int().positive(),
});
const packHeaderSchema = z.object({
  id: z.string().refine(isCheckpointId),
  meta: checkpointMetaSchema,
  needs: z
    .array(z.object({ pack: z.string().regex(packPattern), blocks: z.int(), footer: z.string() }))
    .describe('other packs, with the hash of their footers'),
  streams: z.array(streamSchema),
  sockets: z
    .array(z.object({ path: z.string(), mode: z.int(), uid: z.int(), gid: z.int() }))
    .describe('below the raw folder; archives have none'),
  frames: z.array(frameSchema),
  blocks: z.int().nonnegative().describe('of this pack'),
  refs: z.int().nonnegative().describe('of all streams'),
});
export type PackHeader = z.output<typeof packHeaderSchema>;

/** The contents of a pack's footer. */
interface PackFooter extends PackHeader {
  /** {@link blockHashBytes} for each block of this pack. */
  readonly hashes: Buffer;
  /** Bytes of each block of this pack. */
  readonly lengths: Uint32Array;
  /** For all blocks of all streams: its number, counted on from this pack's through those of `needs` in their order. */
  readonly blockOf: Uint32Array;
  /** By which another pack makes sure that this is the one it was made against. */
  readonly digest: string;
}

export function encodePackHead(): Buffer {
  const head = Buffer.alloc(packHeadBytes);
  head.write(packMagic, 'latin1');
  head.writeUInt32LE(packFormatVersion, 8);
  return head;
}

/** Footer and tail, as bytes. */
export function encodePackFooter(
  footer: PackHeader & { hashes: Buffer; lengths: Uint32Array; blockOf: Uint32Array },
  offset: number,
): Buffer {
  const { hashes, lengths, blockOf, ...rest } = footer;
  const json = Buffer.from(JSON.stringify(packHeaderSchema.parse(rest)));
  const size = Buffer.alloc(4);
  size.writeUInt32LE(json.length);
  const body = zstdCompressSync(Buffer.concat([size, json, hashes, toBytes(lengths), toBytes(blockOf)]));
  const tail = Buffer.alloc(packTailBytes);
  tail.writeBigUInt64LE(BigInt(offset), 0);
  tail.writeBigUInt64LE(BigInt(body.length), 8);
  hash('sha256', body, 'buffer').copy(tail, 16);
  tail.write(packMagic, 48, 'latin1');
  return Buffer.concat([body, tail]);
}

/** An open pack, checked as far as its footer goes. */
export class PackFile implements Disposable {
  readonly fd: number;
  readonly footer: PackFooter;
  readonly bytes: number;

  /** Errors: `checkpoint-damaged`, `checkpoint-other-format`. */
  constructor(path: string) {
    this.fd = openSync(path, 'r');
    try {
      this.bytes = fstatSync(this.fd).size;
      this.footer = readFooter(this.fd, this.bytes);
    } catch (error) {
      closeSync(this.fd);
      throw error;
    }
  }

  /** The bytes of a frame as they are in the file. Errors: `checkpoint-damaged`. */
  frame(index: number): Buffer {
    const stated = this.footer.frames[index];
    if (!stated) throw makeDamagedError(`there is no frame ${index}`);
    throwIfStopped();
    const found = readExactly(this.fd, stated.offset, stated.length);
    if (crc32(found) !== stated.crc32) throw makeDamagedError(`frame ${index} of its pack has changed`);
    return found;
  }

  [Symbol.dispose](): void {
    closeSync(this.fd);
  }
}

/** The blocks of a frame, one after the other. Several at once use several cores. Errors: `checkpoint-damaged`. */
export async function decompressFrame(frame: Buffer): Promise<Buffer> {
  // Given room for all of it, it need not be put together from small pieces, which takes longer than the rest.
  const room = frameBytes + maxBlockBytes;
  try {
    return await inflate(frame, { maxOutputLength: room, chunkSize: room });
  } catch (error) {
    throw makeDamagedError("a frame of its pack can't be decompressed", error);
  }
}

const inflate = promisify<Buffer, ZstdOptions, Buffer>(zstdDecompress);

function readFooter(fd: number, bytes: number): PackFooter {
  if (bytes < packHeadBytes + packTailBytes) throw makeDamagedError('its pack is too short');
  const head = readExactly(fd, 0, packHeadBytes);
  if (head.toString('latin1', 0, 8) !== packMagic)
    throw makeDamagedError('the file does not begin as an exported checkpoint does');
  const version = head.readUInt32LE(8);
  if (version !== packFormatVersion)
    throw new PwpError(
      'checkpoint-other-format',
      `format ${version}; this program reads ${packFormatVersion}`,
      {
        help: 'Export it again with this version of the program.',
      },
    );
  const tail = readExactly(fd, bytes - packTailBytes, packTailBytes);
  const [offset, length] = [Number(tail.readBigUInt64LE(0)), Number(tail.readBigUInt64LE(8))];
  if (
    tail.toString('latin1', 48) !== packMagic ||
    offset + length + packTailBytes !== bytes ||
    length > maxFooterBytes
  )
    throw makeDamagedError('its pack is cut off');
  const body = readExactly(fd, offset, length);
  const digest = hash('sha256', body, 'hex');
  if (digest !== tail.toString('hex', 16, 48)) throw makeDamagedError('the footer of its pack has changed');
  return parseFooter(body, digest);
}

/** A valid hash proves nothing: the writer may be this program or an attacker. So every number is checked. */
function parseFooter(body: Buffer, digest: string): PackFooter {
  try {
    const text = zstdDecompressSync(body, { maxOutputLength: 2 * maxFooterBytes });
    const json = text.readUInt32LE(0);
    const stated = packHeaderSchema.parse(JSON.parse(text.toString('utf8', 4, 4 + json)));
    let at = 4 + json;
    const take = (length: number) => text.subarray(at, (at += length));
    const hashes = take(stated.blocks * blockHashBytes);
    const lengths = toNumbers(take(stated.blocks * 4));
    const blockOf = toNumbers(take(stated.refs * 4));
    const known = stated.needs.reduce((sum, { blocks }) => sum + blocks, stated.blocks);
    const sound =
      at === text.length &&
      blockOf.every((block) => block < known) &&
      lengths.every((length) => length <= maxBlockBytes) &&
      stated.streams.reduce((sum, { blocks }) => sum + blocks, 0) === stated.refs &&
      stated.frames.reduce((sum, { blocks }) => sum + blocks, 0) === stated.blocks;
    if (!sound) throw makeDamagedError('the numbers of its pack do not agree');
    return { ...stated, hashes, lengths, blockOf, digest };
  } catch (error) {
    throw makeDamagedError("the footer of its pack can't be read", error);
  }
}

function readExactly(fd: number, offset: number, length: number): Buffer {
  const found = Buffer.allocUnsafe(length);
  for (let at = 0; at < length;) {
    const read = readSync(fd, found, at, length - at, offset + at);
    if (read === 0) throw makeDamagedError('a file of it is cut off');
    at += read;
  }
  return found;
}

function toBytes(values: Uint32Array): Buffer {
  return Buffer.from(values.buffer, values.byteOffset, values.byteLength);
}

/** A copy, since the place in the file need not be a multiple of four. */
function toNumbers(found: Buffer): Uint32Array {
  return new Uint32Array(new Uint8Array(found).buffer);
}

/** Bytes of one page of memory: how CRIU's images are cut. */
export const pageBytes = 4096;
/** No block is longer, in bytes. */
export const maxBlockBytes = 64 * 1024;
const minBlockBytes = 2048;
/** A cut after one in 8192 bytes, on the average. */
const cutMask = 0x1fff << 19;

/**
 * Where a stream is cut into blocks whose content alone decides, so that an insertion moves the cuts near it and no
 * others: what comes after is found again in another stream.
 * @returns the length of the first block, in bytes; all of `bytes` where it ends before
 */
export function findFirstCut(bytes: Uint8Array): number {
  const end = Math.min(bytes.length, maxBlockBytes);
  let rolling = 0;
  // The first bytes only fill the window of 32 bytes that the value depends on.
  for (let at = Math.max(0, minBlockBytes - 32); at < end; at++) {
    rolling = ((rolling << 1) + (gear[bytes[at] ?? 0] ?? 0)) | 0;
    if (at >= minBlockBytes && (rolling & cutMask) === 0) return at + 1;
  }
  return end;
}

/** 256 random-looking numbers, always the same ones: another table cuts elsewhere. */
const gear = Int32Array.from({ length: 256 }, (_, index) => {
  let value = Math.imul(index + 1, 0x9e3779b1);
  value = Math.imul(value ^ (value >>> 15), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return value ^ (value >>> 16);
});
