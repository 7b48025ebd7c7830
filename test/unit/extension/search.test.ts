import assert from 'node:assert/strict';
import {
  extractKeywords,
  isDefinition,
  parseFoundLine,
  scoreFuzzy,
} from '../../../extension/src/tools/search/match-text.ts';

describe('fuzzy file search', () => {
  const best = (query: string, ...paths: string[]) =>
    paths
      .map((path) => ({ path, score: scoreFuzzy(query, path) }))
      .filter(({ score }) => score !== undefined)
      .sort((a, b) => (b.score ?? 0) - (a.score ?? 0))
      .map(({ path }) => path);

  it('needs all letters in order', () => {
    assert.deepEqual(best('abc', 'acb.ts', 'a/b/c.ts'), ['a/b/c.ts']);
  });

  it('ranks names before folders, word starts before word middles, short before long', () => {
    assert.equal(best('user', 'user/other.ts', 'src/user.ts')[0], 'src/user.ts');
    assert.equal(best('uco', 'src/lupacoder.ts', 'src/user_control.ts')[0], 'src/user_control.ts');
    assert.equal(best('index.ts', 'a/b/c/index.ts', 'index.ts', 'index.tsx')[0], 'index.ts');
  });
});

describe('keywords of a question', () => {
  it('are its significant words, and the parts of names', () => {
    assert.deepEqual(extractKeywords('Where is parseUserName used?'), [
      'parseusername',
      'parse',
      'user',
      'name',
    ]);
    assert.deepEqual(extractKeywords('where is it'), ['where', 'is', 'it']);
    assert.deepEqual(extractKeywords('?!'), []);
  });

  it('are found at definitions in most languages', () => {
    for (const line of [
      'export async function f() {',
      '  def restock(self):',
      'pub fn new() -> Self {',
      'class A:',
      'type A = 1;',
    ])
      assert.ok(isDefinition(line), line);
    assert.ok(!isDefinition('  return f(defined);'));
  });
});

describe("ripgrep's output", () => {
  const event = (data: object, type = 'match') => JSON.stringify({ type, data });

  it('gives columns in characters, not bytes', () => {
    const line = event({
      path: { text: 'a' },
      lines: { text: 'grüße x\n' },
      line_number: 3,
      submatches: [{ start: 8 }],
    });
    assert.deepEqual(parseFoundLine(line), [
      { kind: 'match', path: 'a', line: 3, column: 7, text: 'grüße x' },
    ]);
  });

  it('splits a multi-line match, and accepts bytes that are not UTF-8', () => {
    const two = event({
      path: { text: 'a' },
      lines: { text: 'x\r\ny\n' },
      line_number: 1,
      submatches: [{ start: 0 }],
    });
    assert.deepEqual(
      parseFoundLine(two).map(({ line, text }) => [line, text]),
      [
        [1, 'x'],
        [2, 'y'],
      ],
    );
    const bytes = Buffer.from('gr\xfc\n', 'latin1').toString('base64');
    const latin = event({ path: { text: 'a' }, lines: { bytes }, line_number: 1 }, 'context');
    assert.equal(parseFoundLine(latin)[0]?.text, 'grü');
    assert.deepEqual(parseFoundLine(event({}, 'summary')), []);
  });
});
