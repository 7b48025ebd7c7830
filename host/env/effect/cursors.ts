import type { Editor } from '../../../bridge/protocol/index.ts';
import { normalise } from './typed-change.ts';

type Position = Editor['selections'][number]['active'];

/**
 * Whether text was typed at each of several cursors, over what each of them had selected, and nothing else changed.
 * @param before the editor as it was, with its text
 * @param after the text of its document now
 */
export function isAtEachCursor(sent: string, { selections, text = '' }: Editor, after: string): boolean {
  if (selections.length < 2) return false;
  const old = normalise(text);
  const offsetOf = offsetsIn(old);
  const ranges = selections
    .map(({ anchor, active }) => [offsetOf(anchor), offsetOf(active)].toSorted((a, b) => a - b))
    .toSorted(([a = 0], [b = 0]) => a - b);
  let [expected, at] = ['', 0];
  for (const [start = 0, end = 0] of ranges) {
    expected += old.slice(at, start) + normalise(sent);
    at = end;
  }
  return expected + old.slice(at) === normalise(after);
}

function offsetsIn(text: string): (position: Position) => number {
  const starts = [0];
  for (let i = text.indexOf('\n'); i >= 0; i = text.indexOf('\n', i + 1)) starts.push(i + 1);
  return ({ line, character }) => (starts[line] ?? text.length) + character;
}
