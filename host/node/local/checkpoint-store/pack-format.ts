import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { crc32, zstdCompressSync, zstdDecompress, zstdDecompressSync, type ZstdOptions } from 'node:zlib';
import * as z from 'zod';
import { PwpError } from '../../../../bridge/lib/index.ts';
import { damaged } from './errors.ts';
import { throwIfStopped } from './job-stop.ts';
import { maxBlockBytes } from './chunks.ts';
import { metaSchema } from './meta.ts';
import { isCheckpointId, packPattern } from './paths.ts';

/*
 * A pack is one file: head, frames, footer, tail. A frame is some blocks, compressed together. The footer tells which
 * blocks the pack has, by their hashes, and which blocks, of this pack and of others, make up the streams of its
 * checkpoint: one for each file of CRIU's images and one tar archive of the rest. An exported checkpoint is a pack that
 * needs no other. Numbers are little-endian.
 */
const magic = 'PWPCKPT\n';
export const formatVersion = 1;
export const headBytes = 12;
/** Footer's offset (8 bytes) and length (8), the first bytes of its SHA-256 (32), magic (8). */
const tailBytes = 56;
/** Bytes of a block's SHA-256 that are kept. */
export const hashBytes = 16;
/** A frame is closed when it has this much, in bytes before compression. */
export const frameBytes = 1 << 20;
const maxFooterBytes = 1 << 28;

const stream = z.object({
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
const frame = z.object({
  offset: z.int().nonnegative(),
  length: z.int().positive(),
  crc32: z.int().nonnegative().describe('of the compressed bytes'),
  blocks: z.int().positive(),
});
const header = z.object({
  id: z.string().refine(isCheckpointId),
  meta: metaSchema,
  needs: z
    .array(z.object({ pack: z.string().regex(packPattern), blocks: z.int(), footer: z.string() }))
    .describe('other packs, with the hash of their footers'),
  streams: z.array(stream),
  sockets: z
    .array(z.object({ path: z.string(), mode: z.int(), uid: z.int(), gid: z.int() }))
    .describe('below the raw folder; archives have none'),
  frames: z.array(frame),
  blocks: z.int().nonnegative().describe('of this pack'),
  refs: z.int().nonnegative().describe('of all streams'),
});
export type PackHeader = z.output<typeof header>;

/** The contents of a pack's footer. */
export interface Footer extends PackHeader {
  /** {@link hashBytes} for each block of this pack. */
  readonly hashes: Buffer;
  /** Bytes of each block of this pack. */
  readonly lengths: Uint32Array;
  /** For all blocks of all streams: its number, counted on from this pack's through those of `needs` in their order. */
  readonly blockOf: Uint32Array;
  /** By which another pack makes sure that this is the one it was made against. */
  readonly digest: string;
}

export function headOf(): Buffer {
  const head = Buffer.alloc(headBytes);
  head.write(magic, 'latin1');
  head.writeUInt32LE(formatVersion, 8);
  return head;
}

/** Footer and tail, as bytes. */
export function footerBytes(
  footer: PackHeader & { hashes: Buffer; lengths: Uint32Array; blockOf: Uint32Array },
  offset: number,
): Buffer {
  const { hashes, lengths, blockOf, ...rest } = footer;
  const json = Buffer.from(JSON.stringify(header.parse(rest)));
  const size = Buffer.alloc(4);
  size.writeUInt32LE(json.length);
  const body = zstdCompressSync(Buffer.concat([size, json, hashes, bytes(lengths), bytes(blockOf)]));
  const tail = Buffer.alloc(tailBytes);
  tail.writeBigUInt64LE(BigInt(offset), 0);
  tail.writeBigUInt64LE(BigInt(body.length), 8);
  hash('sha256', body, 'buffer').copy(tail, 16);
  tail.write(magic, 48, 'latin1');
  return Buffer.concat([body, tail]);
}

/** An open pack, checked as far as its footer goes. */
export class PackFile implements Disposable {
  readonly fd: number;
  readonly footer: Footer;
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
    if (!stated) throw damaged(`there is no frame ${index}`);
    throwIfStopped();
    const found = readExactly(this.fd, stated.offset, stated.length);
    if (crc32(found) !== stated.crc32) throw damaged(`frame ${index} of its pack has changed`);
    return found;
  }

  [Symbol.dispose](): void {
    closeSync(this.fd);
  }
}

/** The blocks of a frame, one after the other. Several at once use several cores. Errors: `checkpoint-damaged`. */
export async function decompress(frame: Buffer): Promise<Buffer> {
  // Given room for all of it, it need not be put together from small pieces, which takes longer than the rest.
  const room = frameBytes + maxBlockBytes;
  try {
    return await inflate(frame, { maxOutputLength: room, chunkSize: room });
  } catch (error) {
    throw damaged("a frame of its pack can't be decompressed", error);
  }
}

const inflate = promisify<Buffer, ZstdOptions, Buffer>(zstdDecompress);

function readFooter(fd: number, bytes: number): Footer {
  if (bytes < headBytes + tailBytes) throw damaged('its pack is too short');
  const head = readExactly(fd, 0, headBytes);
  if (head.toString('latin1', 0, 8) !== magic)
    throw damaged('the file does not begin as an exported checkpoint does');
  const version = head.readUInt32LE(8);
  if (version !== formatVersion)
    throw new PwpError('checkpoint-other-format', `format ${version}; this program reads ${formatVersion}`, {
      help: 'Export it again with this version of the program.',
    });
  const tail = readExactly(fd, bytes - tailBytes, tailBytes);
  const [offset, length] = [Number(tail.readBigUInt64LE(0)), Number(tail.readBigUInt64LE(8))];
  if (
    tail.toString('latin1', 48) !== magic ||
    offset + length + tailBytes !== bytes ||
    length > maxFooterBytes
  )
    throw damaged('its pack is cut off');
  const body = readExactly(fd, offset, length);
  const digest = hash('sha256', body, 'hex');
  if (digest !== tail.toString('hex', 16, 48)) throw damaged('the footer of its pack has changed');
  return parseFooter(body, digest);
}

/** A valid hash proves nothing: the writer may be this program or an attacker. So every number is checked. */
function parseFooter(body: Buffer, digest: string): Footer {
  try {
    const text = zstdDecompressSync(body, { maxOutputLength: 2 * maxFooterBytes });
    const json = text.readUInt32LE(0);
    const stated = header.parse(JSON.parse(text.toString('utf8', 4, 4 + json)));
    let at = 4 + json;
    const take = (length: number) => text.subarray(at, (at += length));
    const hashes = take(stated.blocks * hashBytes);
    const lengths = numbers(take(stated.blocks * 4));
    const blockOf = numbers(take(stated.refs * 4));
    const known = stated.needs.reduce((sum, { blocks }) => sum + blocks, stated.blocks);
    const sound =
      at === text.length &&
      blockOf.every((block) => block < known) &&
      lengths.every((length) => length <= maxBlockBytes) &&
      stated.streams.reduce((sum, { blocks }) => sum + blocks, 0) === stated.refs &&
      stated.frames.reduce((sum, { blocks }) => sum + blocks, 0) === stated.blocks;
    if (!sound) throw damaged('the numbers of its pack do not agree');
    return { ...stated, hashes, lengths, blockOf, digest };
  } catch (error) {
    throw damaged("the footer of its pack can't be read", error);
  }
}

export function readExactly(fd: number, offset: number, length: number): Buffer {
  const found = Buffer.allocUnsafe(length);
  for (let at = 0; at < length;) {
    const read = readSync(fd, found, at, length - at, offset + at);
    if (read === 0) throw damaged('a file of it is cut off');
    at += read;
  }
  return found;
}

function bytes(values: Uint32Array): Buffer {
  return Buffer.from(values.buffer, values.byteOffset, values.byteLength);
}

/** A copy, since the place in the file need not be a multiple of four. */
function numbers(found: Buffer): Uint32Array {
  return new Uint32Array(new Uint8Array(found).buffer);
}
