/** Lines `first` to before `end`, from 0, are replaced by these. */
export interface LineChange {
  readonly first: number;
  readonly end: number;
  readonly lines: readonly string[];
}

/** What differs between two texts, as few places as a longest common subsequence leaves. */
export function changedLines(before: readonly string[], after: readonly string[]): LineChange[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let same = 0;
  const most = Math.min(before.length, after.length) - start;
  while (same < most && before[before.length - 1 - same] === after[after.length - 1 - same]) same++;
  const old = before.slice(start, before.length - same);
  const fresh = after.slice(start, after.length - same);
  if (old.length === 0 && fresh.length === 0) return [];
  return inner(old, fresh).map((one) => ({ ...one, first: one.first + start, end: one.end + start }));
}

/** Tables larger than this are not worth it: one change then. */
const mostCells = 4_000_000;

function inner(old: readonly string[], fresh: readonly string[]): LineChange[] {
  if (old.length * fresh.length > mostCells) return [{ first: 0, end: old.length, lines: fresh }];
  const common = commonLengths(old, fresh);
  const at = (i: number, j: number) => common[i * (fresh.length + 1) + j] ?? 0;
  const changes: { first: number; end: number; lines: string[] }[] = [];
  let [i, j] = [0, 0];
  let joined = false;
  while (i < old.length || j < fresh.length) {
    if (i < old.length && j < fresh.length && old[i] === fresh[j]) {
      [i, j, joined] = [i + 1, j + 1, false];
      continue;
    }
    if (!joined) changes.push({ first: i, end: i, lines: [] });
    joined = true;
    const change = changes.at(-1);
    if (!change) break;
    if (j >= fresh.length || (i < old.length && at(i + 1, j) >= at(i, j + 1))) change.end = ++i;
    else change.lines.push(fresh[j++] ?? '');
  }
  return changes;
}

/** Length of the longest common subsequence of what begins at each pair of lines. */
function commonLengths(old: readonly string[], fresh: readonly string[]): Uint32Array {
  const width = fresh.length + 1;
  const table = new Uint32Array((old.length + 1) * width);
  const at = (i: number, j: number) => table[i * width + j] ?? 0;
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = fresh.length - 1; j >= 0; j--)
      table[i * width + j] =
        old[i] === fresh[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  return table;
}
