import type * as z from 'zod';
import { PwpError } from '../../../bridge/lib/index.ts';
import { problemsOf } from '../../lib/index.ts';
import { badData } from '../errors.ts';
import { readJson, readJsonLines, type RawRecord } from './json.ts';
import { readParquet } from './parquet.ts';

/** A record with its place in its file. */
export interface Numbered<T> {
  readonly record: T;
  /** From 0, those that can't be read counted. */
  readonly index: number;
}

/** The contents of a file. */
export interface Records<T> {
  readonly records: readonly T[];
  readonly numbered: readonly Numbered<T>[];
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
): Promise<Records<z.output<S>>> {
  return checkedRecords(file, schema, await rawRecords(file));
}

/** As {@link readRecords}, of records that were read elsewhere. */
export function checkedRecords<S extends z.ZodType>(
  file: string,
  schema: S,
  raws: readonly RawRecord[],
): Records<z.output<S>> {
  if (raws.length === 0) throw badData(file, 'expected records, found none');
  const numbered: Numbered<z.output<S>>[] = [];
  const unreadable = new Map<string, string>();
  let first: unknown;
  raws.forEach(({ raw, where, problem }, index) => {
    try {
      if (problem) throw problem;
      numbered.push({ record: checkedRecord(schema, raw, where), index });
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
export function checkedRecord<S extends z.ZodType>(schema: S, raw: unknown, where: string): z.output<S> {
  const checked = schema.safeParse(raw);
  if (checked.success) return checked.data;
  throw badData(where, problemsOf(checked.error, raw).join('; '), checked.error);
}

/**
 * Records whose id an earlier one has, also where they differ in what a path can't hold: why each can't be used, by its
 * place in the list.
 */
export function repeatedIds(ids: readonly string[]): ReadonlyMap<number, string> {
  const seen = new Map<string, number>();
  const repeated = new Map<number, string>();
  ids.forEach((id, index) => {
    const before = seen.get(safeName(id));
    if (before === undefined) seen.set(safeName(id), index);
    else
      repeated.set(
        index,
        `record ${index + 1}: expected an id of its own, found ${id} as in record ${before + 1}`,
      );
  });
  return repeated;
}

/** An id as part of a path: letters, digits, dots, dashes and underscores. */
export function safeName(id: string): string {
  return id.replaceAll(/[^A-Za-z0-9._-]+/g, '-').replace(/^\.+/, '-');
}

async function rawRecords(file: string): Promise<RawRecord[]> {
  const name = file.replace(/\.gz$/, '');
  if (name.endsWith('.parquet')) return numberedRaws(file, await readParquet(file));
  if (name.endsWith('.jsonl')) return await readJsonLines(file);
  if (!name.endsWith('.json')) throw badData(file, 'expected a file that ends in .json, .jsonl or .parquet');
  const whole = await readJson(file);
  if (Array.isArray(whole)) return numberedRaws(file, whole);
  if (typeof whole !== 'object' || whole === null) throw badData(file, 'expected a list of records');
  return Object.entries(whole).map(([key, raw]) => ({
    raw: raw as unknown,
    where: `${file}, record ${key}`,
  }));
}

function numberedRaws(file: string, raws: readonly unknown[]): RawRecord[] {
  return raws.map((raw, index) => ({ raw, where: `${file}, record ${index + 1}` }));
}
