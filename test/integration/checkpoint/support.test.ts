import assert from 'node:assert/strict';
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
