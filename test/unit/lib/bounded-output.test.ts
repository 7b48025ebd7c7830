import assert from 'node:assert/strict';
import { once } from 'node:events';
import { PassThrough, Readable } from 'node:stream';
import { BoundedOutput, readBounded } from '../../../bridge/lib/index.ts';

describe('bounded output', () => {
  const read = async (chunks: Buffer[], max: number, tail = 0) => {
    const stream = new PassThrough();
    const output = new BoundedOutput(stream, max, tail);
    for (const chunk of chunks) stream.write(chunk);
    stream.end();
    await new Promise((resolve) => stream.once('end', resolve));
    return [output.text(), output.truncated];
  };

  it('keeps what fits and says whether there was more', async () => {
    assert.deepEqual(await read([Buffer.from('ab'), Buffer.from('cd')], 4), ['abcd', false]);
    assert.deepEqual(await read([Buffer.from('ab'), Buffer.from('cde'), Buffer.from('f')], 4), [
      'abcd',
      true,
    ]);
    assert.deepEqual(await read([], 4), ['', false]);
  });

  it('also keeps the end on request, and says what is left out between', async () => {
    const lines = Array.from({ length: 500 }, (_, i) => Buffer.from(`line ${i}\n`));
    const [text, truncated] = await read(lines, 400, 200);
    assert.match(String(text), /^line 0\n[^]*\n\[\d+ bytes left out\]\n[^]*line 499\n$/);
    assert.ok(truncated === true && Buffer.byteLength(String(text)) <= 400);
    assert.deepEqual(await read([Buffer.from('ab'), Buffer.from('cd')], 4, 2), ['abcd', false]);
  });

  it('joins many small pieces of an end without losing one', async () => {
    const bytes = Array.from({ length: 5000 }, (_, i) => Buffer.from(String(i % 10)));
    const [text] = await read(bytes, 500, 300);
    assert.match(String(text), /^(0123456789){20}\n\[4560 bytes left out\]\n(0123456789){24}$/);
  });

  it('keeps reading after it drops the rest, so that the writer continues', async () => {
    const stream = new PassThrough({ highWaterMark: 10 });
    const output = new BoundedOutput(stream, 10);
    output.drop();
    for (let i = 0; i < 100; i += 1) if (!stream.write('0123456789')) await once(stream, 'drain');
    assert.equal(output.text(), '');
  });

  it('does not cut a character in two', async () => {
    const [text] = await read([Buffer.from('ä'.repeat(500))], 401, 200);
    assert.match(String(text), /^ä+\n\[\d+ bytes left out\]\nä+$/);
    assert.deepEqual(await read([Buffer.from('aé')], 2), ['a', true]);
    const euro = Buffer.from('€');
    assert.deepEqual(await read([euro.subarray(0, 1), euro.subarray(1)], 3), ['€', false]);
  });
});

describe('reading up to a bound', () => {
  const chunks = [Buffer.from('ab'), Buffer.from('cd')];

  it('returns all of a stream up to the bound', async () => {
    assert.equal(String(await readBounded(Readable.from(chunks), 4)), 'abcd');
  });

  it('returns nothing for a longer one, and ends it', async () => {
    const stream = Readable.from(chunks);
    assert.equal(await readBounded(stream, 3), undefined);
    assert.ok(stream.destroyed);
  });
});
