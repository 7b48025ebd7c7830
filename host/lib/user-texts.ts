import type * as z from 'zod';
import { clip } from '../../bridge/text/index.ts';

/**
 * The problems of a file that a person wrote: one line for each field, with what was expected and what was found.
 * @param write a key as the file has it; default: as the schema has it
 */
export function describeSchemaIssues(
  error: z.ZodError,
  raw: unknown,
  write: (key: string) => string = (key) => key,
): string[] {
  return error.issues.flatMap((issue) => describeIssue(issue, raw, write));
}

type Issue = z.core.$ZodIssue;

function describeIssue(issue: Issue, raw: unknown, write: (key: string) => string): string[] {
  const path = issue.path.map((part) => (typeof part === 'string' ? write(part) : part));
  const field = fieldName(path);
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => `${fieldName([...path, write(key)])}: unknown field`);
  }
  return [`${field}: ${expected(issue)}, found ${found(valueAt(raw, issue.path))}`];
}

function expected(issue: Issue): string {
  if (issue.code === 'invalid_type')
    return `expected ${issue.expected === 'int' ? 'an integer' : issue.expected}`;
  if (issue.code === 'invalid_value')
    return `expected ${issue.values.map((value) => JSON.stringify(value)).join(' or ')}`;
  if (issue.code === 'too_small')
    return `expected ${issue.inclusive ? 'at least' : 'more than'} ${issue.minimum}`;
  if (issue.code === 'too_big') return `expected at most ${issue.maximum}`;
  return issue.message;
}

function found(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? String(part) : part));
  return text.length <= 100 ? text : `${clip(text, 100)}…`;
}

function valueAt(raw: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (value as Record<PropertyKey, unknown> | undefined)?.[key],
    raw,
  );
}

function fieldName(path: readonly PropertyKey[]): string {
  return path
    .map((part, index) => (typeof part === 'number' ? `[${part}]` : `${index > 0 ? '.' : ''}${String(part)}`))
    .join('');
}

/** Reads e.g. `1280x720`; undefined for other texts. */
export function readSize(text: string): { readonly width: number; readonly height: number } | undefined {
  const [, width, height] = /^(\d{3,4})x(\d{3,4})$/.exec(text) ?? [];
  if (width === undefined || height === undefined) return undefined;
  return { width: Number(width), height: Number(height) };
}

/** Reads dollars, with or without their sign. */
export function readDollars(text: string): number {
  return Number(text.replace(/^\$|usd$/i, ''));
}

/** Reads a number, or a word. */
export function readNumberOrWord(text: string): string | number {
  return /^\d+$/.test(text) ? Number(text) : text;
}
