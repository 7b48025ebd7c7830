import assert from 'node:assert/strict';
import { parseJson, toJson, wellFormed } from '../../../bridge/text/index.ts';

const half = '\u{1F600}'.slice(0, 1);
const other = '\u{1F600}'.slice(1);

describe('JSON without half characters', () => {
  it('has � in place of each, in texts and names, however deep', () => {
    const value = { [`k${half}`]: [`a${half}`, { b: `${other}c` }], whole: '😀', n: 1, no: null };
    assert.deepEqual(JSON.parse(toJson(value)), {
      'k\u{FFFD}': ['a\u{FFFD}', { b: '\u{FFFD}c' }],
      ...{ whole: '😀', n: 1, no: null },
    });
    assert.doesNotMatch(toJson(value), /\\ud[89a-f]/i);
  });

  it("equals JSON.stringify's output for everything else", () => {
    // The last is a text about an escape, not an escape.
    for (const value of ['😀', 'a"\\b\n\u202e', { a: [undefined, new Date(0), 1n < 2] }, '\\ud83d', []])
      assert.equal(toJson(value, 2), JSON.stringify(value, null, 2));
    assert.equal(toJson(undefined), undefined);
  });

  it('is read as other programs write it', () => {
    assert.deepEqual(parseJson('["\\ud83d\\ude00", "\\ud83d", "\\uDE00x", "\\\\ud83d"]'), [
      ...['😀', '\u{FFFD}', '\u{FFFD}x', '\\ud83d'],
    ]);
    assert.throws(() => parseJson('{'), SyntaxError);
  });

  it('keeps what only looks like a prototype', () => {
    const value = wellFormed(JSON.parse(`{"__proto__": "\\ud83d"}`)) as object;
    assert.deepEqual(Object.entries(value), [['__proto__', '\u{FFFD}']]);
  });
});
