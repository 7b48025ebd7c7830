import assert from 'node:assert/strict';
import { buffer } from 'node:stream/consumers';
import { makeTextEntry, packArchive, streamArchive } from '../../../host/tasks/format/archive.ts';
import { readArchive } from './read-archive.ts';

describe('an archive', () => {
  it('holds files, folders and links', async () => {
    const tar = packArchive([
      { kind: 'link', path: 'l', target: 'a/b' },
      { kind: 'folder', path: 'a' },
      makeTextEntry('a/b', 'content'),
    ]);
    const found = await readArchive(tar);
    assert.equal(found.get('a/b')?.text, 'content');
    assert.equal(found.get('l')?.link, 'a/b');
    assert.equal(tar.byteLength % 512, 0);
  });

  it('uses the later of two entries with one path', async () => {
    const found = await readArchive(packArchive([makeTextEntry('a', '1'), makeTextEntry('a', '2')]));
    assert.equal(found.get('a')?.text, '2');
  });

  it('does not depend on the order of its entries', () => {
    const [a, b] = [makeTextEntry('a', '1'), makeTextEntry('b', '2')];
    assert.deepEqual(packArchive([a, b]), packArchive([b, a]));
  });

  it('keeps long and non-ASCII names', async () => {
    const long = `${'folder/'.repeat(50)}файл-数.txt`;
    const found = await readArchive(packArchive([makeTextEntry(long, 'x')]));
    assert.equal(found.get(long)?.text, 'x');
  });

  it('holds an empty file and one of exactly one block', async () => {
    const found = await readArchive(
      packArchive([makeTextEntry('empty', ''), makeTextEntry('block', 'x'.repeat(512))]),
    );
    assert.equal(found.get('empty')?.text, '');
    assert.equal(found.get('block')?.text.length, 512);
  });

  it('has the same bytes each time, even if files are read while it is', async () => {
    const texts = { b: 'x'.repeat(512), a: '', 'c/long': 'y'.repeat(5000), [`${'d/'.repeat(90)}e`]: 'z' };
    const whole = packArchive(Object.entries(texts).map(([path, text]) => makeTextEntry(path, text)));
    const { bytes, tar } = streamArchive(
      Object.entries(texts).map(([path, text]) => ({
        path,
        bytes: text.length,
        content: () => ReadableStream.from([Buffer.from(text)]),
      })),
    );
    assert.equal(bytes, whole.byteLength);
    for (let time = 0; time < 2; time += 1) assert.deepEqual(await buffer(tar), whole);
  });
});
