import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { bird } from '../../../host/tasks/datasets/bird/bird.ts';
import { openLargeFile, readLargeFile } from '../../../host/tasks/format/archive.ts';
import { tempFolder } from './folder.ts';

const text = 'x'.repeat(3_500_000);
const hashOf = (content: string | Uint8Array) => createHash('sha256').update(content).digest('hex');

describe('a large file', () => {
  it('is read in small pieces, and completely', async () => {
    await using folder = await tempFolder({ a: text });
    const file = await openLargeFile('a', join(folder.path, 'a'));
    assert.equal(file.sha256, hashOf(text));
    const pieces: Buffer[] = [];
    for await (const piece of readLargeFile(file)) pieces.push(piece);
    assert.ok(pieces.every(({ length }) => length <= 1024 * 1024));
    assert.equal(Buffer.concat(pieces).toString(), text);
  });

  for (const [what, other] of [
    ['other bytes', text.replace('x', 'y')],
    ['less', text.slice(1)],
    ['nothing', ''],
  ] as const)
    it(`is not passed on as the same once it has ${what}`, async () => {
      await using folder = await tempFolder({ a: text });
      const file = await openLargeFile('a', join(folder.path, 'a'));
      await folder.write({ a: other });
      await assert.rejects(buffer(readLargeFile(file)), { code: 'bad-data' });
    });

  it('is described again once it has changed', async () => {
    await using folder = await tempFolder({ a: 'one' });
    const one = await openLargeFile('a', join(folder.path, 'a'));
    await folder.write({ a: 'other' });
    const two = await openLargeFile('a', join(folder.path, 'a'));
    assert.notEqual(one.sha256, two.sha256);
  });

  it('is how BIRD passes on its databases: streamed, and the same for all questions about one', async () => {
    const data = await bird.open('test/data/datasets/bird');
    const whole = data.ids.filter((id) => !data.lacking?.has(id));
    const seeds = await Promise.all(whole.map(async (id) => (await data.load(id)).seeds()));
    for (const { tar } of seeds.flatMap((all) => all.slice(0, -1)))
      assert.ok(tar instanceof Uint8Array && !Buffer.from(tar).includes('SQLite format 3'));
    // So one golden checkpoint serves them all.
    const states = seeds.map((all) => all.map((seed) => ('digest' in seed ? seed.digest : hashOf(seed.tar))));
    assert.equal(new Set(states.map((state) => state.join())).size, 2);
  });
});
