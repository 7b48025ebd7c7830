import { createGunzip } from 'node:zlib';
import { PwpError, messageOf } from '../../../bridge/lib/index.ts';
import { badData } from '../errors.ts';
import { readData } from '../place.ts';

/** Bytes of one file: as it is, and unpacked, which is a text that JavaScript must be able to hold. */
const mostBytes = 2 * 1024 * 1024 * 1024 - 1;
const mostUnpacked = 512 * 1024 * 1024;
/** A file that unpacks to more than this, and to this many times its size, is made to fill its reader's memory. */
const suspicious = { bytes: 32 * 1024 * 1024, times: 200 } as const;

/** The bytes of a file; those of a `.gz` unpacked. Errors: `bad-data`. */
export async function readBytes(file: string): Promise<Buffer> {
  try {
    const bytes = await readData(file, mostBytes);
    return file.endsWith('.gz') ? await unpacked(bytes) : bytes;
  } catch (cause) {
    if (cause instanceof PwpError && cause.code === 'bad-data') throw cause;
    throw badData(file, `can't be read: ${messageOf(cause)}`, cause);
  }
}

/** Ends as soon as it is too much. */
async function unpacked(bytes: Buffer): Promise<Buffer> {
  const stream = createGunzip();
  stream.end(bytes);
  const chunks: Buffer[] = [];
  let sum = 0;
  for await (const chunk of stream) {
    chunks.push(chunk as Buffer);
    sum += (chunk as Buffer).length;
    assertFits(bytes.length, sum);
  }
  return Buffer.concat(chunks, sum);
}

/**
 * Refuses what unpacks to more than any file of records has. Errors: `too-large`.
 * @param packed bytes of it
 * @param whole bytes that it unpacks to
 */
export function assertFits(packed: number, whole: number): void {
  const isBomb = whole > suspicious.bytes && whole > suspicious.times * packed;
  if (whole <= mostUnpacked && !isBomb) return;
  const found = isBomb
    ? `${packed} bytes that unpack to more than ${suspicious.times} times as many`
    : 'more';
  throw new PwpError('too-large', `expected at most ${mostUnpacked} bytes, found ${found}`);
}

/** The text of a file in UTF-8, with the line ends of Unix and without a byte order mark. Errors: `bad-data`. */
export async function readText(file: string): Promise<string> {
  const bytes = await readBytes(file);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).replaceAll('\r\n', '\n');
  } catch (cause) {
    throw badData(file, 'expected text in UTF-8, found other bytes', cause);
  }
}
