import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { Checkpointer } from '../../../host/node/checkpoint/checkpointer.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { never } from '../../support/node-sandbox.ts';

describe('the kinds of checkpoints that a machine can take', () => {
  it('are detected for callers who still wait when the first caller gives up', async () => {
    await using home = await temporaryFolder();
    await using checkpointer = new Checkpointer(home.path);
    const first = new AbortController();
    const gone = assert.rejects(checkpointer.support(first.signal), { message: 'enough' });
    const second = checkpointer.support(never);
    first.abort(new Error('enough'));
    await gone;
    const { notes } = await second;
    assert.match(notes[0] ?? '', /^Linux /);
  });
});

describe('temporary files of the kernel test', () => {
  it('are removed if a killed process left them, and kept while a process still uses them', async () => {
    const [left, new_] = [await mkdtemp('/dev/shm/pwp-criu-'), await mkdtemp('/dev/shm/pwp-criu-')];
    try {
      const hourAgo = Date.now() / 1000 - 3600;
      await utimes(left, hourAgo, hourAgo);
      await using home = await temporaryFolder();
      await using checkpointer = new Checkpointer(home.path);
      await checkpointer.support(never);
      assert.deepEqual([existsSync(left), existsSync(new_)], [false, true]);
    } finally {
      for (const path of [left, new_]) await rm(path, { recursive: true, force: true });
    }
  });
});

describe('the store of checkpoints', () => {
  it('is opened by the next caller if it could not be opened before', async () => {
    await using folder = await temporaryFolder();
    const home = folder.file('home');
    await writeFile(home, 'no folder');
    await using checkpointer = new Checkpointer(home);
    await assert.rejects(checkpointer.store(), { code: 'ENOTDIR' });
    await rm(home);
    assert.deepEqual(await (await checkpointer.store()).list(), []);
  });

  it('is not opened again after the end', async () => {
    await using folder = await temporaryFolder();
    const checkpointer = new Checkpointer(folder.path);
    await checkpointer.store();
    await checkpointer[Symbol.asyncDispose]();
    await assert.rejects(checkpointer.store(), { code: 'node-closed' });
  });
});
