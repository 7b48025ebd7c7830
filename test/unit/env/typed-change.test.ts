import assert from 'node:assert/strict';
import { applyDifferences } from '../../../bench/lib/rebuilt.ts';
import { countArrived, findDifferences, findTypedChange } from '../../../host/ide/effect/typed-change.ts';

const alphabet = ['a', 'b', '(', ')', '\n', ' ', '\t', '😀', '日', 'é', 'א', 'e\u0301'];

/** The same numbers in every run. */
function generator(seed: number): (below: number) => number {
  let state = seed;
  return (below) => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) % below;
}

describe('typed text against a buffer', () => {
  const same = (sent: string, before: string, after: string) => {
    const found = findTypedChange(sent, before, after);
    assert.deepEqual(found?.differences, []);
    return found;
  };

  it('finds text that landed as sent, and where', () => {
    assert.equal(same('two ', 'one three', 'one two three')?.offset, 4);
  });

  it('finds text that was typed over a selection', () => {
    assert.equal(same('foo', 'fob', 'foo')?.replaced, 'fob');
    assert.equal(same('foob', 'ob', 'foob')?.offset, 0);
  });

  it('reports what the IDE added', () => {
    assert.deepEqual(findTypedChange('f(a', '', 'f(a)')?.differences, [{ at: 3, missing: '', added: ')' }]);
    assert.deepEqual(findTypedChange('if x:\ny', '', 'if x:\n    y')?.differences, [
      { at: 6, missing: '', added: '    ' },
    ]);
  });

  it('reports what was lost', () => {
    const found = findTypedChange('hello', '', 'hel');
    assert.deepEqual(found?.differences, [{ at: 3, missing: 'lo', added: '' }]);
    assert.equal(countArrived('hello', found.differences), 3);
  });

  it('does not count earlier text as typed text', () => {
    const found = findTypedChange('abc', 'abc', 'abcx', false);
    assert.ok(found && countArrived('abc', found.differences) < 3);
    // Unless it may have been selected and typed over.
    assert.deepEqual(findTypedChange('abcx', 'abc', 'abcx', true)?.differences, []);
  });

  it('is undefined when the buffer did not change', () => {
    assert.equal(findTypedChange('x', 'same', 'same'), undefined);
  });

  it('counts a carriage return as part of the line ending', () => {
    same('a\nb', '', 'a\r\nb');
  });

  it('rebuilds any text from another by the reported differences', () => {
    const below = generator(7);
    const text = (most: number) =>
      Array.from({ length: below(most) }, () => alphabet[below(alphabet.length)] ?? '').join('');
    for (let round = 0; round < 5000; round += 1) {
      const [sent, other] = [text(30), text(30)];
      assert.equal(applyDifferences(sent, findDifferences(sent, other)), other);
      const before = text(20);
      const at = below(before.length + 1);
      const cut = Math.min(below(4), before.length - at);
      const gained = [...sent].flatMap((character) => [
        below(9) === 0 ? '' : character,
        below(9) === 0 ? text(3) : '',
      ]);
      const after = before.slice(0, at) + gained.join('') + before.slice(at + cut);
      const found = findTypedChange(sent, before, after);
      const rebuilt = found
        ? before.slice(0, found.offset) +
          applyDifferences(sent, found.differences) +
          before.slice(found.offset + found.replaced.length)
        : before;
      assert.equal(rebuilt, after);
    }
  });

  it('compares long dissimilar texts without searching for every edit', () => {
    const [sent, other] = ['x y'.repeat(30_000), 'x z'.repeat(30_000)];
    assert.equal(applyDifferences(sent, findDifferences(sent, other)), other);
  });
});
