import assert from 'node:assert/strict';
import { findChangedLines } from '../../../extension/python/src/line-changes.ts';

/** The text after the changes. */
function applied(before: readonly string[], after: readonly string[]): string[] {
  const text = [...before];
  for (const { first, end, lines } of findChangedLines(before, after).reverse())
    text.splice(first, end - first, ...lines);
  return text;
}

describe('the lines that differ', () => {
  it('are empty for equal texts', () => {
    assert.deepEqual(findChangedLines(['a', 'b'], ['a', 'b']), []);
    assert.deepEqual(findChangedLines([], []), []);
  });

  it('are as few as possible', () => {
    const before = ['import a', 'x', 'import b', 'y', 'z'];
    const after = ['x', 'import c', 'y', 'new', 'z'];
    assert.deepEqual(findChangedLines(before, after), [
      { first: 0, end: 1, lines: [] },
      { first: 2, end: 3, lines: ['import c'] },
      { first: 4, end: 4, lines: ['new'] },
    ]);
  });

  it('turn one text into the other', () => {
    const texts = ['', 'a', 'a b c d e f', 'a c e g', 'f e d c b a', 'a a b b a a', 'x y a b z'];
    for (const before of texts.map((text) => text.split(' ')))
      for (const after of texts.map((text) => text.split(' ')))
        assert.deepEqual(applied(before, after), after);
  });
});
