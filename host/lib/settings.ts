import * as z from 'zod';

/** A setting for people: its schema has its type, its limits, and its default if it is always set. */
export interface SettingFacts {
  /** As the command line has it, e.g. `-k, --attempts <n>`. Default: only files and programs have it. */
  readonly flag?: string;
  /** What it sets. */
  readonly help: string;
  readonly unit?: string;
  /** What applies without it, if the schema does not say that. */
  readonly default?: string | number;
  /** A value as the command line takes it. */
  readonly example?: string;
  /** Reads the text of the option, if it is not written as in a file. */
  readonly read?: (text: string) => unknown;
}

const settingFacts = z.registry<SettingFacts>();

/** A setting: the command line, the files of studies, the library's types and docs/settings.md come from it. */
export function setting<S extends z.ZodType>(schema: S, facts: SettingFacts): S {
  settingFacts.add<z.ZodType>(schema, facts);
  return schema;
}

/** The facts of a setting; undefined for other schemas. */
export function settingFactsOf(schema: z.ZodType): SettingFacts | undefined {
  return settingFacts.get(schema);
}

export type SettingSchemas = Readonly<Record<string, z.ZodType>>;

/** A whole number from 1. */
export const countSchema = z.int().min(1);

/** A size in pixels; on the command line `1280x720`. */
export const sizeSchema = z.strictObject({
  width: z.int().min(320).max(7680),
  height: z.int().min(240).max(4320),
});

/**
 * Changes all keys in a value between the forms of programs and files: `maxSteps` and `max_steps`. Twice gives the same
 * value again, so a key in the wrong form remains wrong.
 */
export function swapKeyForms(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(swapKeyForms);
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [swapForm(key), swapKeyForms(part)]));
}

/** `maxSteps` for `max_steps`, and back. */
export function swapForm(key: string): string {
  return key.replaceAll(/_[a-z]|[A-Z]/g, (part) =>
    part.startsWith('_') ? part.replace('_', '').toUpperCase() : `_${part.toLowerCase()}`,
  );
}

/** Dates of TOML are objects, too. */
function isPlainObject(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const parent: unknown = Object.getPrototypeOf(value);
  return parent === null || parent === Object.prototype;
}
