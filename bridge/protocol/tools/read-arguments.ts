import type * as z from 'zod';

/** Each round reads values that the previous one has uncovered, such as the fields of a list that was a text. */
const mostRounds = 8;

export type ReadArguments<T> =
  | {
      readonly success: true;
      readonly data: T;
      /** The corrected arguments, before the schema fills in defaults. */
      readonly given: Readonly<Record<string, unknown>>;
    }
  | { readonly success: false; readonly error: z.ZodError };

/**
 * Reads arguments as clients mean them. A value that doesn't fit the schema is corrected: a text that is JSON of a
 * fitting value is read as that value, and null is treated as absent. A value that fits is left as it is: where a text
 * is expected, one that looks like a number stays a text.
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

/** The paths of values that don't fit, the outermost first. Each form of a union reports its own. */
function placesIn(issues: readonly z.core.$ZodIssue[], at: Path): Path[] {
  return issues.flatMap((issue) => {
    const path = [...at, ...issue.path];
    return issue.code === 'invalid_union'
      ? [path, ...issue.errors.flatMap((each) => placesIn(each, path))]
      : [path];
  });
}

/** A copy with the value at a path corrected; the same object if there is nothing to correct. */
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
