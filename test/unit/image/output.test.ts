import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyChanged, writeChanged } from '../../../host/node/setup/extension-packages.ts';

describe('built files', () => {
  let folder = '';
  beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'pwp-output-'))));
  afterEach(() => rm(folder, { recursive: true }));

  it('are not rewritten when their content is the same', async () => {
    const file = join(folder, 'deep/file');
    assert.equal(await writeChanged(file, Buffer.from('one')), true);
    const before = await stat(file);
    assert.equal(await writeChanged(file, Buffer.from('one')), false);
    assert.equal((await stat(file)).ino, before.ino);
    assert.equal(await writeChanged(file, Buffer.from('two')), true);
    assert.equal(await readFile(file, 'utf8'), 'two');
    assert.deepEqual(await readdir(join(folder, 'deep')), ['file']);
  });

  it('lose parts that their source has lost', async () => {
    await mkdir(join(folder, 'from/sub'), { recursive: true });
    await writeFile(join(folder, 'from/sub/kept'), 'kept');
    await mkdir(join(folder, 'to/sub'), { recursive: true });
    await writeFile(join(folder, 'to/sub/stale'), 'stale');
    await copyChanged(join(folder, 'from'), join(folder, 'to'));
    assert.deepEqual(await readdir(join(folder, 'to'), { recursive: true }), ['sub', 'sub/kept']);
  });
});
