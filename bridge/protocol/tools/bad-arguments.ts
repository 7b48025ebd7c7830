import * as z from 'zod';
import { clip } from '../../text/index.ts';

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
      ? issue.keys.map((key) => hint(key, known))
      : [],
  );
  return [z.prettifyError(error), ...hints].join('\n');
}

function hint(key: string, known: readonly string[]): string {
  const near = nearest(key, known);
  const name = JSON.stringify(clip(key, 100));
  if (near !== undefined) return `→ did you mean ${near} instead of ${name}?`;
  return known.length === 0 ? '→ it takes no arguments' : `→ it takes ${known.join(', ')}`;
}

/** The known name that is most likely meant; undefined if none is similar. */
export function nearest(given: string, known: readonly string[]): string | undefined {
  const name = given.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase();
  const same = known.find((one) => one === name || `${one}s` === name || one === `${name}s`);
  if (same !== undefined) return same;
  const group = synonyms.find((one) => one.includes(name) && one.some((each) => known.includes(each)));
  const meant = group?.find((one) => known.includes(one));
  if (meant !== undefined) return meant;
  const far = Math.max(1, Math.floor(name.length / 3));
  const [best] = known
    .map((one) => ({ one, distance: distanceOf(clip(name, 100), one) }))
    .sort((a, b) => a.distance - b.distance);
  return best && best.distance <= far ? best.one : undefined;
}

/** The edit distance: letters to add, remove or replace. */
function distanceOf(a: string, b: string): number {
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
