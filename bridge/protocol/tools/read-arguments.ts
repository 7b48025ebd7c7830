import type * as z from 'zod';

/** Each round reads what the round before brought to light, such as the fields of a list that was a text. */
const mostRounds = 8;

export type ReadArguments<T> =
  | {
      readonly success: true;
      readonly data: T;
      /** The arguments as they are meant, before the schema has filled in what has a default. */
      readonly given: Readonly<Record<string, unknown>>;
    }
  | { readonly success: false; readonly error: z.ZodError };

/**
 * Reads arguments as clients mean them: where they don't fit, a text that is JSON of what is asked for is that, and null
 * is what was not given. What fits as it is stays as it is: a text that looks like a number is text where text is wanted.
 */
export function readArguments<S extends z.ZodType>(
  schema: S,
  given: Readonly<Record<string, unknown>>,
): ReadArguments<z.output<S>> {
  const first = schema.safeParse(given);
  if (first.success) return { success: true, data: first.data, given };
  let meant = given;
  let { error } = first;
  for (let round = 0; round < mostRounds; round += 1) {
    const before = meant;
    for (const path of placesIn(error.issues, [])) meant = mended(meant, path);
    if (meant === before) break;
    const again = schema.safeParse(meant);
    if (again.success) return { success: true, data: again.data, given: meant };
    error = again.error;
  }
  return { success: false, error: first.error };
}

/** Names of the arguments that came as JSON text and were read as what it says. */
export function readFromText(
  sent: Readonly<Record<string, unknown>>,
  given: Readonly<Record<string, unknown>>,
): string[] {
  return Object.keys(given).filter((name) => typeof sent[name] === 'string' && given[name] !== sent[name]);
}

type Path = readonly PropertyKey[];

/** Where values don't fit, the outermost first. In a union each form has something to say about it. */
function placesIn(issues: readonly z.core.$ZodIssue[], at: Path): Path[] {
  return issues.flatMap((issue) => {
    const path = [...at, ...issue.path];
    return issue.code === 'invalid_union'
      ? [path, ...issue.errors.flatMap((each) => placesIn(each, path))]
      : [path];
  });
}

/** The same with what the value at a path may stand for; the same object where that is nothing else. */
function mended<T extends object>(holder: T, [key, ...below]: Path): T {
  if (key === undefined || !Object.hasOwn(holder, key)) return holder;
  const value: unknown = Reflect.get(holder, key);
  if (below.length > 0) {
    if (typeof value !== 'object' || value === null) return holder;
    const inner = mended(value, below);
    return inner === value ? holder : replaced(holder, key, inner);
  }
  if (value === null && !Array.isArray(holder)) return replaced(holder, key, undefined);
  const read = typeof value === 'string' ? jsonOf(value) : undefined;
  return read === undefined || typeof read === 'string' ? holder : replaced(holder, key, read);
}

/** A copy with another value, or without the field. */
function replaced<T extends object>(holder: T, key: PropertyKey, value: unknown): T {
  const copy = (Array.isArray(holder) ? [...(holder as unknown[])] : { ...holder }) as T;
  if (value === undefined) Reflect.deleteProperty(copy, key);
  else Reflect.set(copy, key, value);
  return copy;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
