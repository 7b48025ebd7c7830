import assert from 'node:assert/strict';
import { clip } from '../../../extension/src/lib/clip.ts';

describe('clipping text', () => {
  it('leaves text within the bound alone', () => {
    assert.equal(clip('', 1), '');
    assert.equal(clip('abc', 3), 'abc');
    assert.equal(clip('🦊', 2), '🦊');
  });

  it('cuts at the bound', () => assert.equal(clip('abcd', 3), 'abc'));

  it('gives up a character that the bound would cut in two', () => {
    assert.equal(clip('ab🦊', 3), 'ab');
    assert.equal(clip('🦊🦊', 3), '🦊');
    assert.equal(clip('🦊', 1), '');
  });
});
