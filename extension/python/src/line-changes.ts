import { diffArrays } from 'diff';

/** Lines `first` to before `end`, from 0, are replaced by these. */
interface LineChange {
  readonly first: number;
  readonly end: number;
  readonly lines: readonly string[];
}

/** Texts that differ in more lines are one change: the time to compare them is quadratic. */
const maxEditLength = 3000;

/** The difference between two texts, in as few lines as possible. */
export function findChangedLines(before: readonly string[], after: readonly string[]): LineChange[] {
  const parts = diffArrays([...before], [...after], { maxEditLength });
  if (!parts) return [{ first: 0, end: before.length, lines: after }];
  const changes: { first: number; end: number; lines: string[] }[] = [];
  let at = 0;
  for (const { added, removed, count, value } of parts) {
    const last = changes.at(-1);
    if (removed) changes.push({ first: at, end: at + count, lines: [] });
    // The replacement of removed lines comes right after them.
    else if (added && last?.end === at) last.lines.push(...value);
    else if (added) changes.push({ first: at, end: at, lines: value });
    if (!added) at += count;
  }
  return changes;
}
