import assert from 'node:assert/strict';
import { Transcript } from '../../../extension/src/lib/clipped-text.ts';

describe('a transcript', () => {
  it('returns the text after an offset, also when the text before it is gone', () => {
    const transcript = new Transcript();
    transcript.add('begin\n');
    for (let i = 0; i < 2000; i += 1) transcript.add(`${'x'.repeat(999)}\n`);
    assert.ok(transcript.omitted > 0 && transcript.length === 6 + 2_000_000);
    const seen = transcript.length;
    transcript.add('after the flood\n');
    assert.deepEqual(transcript.since(seen), { text: 'after the flood\n', omitted: 0 });
    assert.equal(transcript.since(transcript.length).text, '');
    const all = transcript.since(0);
    assert.match(all.text, /^begin\n[^]*\n\[\d+ characters left out\]\n[^]*after the flood\n$/);
    assert.equal(all.omitted, transcript.omitted);
  });

  it('counts what is left out after an offset inside the omitted part', () => {
    const transcript = new Transcript();
    for (let i = 0; i < 4000; i += 1) transcript.add('0123456789'.repeat(50));
    const { omitted } = transcript;
    const { text, omitted: rest } = transcript.since(200_000 + omitted - 10);
    assert.equal(rest, 10);
    assert.match(text, /^\n\[10 characters left out\]\n0123/);
  });
});
