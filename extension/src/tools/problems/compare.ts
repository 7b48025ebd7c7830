import type { EditProblems, Problem } from '../../../../bridge/protocol/index.ts';
import { worstFirst } from './problem.ts';
import type { Checked } from './watch.ts';

/** Maximum length of each list in an answer. */
const most = 100;

/**
 * Compares problems before and after an edit. Lines move with every edit, so problems with the same message and kind
 * count as the same.
 * @param before undefined if nothing was known
 */
export function compareProblems(before: readonly Problem[] | undefined, after: Checked): EditProblems {
  const left = new Map<string, Problem[]>();
  for (const one of before ?? []) left.set(keyOf(one), [...(left.get(keyOf(one)) ?? []), one]);
  const appeared = after.problems.filter((one) => left.get(keyOf(one))?.pop() === undefined);
  const gone = [...left.values()].flat();
  return {
    state: after.state,
    why: after.why,
    document_version: after.version,
    compared: before !== undefined,
    appeared: worstFirst(appeared).slice(0, most),
    gone: worstFirst(gone).slice(0, most),
    remaining: after.problems.length - appeared.length,
    omitted: Math.max(0, appeared.length - most) + Math.max(0, gone.length - most),
  };
}

function keyOf({ severity, message, source, code }: Problem): string {
  return JSON.stringify([severity, message, source, code]);
}
