import assert from 'node:assert/strict';
import { clip, clipEnd, findClipStart, shorten } from '../../../bridge/text/index.ts';
import { clipMiddle, Transcript } from '../../../extension/src/lib/clipped-text.ts';

const half = '\u{1F98A}'.slice(0, 1);

describe('cuts of text', () => {
  it('do not change text within the bound', () => {
    assert.equal(clip('', 1), '');
    assert.equal(clip('abc', 3), 'abc');
    assert.equal(clipEnd('🦊', 2), '🦊');
  });

  it('are at the bound, or before a character that it would split', () => {
    assert.equal(clip('abcd', 3), 'abc');
    assert.equal(clip('ab🦊', 3), 'ab');
    assert.equal(clip('🦊🦊', 3), '🦊');
    assert.equal(clip('🦊', 1), '');
    assert.equal(clipEnd('🦊ab', 3), 'ab');
    assert.equal(clipEnd('🦊🦊', 2), '🦊');
    assert.equal(clipEnd('abc', 0), '');
    assert.deepEqual([clip('abc', -1), clip('abc', 1.5)], ['', 'a']);
  });

  it('are well formed at each bound, even of a text that is not', () => {
    const text = `a🦊${half}b🦊🦊\n${half}`;
    for (let most = 0; most <= text.length + 1; most += 1)
      for (const cut of [clip(text, most), clipEnd(text, most), shorten(text, most + 1)]) {
        assert.ok(cut.isWellFormed(), `${most}: ${JSON.stringify(cut)}`);
        assert.ok(cut.length <= most + 1);
      }
    assert.equal(clip(half, 5), '\u{FFFD}');
  });

  it('mark what is shortened, within the bound', () => {
    assert.deepEqual([shorten('abcd', 4), shorten('abcde', 4), shorten('ab🦊e', 4)], ['abcd', 'abc…', 'ab…']);
  });

  it('do not mark a text to which more will be added', () => {
    const begun = `x🦊${half}`;
    assert.equal(begun.slice(findClipStart(begun, 2)), half);
  });
});

describe('the output of a command', () => {
  const fox = '🦊';
  for (const before of ['', 'a'])
    it(`has no half character, starting at ${before.length}`, () => {
      const transcript = new Transcript();
      const whole = before + fox.repeat(700_000);
      // Terminals pass on pieces of any length.
      for (let at = 0; at < whole.length; at += 99_999) transcript.add(whole.slice(at, at + 99_999));
      assert.ok(transcript.text.isWellFormed());
      assert.equal(transcript.length, whole.length);
      assert.ok(transcript.text.endsWith(fox) && transcript.text.startsWith(before + fox));
      for (const most of [1000, 1001, 1002, 100, 101]) {
        const { text, omitted } = clipMiddle(whole, most);
        assert.ok(text.isWellFormed() && text.length <= most, String(most));
        assert.equal(omitted + text.replace(/\n\[\d+ characters left out\]\n/, '').length, whole.length);
      }
    });
});
