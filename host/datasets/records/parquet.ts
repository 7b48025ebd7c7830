import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { parquetReadObjects, type Compressors } from 'hyparquet';
import { messageOf } from '../../../bridge/lib/index.ts';
import { badData } from '../errors.ts';
import { readBytes } from './bytes.ts';

/** Snappy is the reader's own. */
const compressors: Compressors = {
  GZIP: (input) => gunzipSync(input),
  BROTLI: (input) => brotliDecompressSync(input),
  ZSTD: (input) => zstdDecompressSync(input),
};

/** The rows of a Parquet file as objects; whole numbers are numbers where they fit. Errors: `bad-data`. */
export async function readParquet(file: string): Promise<Record<string, unknown>[]> {
  const bytes = await readBytes(file);
  try {
    const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
    const rows = await parquetReadObjects({ file: buffer, compressors });
    return rows.map((row) => plain(row) as Record<string, unknown>);
  } catch (cause) {
    throw badData(file, `expected Parquet, found something else or a part of it: ${messageOf(cause)}`, cause);
  }
}

function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (Array.isArray(value)) return value.map(plain);
  if (value instanceof Date || value instanceof Uint8Array || typeof value !== 'object' || value === null)
    return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, plain(one)]));
}
