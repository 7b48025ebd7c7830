import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { Checkpointer } from '../../../host/node/local/checkpoint/index.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { never } from '../../support/node-sandbox.ts';

describe('what checkpoints a machine can take', () => {
  it('is found out for those who still wait when the first who asked gives up', async () => {
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

describe('the store of checkpoints', () => {
  it('is opened by the next caller where it could not be opened before', async () => {
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
