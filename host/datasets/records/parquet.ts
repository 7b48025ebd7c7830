import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { parquetMetadata, parquetReadObjects, snappyUncompress, type Compressors } from 'hyparquet';
import { messageOf } from '../../../bridge/lib/index.ts';
import { badData } from '../errors.ts';
import { assertFits, readBytes } from './bytes.ts';

/** Each refuses what unpacks to too much; the reader's own Snappy would not. */
const compressors: Compressors = {
  GZIP: (input, length) => gunzipSync(input, limitOf(input, length)),
  BROTLI: (input, length) => brotliDecompressSync(input, limitOf(input, length)),
  ZSTD: (input, length) => zstdDecompressSync(input, limitOf(input, length)),
  SNAPPY: (input, length) => {
    limitOf(input, length);
    const output = new Uint8Array(length);
    snappyUncompress(input, output);
    return output;
  },
};

/** Rows of a file, and values of one of its columns; bytes of all columns, unpacked. */
const mostValues = 20_000_000;
const mostWhole = 4 * 1024 * 1024 * 1024;

/** A page must not unpack to more than it declares. */
function limitOf(input: Uint8Array, length: number): { readonly maxOutputLength: number } {
  assertFits(input.length, length);
  return { maxOutputLength: Math.max(1, length) };
}

/** The file's description of itself, before anything is unpacked. */
function assertSound(bytes: ArrayBuffer): void {
  const { num_rows: rows, row_groups: groups } = parquetMetadata(bytes);
  const columns = groups.flatMap(({ columns: all }) => all.map(({ meta_data: about }) => about));
  const values = columns.map((about) => Number(about?.num_values ?? 0));
  if (Math.max(Number(rows), ...values) > mostValues) throw new Error(`more than ${mostValues} rows`);
  const whole = columns.reduce((all, about) => all + Number(about?.total_uncompressed_size ?? 0), 0);
  if (whole > mostWhole) throw new Error(`more than ${mostWhole} bytes`);
}

/** The rows of a Parquet file as objects; whole numbers are numbers where they fit. Errors: `bad-data`. */
export async function readParquet(file: string): Promise<Record<string, unknown>[]> {
  const bytes = await readBytes(file);
  try {
    const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
    assertSound(buffer);
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
