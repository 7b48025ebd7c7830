import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Service } from '../../../bridge/protocol/index.ts';
import { type EpisodeEnding, openRecord, type RecordedResult } from '../../../host/run/index.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/folder.ts';
import { grade, meta, observationOf, plainPng, resetInfo, stepOf } from '../../support/record-fixture.ts';

const chromium = (state: Service['state'], restarts: number): Service => ({
  name: 'chromium',
  state,
  restarts,
});
const extension = (state: Service['state'], restarts: number, reloaded?: boolean): Service => ({
  name: 'extension',
  state,
  restarts,
  ...(reloaded !== undefined && { reloaded }),
});

describe('trust in a reward', () => {
  let folder: TemporaryFolder;
  let count = 0;
  before(async () => {
    folder = await temporaryFolder();
  });
  after(() => folder[Symbol.asyncDispose]());

  /** An episode with these reports: one list for each step, then those after the last step. */
  async function resultOf(
    inSteps: readonly (readonly Service[])[],
    later: readonly Service[] = [],
    { how = 'finished', ...of }: { how?: EpisodeEnding; unwritten?: string; trust?: string } = {},
  ): Promise<RecordedResult> {
    const record = await openRecord(join(folder.path, String((count += 1))), meta);
    const png = await plainPng('red');
    await record.reset(observationOf(1, png), resetInfo);
    for (const [i, services] of inSteps.entries())
      await record.step(observationOf(i + 2, png), stepOf(i + 1, [], { services: [...services] }));
    for (const service of later) await record.service(service);
    await record.grade({ ...grade, reward: 0, ...of });
    return record.end(how);
  }

  it('holds if nothing died', async () => {
    const result = await resultOf([[], []]);
    assert.deepEqual([result.rewardTrustworthy, result.doubts, result.deaths], [true, [], []]);
  });

  it('has a note if the tests run the agent’s code beside them, which does not reduce it', async () => {
    const note = "tests of res-q run the agent's code beside them, which can forge a pass";
    const [noted, plain] = [await resultOf([[]], [], { trust: note }), await resultOf([[]])];
    assert.deepEqual([noted.trust, noted.rewardTrustworthy, noted.doubts], [note, true, []]);
    assert.equal(plain.trust, null);
    const lost = await resultOf([[]], [], { trust: note, how: 'grading-failed' });
    assert.deepEqual([lost.reward, lost.trust], [null, null]);
  });

  it('is lost if a part died in a step, which names part, step and return', async () => {
    const died = [chromium('waiting', 1), chromium('starting', 1), chromium('ready', 1)];
    const { rewardTrustworthy, doubts, deaths } = await resultOf([[], died]);
    assert.equal(rewardTrustworthy, false);
    assert.deepEqual(deaths, [{ part: 'chromium', times: 1, steps: [2], returned: true }]);
    assert.deepEqual(doubts, ['chromium died (step 2) and came back']);
  });

  it('counts each death, and says when a part did not come back', async () => {
    const { deaths } = await resultOf([
      [chromium('waiting', 1), chromium('ready', 1)],
      [chromium('waiting', 2), chromium('failed', 2)],
    ]);
    assert.deepEqual(deaths, [{ part: 'chromium', times: 2, steps: [1, 2], returned: false }]);
  });

  it('is lost if a part died after the last step', async () => {
    const { rewardTrustworthy, doubts } = await resultOf([[]], [chromium('waiting', 1)]);
    assert.equal(rewardTrustworthy, false);
    assert.deepEqual(doubts, ['chromium died and did not come back']);
  });

  it('holds if the extension host ended with a reloaded window', async () => {
    const { rewardTrustworthy } = await resultOf([[extension('waiting', 1), extension('ready', 1, true)]]);
    assert.equal(rewardTrustworthy, true);
  });

  it('is lost if the extension host died by itself, even after a reload', async () => {
    const { deaths } = await resultOf([
      [extension('waiting', 1), extension('ready', 1, true)],
      [extension('waiting', 2), extension('ready', 2)],
    ]);
    assert.deepEqual(deaths, [{ part: 'extension', times: 1, steps: [2], returned: true }]);
  });

  it('is lost if the sandbox failed, or if the IDE could not write', async () => {
    const failed = await resultOf([[]], [], { how: 'sandbox-failed', unwritten: 'the bridge is gone' });
    assert.equal(failed.rewardTrustworthy, false);
    assert.equal(failed.reward, 0);
    assert.equal(failed.doubts.length, 2);
  });

  it('is unknown without a reward', async () => {
    const result = await resultOf([[chromium('waiting', 1)]], [], { how: 'infrastructure-error' });
    assert.deepEqual([result.reward, result.rewardTrustworthy], [null, null]);
  });
});
