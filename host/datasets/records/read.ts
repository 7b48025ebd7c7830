import type * as z from 'zod';
import { problemsOf } from '../../lib/index.ts';
import { badData } from '../errors.ts';
import { readJson, readJsonLines } from './json.ts';
import { readParquet } from './parquet.ts';

interface RawRecord {
  readonly raw: unknown;
  /** For errors, e.g. `HumanEval.jsonl, line 3`. */
  readonly where: string;
}

/**
 * The records of a file, each checked: JSON (a list, or an object of records), JSONL or Parquet, by the end of its name;
 * a `.gz` of any of these. Errors: `bad-data` with file, record, field, what was expected and what was found.
 */
export async function readRecords<S extends z.ZodType>(file: string, schema: S): Promise<z.output<S>[]> {
  const raws = await rawRecords(file);
  if (raws.length === 0) throw badData(file, 'expected records, found none');
  return raws.map(({ raw, where }) => checkedRecord(schema, raw, where));
}

/** A record that was read elsewhere, checked. Errors: `bad-data`. */
export function checkedRecord<S extends z.ZodType>(schema: S, raw: unknown, where: string): z.output<S> {
  const checked = schema.safeParse(raw);
  if (checked.success) return checked.data;
  throw badData(where, problemsOf(checked.error, raw).join('; '), checked.error);
}

/** Errors: `bad-data` for two records of one id, also where they differ in what a path can't hold. */
export function assertUnique(file: string, ids: readonly string[]): void {
  const seen = new Map<string, number>();
  ids.forEach((id, index) => {
    const before = seen.get(safeName(id));
    if (before !== undefined)
      throw badData(
        file,
        `record ${index + 1}: expected an id of its own, found ${id} as in record ${before + 1}`,
      );
    seen.set(safeName(id), index);
  });
}

/** An id as part of a path: letters, digits, dots, dashes and underscores. */
export function safeName(id: string): string {
  return id.replaceAll(/[^A-Za-z0-9._-]+/g, '-').replace(/^\.+/, '-');
}

async function rawRecords(file: string): Promise<RawRecord[]> {
  const name = file.replace(/\.gz$/, '');
  if (name.endsWith('.parquet')) return numbered(file, await readParquet(file));
  if (name.endsWith('.jsonl'))
    return (await readJsonLines(file)).map(({ raw, line }) => ({ raw, where: `${file}, line ${line}` }));
  if (!name.endsWith('.json')) throw badData(file, 'expected a file that ends in .json, .jsonl or .parquet');
  const whole = await readJson(file);
  if (Array.isArray(whole)) return numbered(file, whole);
  if (typeof whole !== 'object' || whole === null) throw badData(file, 'expected a list of records');
  return Object.entries(whole).map(([key, raw]) => ({
    raw: raw as unknown,
    where: `${file}, record ${key}`,
  }));
}

function numbered(file: string, raws: readonly unknown[]): RawRecord[] {
  return raws.map((raw, index) => ({ raw, where: `${file}, record ${index + 1}` }));
}
