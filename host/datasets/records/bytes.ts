import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { messageOf } from '../../../bridge/lib/index.ts';
import { badData } from '../errors.ts';

/** Bytes of one file, unpacked. */
const mostBytes = 2 * 1024 * 1024 * 1024 - 1;
const unpack = promisify(gunzip);

/** The bytes of a file; those of a `.gz` unpacked. Errors: `bad-data`. */
export async function readBytes(file: string): Promise<Buffer> {
  try {
    const bytes = await readFile(file);
    return file.endsWith('.gz') ? await unpack(bytes, { maxOutputLength: mostBytes }) : bytes;
  } catch (cause) {
    throw badData(file, `can't be read: ${messageOf(cause)}`, cause);
  }
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
