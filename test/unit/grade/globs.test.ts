import assert from 'node:assert/strict';
import { isExcluded, matchesGlob } from '../../../host/tasks/grade/checks/setting-checks.ts';

describe('globs', () => {
  const cases: readonly [pattern: string, path: string, matches: boolean][] = [
    ['**/__pycache__', '__pycache__', true],
    ['**/__pycache__', 'a/b/__pycache__', true],
    ['**/__pycache__', 'a/my__pycache__', false],
    ['__pycache__', 'a/__pycache__', false],
    ['**/__pycache__/**', 'a/__pycache__', true],
    ['**/{__pycache__,*.pyc}', 'a/b.pyc', true],
    ['{**/__pycache__,x}', 'a/__pycache__', true],
    ['{a,{b,c}}.txt', 'c.txt', true],
    ['*.log', 'app.log', true],
    ['*.log', 'appxlog', false],
    ['*.log', 'sub/app.log', false],
    ['a?c', 'abc', true],
    ['a?c', 'a/c', false],
    ['[a-c].txt', 'b.txt', true],
    ['[!a-c].txt', 'b.txt', false],
    ['[z-a]', 'b', false],
    ['a(b|c)+$', 'ab', false],
    ['a/**/b', 'a/b', true],
    ['a/**/b', 'a/x/y/b', true],
    ['', '', true],
    ['[', '[', true],
    ['{', '{', true],
  ];
  for (const [pattern, path, matches] of cases) {
    it(`${JSON.stringify(pattern)} ${matches ? 'matches' : 'does not match'} ${JSON.stringify(path)}`, () => {
      assert.equal(matchesGlob(pattern, path), matches);
    });
  }

  it('finish in time, for any pattern', () => {
    assert.equal(matchesGlob('{a,b}'.repeat(100), 'a'), false);
    assert.equal(matchesGlob('**/'.repeat(300) + 'x', 'a/b/c/d/e/f'), false);
    assert.equal(matchesGlob('x'.repeat(100_000), 'x'), false);
  });

  it('hide everything below a hidden folder', () => {
    assert.equal(isExcluded({ '**/build': true }, 'a/build/x/y.js'), true);
    assert.equal(isExcluded({ '**/build': true }, 'a/builder/y.js'), false);
    assert.equal(isExcluded('**', 'a'), false);
  });
});
