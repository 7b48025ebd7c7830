import assert from 'node:assert/strict';
import { PassThrough, Readable } from 'node:stream';
import { BoundedOutput, readBounded } from '../../../bridge/lib/index.ts';

describe('bounded output', () => {
  const read = async (chunks: Buffer[], max: number) => {
    const stream = new PassThrough();
    const output = new BoundedOutput(stream, max);
    for (const chunk of chunks) stream.write(chunk);
    stream.end();
    await new Promise((resolve) => stream.once('end', resolve));
    return [output.text(), output.truncated];
  };

  it('keeps what fits and says when there was more', async () => {
    assert.deepEqual(await read([Buffer.from('ab'), Buffer.from('cd')], 4), ['abcd', false]);
    assert.deepEqual(await read([Buffer.from('ab'), Buffer.from('cde'), Buffer.from('f')], 4), [
      'abcd',
      true,
    ]);
    assert.deepEqual(await read([], 4), ['', false]);
  });

  it('does not cut a character in two', async () => {
    assert.deepEqual(await read([Buffer.from('aé')], 2), ['a', true]);
    const euro = Buffer.from('€');
    assert.deepEqual(await read([euro.subarray(0, 1), euro.subarray(1)], 3), ['€', false]);
  });
});

describe('reading up to a bound', () => {
  const chunks = [Buffer.from('ab'), Buffer.from('cd')];

  it('answers all of a stream that has no more than the bound', async () => {
    assert.equal(String(await readBounded(Readable.from(chunks), 4)), 'abcd');
  });

  it('answers nothing for one that has more, and ends it', async () => {
    const stream = Readable.from(chunks);
    assert.equal(await readBounded(stream, 3), undefined);
    assert.ok(stream.destroyed);
  });
});
