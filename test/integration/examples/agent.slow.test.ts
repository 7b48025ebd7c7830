import assert from 'node:assert/strict';
import { runThemeAgent } from '../../../examples/agent.ts';
import { temporaryFolder } from '../../support/folder.ts';

describe('the example of a custom agent', () => {
  it('solves its task', async () => {
    await using folder = await temporaryFolder();
    const { reward, steps, end } = await runThemeAgent(folder.path, AbortSignal.timeout(110_000));
    assert.deepEqual([reward, steps, end], [1, 2, 'finished']);
  });
});
