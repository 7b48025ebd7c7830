import assert from 'node:assert/strict';
import { unifiedDiff } from '../../../extension/src/tools/history/unified-diff.ts';
import { lineChanges } from '../../../extension/src/tools/history/line-changes.ts';

const diff = (before: string, after: string, context = 1) =>
  unifiedDiff(before, after, { from: 'a', to: 'b', context });

describe('a unified diff', () => {
  it('has the changed lines and those around them, in hunks', () => {
    const { text, added, removed } = diff('1\n2\n3\n4\n5\n6\n7\n', '1\nB\n3\n4\n5\n6\n7\n8\n');
    assert.equal(text, '--- a\n+++ b\n@@ -1,3 +1,3 @@\n 1\n-2\n+B\n 3\n@@ -7 +7,2 @@\n 7\n+8\n');
    assert.deepEqual([added, removed], [2, 1]);
  });

  it('tells of a last line without an end, and of empty texts', () => {
    assert.equal(diff('a', 'a\n').text, '--- a\n+++ b\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n');
    assert.equal(diff('', 'a\n').text, '--- a\n+++ b\n@@ -0,0 +1 @@\n+a\n');
    assert.equal(diff('a\n', 'a\n').text, '');
  });

  it('makes one text of the other, whatever they are', () => {
    let seed = 7;
    const random = (max: number) => (seed = (seed * 48271) % 2147483647) % max;
    for (let round = 0; round < 300; round += 1) {
      const lines = () => Array.from({ length: random(12) }, () => 'abc'[random(3)] ?? '');
      const [before, after] = [lines(), lines()];
      const made: string[] = [];
      let at = 0;
      for (const change of lineChanges(before, after)) {
        made.push(...before.slice(at, change.old.from), ...after.slice(change.new.from, change.new.to));
        at = change.old.to;
      }
      assert.deepEqual([...made, ...before.slice(at)], after, JSON.stringify([before, after]));
    }
  });
});
