import * as z from 'zod';
import { clip, tryParseJson } from '../../text/index.ts';

/** Each round reads values that the previous one has uncovered, such as the fields of a list that was a text. */
const maxRounds = 8;

type ArgumentsReading<T> =
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
export function readToolArguments<S extends z.ZodType>(
  schema: S,
  given: Readonly<Record<string, unknown>>,
): ArgumentsReading<z.output<S>> {
  const first = schema.safeParse(given);
  if (first.success) return { success: true, data: first.data, given };
  let meant = given;
  let { error } = first;
  for (let round = 0; round < maxRounds; round += 1) {
    const before = meant;
    for (const path of listIssuePaths(error.issues, [])) meant = correctValue(meant, path);
    if (meant === before) break;
    const again = schema.safeParse(meant);
    if (again.success) return { success: true, data: again.data, given: meant };
    error = again.error;
  }
  return { success: false, error: first.error };
}

/** Names of the arguments that came as JSON text and were read as what it says. */
export function listArgumentsReadFromText(
  sent: Readonly<Record<string, unknown>>,
  given: Readonly<Record<string, unknown>>,
): string[] {
  return Object.keys(given).filter((name) => typeof sent[name] === 'string' && given[name] !== sent[name]);
}

type ValuePath = readonly PropertyKey[];

/** The paths of values that don't fit, the outermost first. Each form of a union reports its own. */
function listIssuePaths(issues: readonly z.core.$ZodIssue[], at: ValuePath): ValuePath[] {
  return issues.flatMap((issue) => {
    const path = [...at, ...issue.path];
    return issue.code === 'invalid_union'
      ? [path, ...issue.errors.flatMap((each) => listIssuePaths(each, path))]
      : [path];
  });
}

/** A copy with the value at a path corrected; the same object if there is nothing to correct. */
function correctValue<T extends object>(holder: T, [key, ...below]: ValuePath): T {
  if (key === undefined || !Object.hasOwn(holder, key)) return holder;
  const value: unknown = Reflect.get(holder, key);
  if (below.length > 0) {
    if (typeof value !== 'object' || value === null) return holder;
    const inner = correctValue(value, below);
    return inner === value ? holder : replaceValue(holder, key, inner);
  }
  if (value === null && !Array.isArray(holder)) return replaceValue(holder, key, undefined);
  const read = typeof value === 'string' ? tryParseJson(value) : undefined;
  return read === undefined || typeof read === 'string' ? holder : replaceValue(holder, key, read);
}

/** A copy with another value, or without the field. */
function replaceValue<T extends object>(holder: T, key: PropertyKey, value: unknown): T {
  const copy = (Array.isArray(holder) ? [...(holder as unknown[])] : { ...holder }) as T;
  if (value === undefined) Reflect.deleteProperty(copy, key);
  else Reflect.set(copy, key, value);
  return copy;
}

/** Groups of names that callers use for the same argument; the first one that a tool has is suggested. */
const synonyms: readonly (readonly string[])[] = [
  'path paths file files filename file_path filepath target_file target uri dir directory folder new_path'.split(
    ' ',
  ),
  'content contents text code source new_string'.split(' '),
  'query pattern regex search search_term keywords'.split(' '),
  'timeout_ms wait_ms timeout timeout_s timeout_seconds seconds wait ms'.split(' '),
  'command cmd shell script'.split(' '),
  'old_string old_str old old_text find'.split(' '),
  'new_string new_str new new_text replacement replace'.split(' '),
  'symbol name identifier function class'.split(' '),
  'new_name name to rename_to'.split(' '),
  'line start_line line_number lineno row'.split(' '),
  'column col character offset'.split(' '),
  'limit max max_results count n'.split(' '),
  'target_directories paths path directories folders'.split(' '),
];

/** Explains what is wrong with a tool's arguments. For an unknown name it suggests the likely one, or lists all. */
export function explainArguments(input: z.ZodType, error: z.ZodError): string {
  const known = input instanceof z.ZodObject ? Object.keys(input.shape) : [];
  const hints = error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys' && issue.path.length === 0
      ? issue.keys.map((key) => suggestArgument(key, known))
      : [],
  );
  return [z.prettifyError(error), ...hints].join('\n');
}

function suggestArgument(key: string, known: readonly string[]): string {
  const near = findNearestName(key, known);
  const name = JSON.stringify(clip(key, 100));
  if (near !== undefined) return `→ did you mean ${near} instead of ${name}?`;
  return known.length === 0 ? '→ it takes no arguments' : `→ it takes ${known.join(', ')}`;
}

/** The known name that is most likely meant; undefined if none is similar. */
export function findNearestName(given: string, known: readonly string[]): string | undefined {
  const name = given.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase();
  const same = known.find((one) => one === name || `${one}s` === name || one === `${name}s`);
  if (same !== undefined) return same;
  const group = synonyms.find((one) => one.includes(name) && one.some((each) => known.includes(each)));
  const meant = group?.find((one) => known.includes(one));
  if (meant !== undefined) return meant;
  const far = Math.max(1, Math.floor(name.length / 3));
  const [best] = known
    .map((one) => ({ one, distance: measureEditDistance(clip(name, 100), one) }))
    .sort((a, b) => a.distance - b.distance);
  return best && best.distance <= far ? best.one : undefined;
}

/** The edit distance: letters to add, remove or replace. */
function measureEditDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...b].entries())
      next.push(
        Math.min((row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1, (row[j] ?? 0) + (letter === other ? 0 : 1)),
      );
    row = next;
  }
  return row.at(-1) ?? 0;
}
