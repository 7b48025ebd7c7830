import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { type Compressors, parquetMetadata, parquetReadObjects, snappyUncompress } from 'hyparquet';
import type * as z from 'zod';
import { describeError, PwpError } from '../../../../bridge/lib/index.ts';
import { clip } from '../../../../bridge/text/index.ts';
import { describeSchemaIssues } from '../../../lib/index.ts';
import type { Task } from '../../format/index.ts';
import { assertUnpackedFits, readDataBytes, readDataText } from './data-files.ts';
import { badData, type DatasetAbout, type OpenDataset } from './dataset.ts';

interface RecordsToOpen<T> {
  readonly about: DatasetAbout;
  /** The file or folder that has them, for errors. */
  readonly file: string;
  readonly records: readonly T[];
  readonly idOf: (record: T) => string;
  readonly taskOf: (record: T) => Task | Promise<Task>;
  /** Records that can't be read. */
  readonly unreadable?: ReadRecords<T>['unreadable'] | undefined;
  /** Records that can't be played: why, by their id. */
  readonly lacking?: ReadonlyMap<string, string> | undefined;
  readonly notes?: readonly string[] | undefined;
}

/** A dataset of records that are all in memory, by their id. Of several of one id the first counts. */
export function openRecords<T>(given: RecordsToOpen<T>): OpenDataset {
  const { about, file, idOf, taskOf, unreadable = [], lacking = [], notes = [] } = given;
  const all = given.records.map(idOf);
  const repeated = findRepeatedIds(all);
  const byId = new Map(
    given.records.flatMap((record, index): [string, T][] =>
      repeated.has(index) ? [] : [[all[index] ?? '', record]],
    ),
  );
  const again = [...repeated].map(([index, why]): [string, string] => [`${all[index]} (${index + 1})`, why]);
  return {
    ids: [...byId.keys()],
    lacking: new Map([...lacking, ...unreadable, ...again]),
    notes,
    load: async (id) => {
      const record = byId.get(id);
      if (record !== undefined) return await taskOf(record);
      throw new PwpError('no-such-record', `${about.title} has no record ${id} in ${file}`, {
        help: `pwp datasets list ${about.name} --data ${file} lists all.`,
      });
    },
  };
}

/** A record with its place in its file. */
interface NumberedRecord<T> {
  readonly record: T;
  /** From 0, those that can't be read counted. */
  readonly index: number;
}

/** The contents of a file. */
export interface ReadRecords<T> {
  readonly records: readonly T[];
  readonly numbered: readonly NumberedRecord<T>[];
  /** Records that can't be read: why, by what names each of them, e.g. `line 3`. */
  readonly unreadable: ReadonlyMap<string, string>;
}

/**
 * The records of a file, each checked: JSON (a list, or an object of records), JSONL or Parquet, by the end of its name;
 * a `.gz` of any of these. One that can't be read is left out and named. Errors: `bad-data` for a file that can't be read,
 * or none of its records, with file, record, field, what was expected and what was found.
 */
export async function readRecords<S extends z.ZodType>(
  file: string,
  schema: S,
): Promise<ReadRecords<z.output<S>>> {
  return checkRawRecords(file, schema, await readRawRecords(file));
}

/** As {@link readRecords}, of records that were read elsewhere. */
export function checkRawRecords<S extends z.ZodType>(
  file: string,
  schema: S,
  raws: readonly RawRecord[],
): ReadRecords<z.output<S>> {
  if (raws.length === 0) throw badData(file, 'expected records, found none');
  const numbered: NumberedRecord<z.output<S>>[] = [];
  const unreadable = new Map<string, string>();
  let first: unknown;
  raws.forEach(({ raw, where, problem }, index) => {
    try {
      if (problem) throw problem;
      numbered.push({ record: checkRawRecord(schema, raw, where), index });
    } catch (error) {
      if (!(error instanceof PwpError)) throw error;
      first ??= error;
      unreadable.set(where.slice(file.length + 2) || where, error.message);
    }
  });
  if (numbered.length === 0) throw first;
  return { records: numbered.map(({ record }) => record), numbered, unreadable };
}

/** A record that was read elsewhere, checked. Errors: `bad-data`. */
export function checkRawRecord<S extends z.ZodType>(schema: S, raw: unknown, where: string): z.output<S> {
  const checked = schema.safeParse(raw);
  if (checked.success) return checked.data;
  throw badData(where, describeSchemaIssues(checked.error, raw).join('; '), checked.error);
}

/**
 * Records whose id an earlier one has, also where they differ in what a path can't hold: why each can't be used, by its
 * place in the list.
 */
export function findRepeatedIds(ids: readonly string[]): ReadonlyMap<number, string> {
  const seen = new Map<string, number>();
  const repeated = new Map<number, string>();
  ids.forEach((id, index) => {
    const before = seen.get(toSafeName(id));
    if (before === undefined) seen.set(toSafeName(id), index);
    else
      repeated.set(
        index,
        `record ${index + 1}: expected an id of its own, found ${id} as in record ${before + 1}`,
      );
  });
  return repeated;
}

/** An id as part of a path: letters, digits, dots, dashes and underscores. */
export function toSafeName(id: string): string {
  return id.replaceAll(/[^A-Za-z0-9._-]+/g, '-').replace(/^\.+/, '-');
}

async function readRawRecords(file: string): Promise<RawRecord[]> {
  const name = file.replace(/\.gz$/, '');
  if (name.endsWith('.parquet')) return numberRawRecords(file, await readParquet(file));
  if (name.endsWith('.jsonl')) return await readJsonLines(file);
  if (!name.endsWith('.json')) throw badData(file, 'expected a file that ends in .json, .jsonl or .parquet');
  const whole = await readDataJson(file);
  if (Array.isArray(whole)) return numberRawRecords(file, whole);
  if (typeof whole !== 'object' || whole === null) throw badData(file, 'expected a list of records');
  return Object.entries(whole).map(([key, raw]) => ({
    raw: raw as unknown,
    where: `${file}, record ${key}`,
  }));
}

function numberRawRecords(file: string, raws: readonly unknown[]): RawRecord[] {
  return raws.map((raw, index) => ({ raw, where: `${file}, record ${index + 1}` }));
}

/** A record as it is in its file. */
interface RawRecord {
  readonly raw: unknown;
  /** For errors, e.g. `HumanEval.jsonl, line 3`. */
  readonly where: string;
  /** Why `raw` is missing: the line is not JSON. */
  readonly problem?: PwpError;
}

/** The lines of a JSONL file, empty ones left out. Errors: `bad-data` for a file that can't be read. */
async function readJsonLines(file: string): Promise<RawRecord[]> {
  return parseJsonLines(file, await readDataText(file));
}

/** The records of a text that has one on each line. */
export function parseJsonLines(file: string, text: string): RawRecord[] {
  return text.split('\n').flatMap((line, index): RawRecord[] => {
    const where = `${file}, line ${index + 1}`;
    if (line.trim() === '') return [];
    try {
      return [{ raw: parseJson(line, where), where }];
    } catch (error) {
      if (error instanceof PwpError) return [{ raw: undefined, where, problem: error }];
      throw error;
    }
  });
}

/** A JSON file. Errors: `bad-data`. */
export async function readDataJson(file: string): Promise<unknown> {
  return parseJson(await readDataText(file), file);
}

function parseJson(text: string, where: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw badData(
      where,
      `expected JSON, found ${JSON.stringify(clip(text, 60))}: ${describeError(cause)}`,
      cause,
    );
  }
}

/** Each refuses what unpacks to too much; the reader's own Snappy would not. */
const compressors: Compressors = {
  GZIP: (input, length) => gunzipSync(input, limitOutput(input, length)),
  BROTLI: (input, length) => brotliDecompressSync(input, limitOutput(input, length)),
  ZSTD: (input, length) => zstdDecompressSync(input, limitOutput(input, length)),
  SNAPPY: (input, length) => {
    limitOutput(input, length);
    const output = new Uint8Array(length);
    snappyUncompress(input, output);
    return output;
  },
};

/** Rows of a file, and values of one of its columns; bytes of all columns, unpacked. */
const mostParquetValues = 20_000_000;
const mostParquetBytes = 4 * 1024 * 1024 * 1024;

/** A page must not unpack to more than it declares. */
function limitOutput(input: Uint8Array, length: number): { readonly maxOutputLength: number } {
  assertUnpackedFits(input.length, length);
  return { maxOutputLength: Math.max(1, length) };
}

/** The file's description of itself, before anything is unpacked. */
function assertParquetFits(bytes: ArrayBuffer): void {
  const { num_rows: rows, row_groups: groups } = parquetMetadata(bytes);
  const columns = groups.flatMap(({ columns: all }) => all.map(({ meta_data: about }) => about));
  const values = columns.map((about) => Number(about?.num_values ?? 0));
  if (Math.max(Number(rows), ...values) > mostParquetValues)
    throw new Error(`more than ${mostParquetValues} rows`);
  const whole = columns.reduce((all, about) => all + Number(about?.total_uncompressed_size ?? 0), 0);
  if (whole > mostParquetBytes) throw new Error(`more than ${mostParquetBytes} bytes`);
}

/** The rows of a Parquet file as objects; whole numbers are numbers where they fit. Errors: `bad-data`. */
async function readParquet(file: string): Promise<Record<string, unknown>[]> {
  const bytes = await readDataBytes(file);
  try {
    const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
    assertParquetFits(buffer);
    const rows = await parquetReadObjects({ file: buffer, compressors });
    return rows.map((row) => toPlainValue(row) as Record<string, unknown>);
  } catch (cause) {
    throw badData(
      file,
      `expected Parquet, found something else or a part of it: ${describeError(cause)}`,
      cause,
    );
  }
}

function toPlainValue(value: unknown): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (Array.isArray(value)) return value.map(toPlainValue);
  if (value instanceof Date || value instanceof Uint8Array || typeof value !== 'object' || value === null)
    return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, toPlainValue(one)]));
}
