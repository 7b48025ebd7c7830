/** Lines `from` up to but without `to` of the old text made place for `from`..`to` of the new one. From 0. */
export interface LineChange {
  readonly old: { readonly from: number; readonly to: number };
  readonly new: { readonly from: number; readonly to: number };
}

/** Texts that differ in more lines are told as one change: comparing them takes time by the square. */
const maxDifferences = 3000;

/** The fewest changes of whole lines that make one list of another (Myers' algorithm). */
export function lineChanges(before: readonly string[], after: readonly string[]): LineChange[] {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  const a = before.slice(head, before.length - tail);
  const b = after.slice(head, after.length - tail);
  if (a.length === 0 && b.length === 0) return [];
  const moves = shortestWay(a, b);
  const whole = { old: { from: 0, to: a.length }, new: { from: 0, to: b.length } };
  const changes = moves ? changesOf(moves, a.length, b.length) : [whole];
  const moved = ({ from, to }: LineChange['old']) => ({ from: from + head, to: to + head });
  return changes.map((change) => ({ old: moved(change.old), new: moved(change.new) }));
}

/** A step of the way from one text to the other: the line of each that it stands before, and which one it passes. */
interface Move {
  readonly x: number;
  readonly y: number;
  readonly kind: 'delete' | 'insert';
}

/** Undefined where the texts differ too much. */
function shortestWay(a: readonly string[], b: readonly string[]): Move[] | undefined {
  const most = Math.min(a.length + b.length, maxDifferences);
  const furthest = new Map<number, number>([[1, 0]]);
  const trace: Map<number, number>[] = [];
  for (let d = 0; d <= most; d += 1) {
    trace.push(new Map([...furthest].filter(([k]) => Math.abs(k) <= d + 1)));
    for (let k = -d; k <= d; k += 2) {
      let x = downFirst(furthest, k, d) ? at(furthest, k + 1) : at(furthest, k - 1) + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x += 1;
      furthest.set(k, x);
      if (x >= a.length && x - k >= b.length) return wayBack(trace, a.length, b.length);
    }
  }
  return undefined;
}

function wayBack(trace: readonly ReadonlyMap<number, number>[], width: number, height: number): Move[] {
  const moves: Move[] = [];
  let [x, y] = [width, height];
  for (let d = trace.length - 1; d > 0; d -= 1) {
    const furthest = trace[d] ?? new Map<number, number>();
    const k = x - y;
    const down = downFirst(furthest, k, d);
    const from = down ? k + 1 : k - 1;
    x = at(furthest, from);
    y = x - from;
    moves.push({ x, y, kind: down ? 'insert' : 'delete' });
  }
  return moves.reverse();
}

function downFirst(furthest: ReadonlyMap<number, number>, k: number, d: number): boolean {
  return k === -d || (k !== d && at(furthest, k - 1) < at(furthest, k + 1));
}

function at(furthest: ReadonlyMap<number, number>, k: number): number {
  return furthest.get(k) ?? -1;
}

/** Moves that follow each other without a line in common between them are one change. */
function changesOf(moves: readonly Move[], width: number, height: number): LineChange[] {
  const changes: { old: { from: number; to: number }; new: { from: number; to: number } }[] = [];
  for (const { x, y, kind } of moves) {
    const last = changes.at(-1);
    const joined = last && last.old.to === x && last.new.to === y;
    const change = joined ? last : { old: { from: x, to: x }, new: { from: y, to: y } };
    if (kind === 'delete') change.old.to = Math.min(x + 1, width);
    else change.new.to = Math.min(y + 1, height);
    if (!joined) changes.push(change);
  }
  return changes;
}
