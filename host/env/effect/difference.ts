/** Where what landed differs from what was sent. */
export interface Difference {
  /** Place in the text sent, in UTF-16 code units from 0. */
  readonly at: number;
  /** Sent, and not there. */
  readonly missing: string;
  /** There, and not sent: closing brackets, indentation, an accepted suggestion. */
  readonly added: string;
}

/** Edits beyond this many are not looked for one by one: the texts have little in common. */
const mostEdits = 400;

/** The differences that turn `sent` into `landed`, in order: {@link applyDifferences} is the way back. */
export function differencesOf(sent: string, landed: string): Difference[] {
  const head = commonHead(sent, landed, Math.min(sent.length, landed.length));
  const tail = commonTail(sent, landed, Math.min(sent.length, landed.length) - head);
  const [from, to] = [sent.slice(head, sent.length - tail), landed.slice(head, landed.length - tail)];
  if (from === '' && to === '') return [];
  const edits = additions(from, to) ?? shortest([...from], [...to]) ?? [{ at: 0, missing: from, added: to }];
  return merged(edits).map((edit) => ({ ...edit, at: edit.at + head }));
}

/** What landed, from what was sent and the reported differences. */
export function applyDifferences(sent: string, differences: readonly Difference[]): string {
  let landed = '';
  let at = 0;
  for (const { at: place, missing, added } of differences) {
    landed += sent.slice(at, place) + added;
    at = place + missing.length;
  }
  return landed + sent.slice(at);
}

/** Length of the common start, at most `most`, never ending inside a character. */
export function commonHead(a: string, b: string, most: number): number {
  let head = 0;
  while (head < most && a.charCodeAt(head) === b.charCodeAt(head)) head += 1;
  return splitsPair(a, head) || splitsPair(b, head) ? head - 1 : head;
}

/** Length of the common end, at most `most`, never beginning inside a character. */
export function commonTail(a: string, b: string, most: number): number {
  let tail = 0;
  while (tail < most && a.charCodeAt(a.length - 1 - tail) === b.charCodeAt(b.length - 1 - tail)) tail += 1;
  return splitsPair(a, a.length - tail) || splitsPair(b, b.length - tail) ? tail - 1 : tail;
}

function splitsPair(text: string, at: number): boolean {
  const [before, after] = [text.charCodeAt(at - 1), text.charCodeAt(at)];
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff;
}

/** The common case: all that was sent is there in order, with more in between. Undefined where something is missing. */
function additions(sent: string, landed: string): Difference[] | undefined {
  const found: Difference[] = [];
  let at = 0;
  let extra = '';
  for (const character of landed) {
    if (at < sent.length && sent.startsWith(character, at)) {
      if (extra !== '') found.push({ at, missing: '', added: extra });
      extra = '';
      at += character.length;
    } else extra += character;
  }
  if (extra !== '') found.push({ at, missing: '', added: extra });
  return at === sent.length ? found : undefined;
}

/** The shortest edit script (Myers 1986), one character an edit; undefined where it is too long to be of use. */
function shortest(a: readonly string[], b: readonly string[]): Difference[] | undefined {
  const furthest = new Map<number, number>([[1, 0]]);
  const trace: ReadonlyMap<number, number>[] = [];
  for (let edits = 0; edits <= Math.min(a.length + b.length, mostEdits); edits += 1) {
    trace.push(new Map(furthest));
    for (let k = -edits; k <= edits; k += 2) {
      let x = startOf(furthest, k, edits);
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x += 1;
      furthest.set(k, x);
      if (x >= a.length && x - k >= b.length) return backtrack(trace, a, b);
    }
  }
  return undefined;
}

function startOf(furthest: ReadonlyMap<number, number>, k: number, edits: number): number {
  const [below, above] = [furthest.get(k - 1) ?? -1, furthest.get(k + 1) ?? -1];
  return k === -edits || (k !== edits && below < above) ? above : below + 1;
}

function backtrack(
  trace: readonly ReadonlyMap<number, number>[],
  a: readonly string[],
  b: readonly string[],
): Difference[] {
  const offsets = [0];
  for (const character of a) offsets.push((offsets.at(-1) ?? 0) + character.length);
  const edits: Difference[] = [];
  let [x, y] = [a.length, b.length];
  for (let depth = trace.length - 1; depth > 0; depth -= 1) {
    const furthest = trace[depth] ?? new Map<number, number>();
    const k = x - y;
    const start = startOf(furthest, k, depth);
    const inserted =
      start === (furthest.get(k + 1) ?? -1) && (k === -depth || (k !== depth && insertsAt(furthest, k)));
    const before = inserted ? start : start - 1;
    const at = offsets[before] ?? 0;
    edits.push(
      inserted
        ? { at, missing: '', added: b[before - k - 1] ?? '' }
        : { at, missing: a[before] ?? '', added: '' },
    );
    x = before;
    y = before - (inserted ? k + 1 : k - 1);
  }
  return edits.reverse();
}

function insertsAt(furthest: ReadonlyMap<number, number>, k: number): boolean {
  return (furthest.get(k - 1) ?? -1) < (furthest.get(k + 1) ?? -1);
}

/** Neighbouring edits become one. */
function merged(edits: readonly Difference[]): Difference[] {
  const result: Difference[] = [];
  for (const edit of edits) {
    const last = result.at(-1);
    if (last && last.at + last.missing.length === edit.at) {
      result[result.length - 1] = {
        at: last.at,
        missing: last.missing + edit.missing,
        added: last.added + edit.added,
      };
    } else result.push(edit);
  }
  return result;
}
