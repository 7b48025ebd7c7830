import assert from 'node:assert/strict';
import { applyPatch } from 'diff';
import { formatUnifiedDiff } from '../../../extension/src/tools/history/unified-diff.ts';

const diff = (before: string, after: string, context = 1) =>
  formatUnifiedDiff(before, after, { from: 'a', to: 'b', context });

describe('a unified diff', () => {
  it('has the changed lines and those around them, in hunks', () => {
    const { text, added, removed } = diff('1\n2\n3\n4\n5\n6\n7\n', '1\nB\n3\n4\n5\n6\n7\n8\n');
    assert.equal(text, '--- a\n+++ b\n@@ -1,3 +1,3 @@\n 1\n-2\n+B\n 3\n@@ -7 +7,2 @@\n 7\n+8\n');
    assert.deepEqual([added, removed], [2, 1]);
  });

  it('reports a last line without a line ending, and empty texts', () => {
    assert.equal(diff('a', 'a\n').text, '--- a\n+++ b\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n');
    assert.equal(diff('', 'a\n').text, '--- a\n+++ b\n@@ -0,0 +1 @@\n+a\n');
    assert.equal(diff('a\n', 'a\n').text, '');
  });

  it('turns one text into the other, for any texts', () => {
    let seed = 7;
    const random = (max: number) => (seed = (seed * 48271) % 2147483647) % max;
    const text = () =>
      Array.from({ length: random(12) }, () => `${'abc'[random(3)] ?? ''}${['\n', '\r\n'][random(2)]}`).join(
        '',
      ) + (random(3) === 0 ? 'a' : '');
    for (let round = 0; round < 300; round += 1) {
      const [before, after] = [text(), text()];
      const patch = diff(before, after, random(4)).text;
      const made = patch === '' ? before : applyPatch(before, patch, { autoConvertLineEndings: false });
      assert.equal(made, after, JSON.stringify([before, after]));
    }
  });

  it('names files as given', () => {
    const { text } = formatUnifiedDiff('', 'a\n', { from: 'größe (1)', to: 'größe', context: 1 });
    assert.equal(text, '--- größe (1)\n+++ größe\n@@ -0,0 +1 @@\n+a\n');
  });

  it('is one change from the first to the last differing line if too many differ', () => {
    const lines = (word: string) => Array.from({ length: 2000 }, (_, index) => `${word} ${index}\n`).join('');
    const texts = (end: string) =>
      [`1\n2\n${lines('old')}3\n4${end}`, `1\n2\n${lines('new')}3\n4${end}`] as const;
    for (const [before, after] of [texts('\n'), texts('')]) {
      const { text, added, removed } = diff(before, after, 2);
      assert.deepEqual([added, removed], [2000, 2000]);
      assert.match(text, /^--- a\n\+\+\+ b\n@@ -1,2004 \+1,2004 @@\n 1\n 2\n-old 0\n/);
      assert.equal(applyPatch(before, text), after);
    }
  });
});
