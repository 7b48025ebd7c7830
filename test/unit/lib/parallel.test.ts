import assert from 'node:assert/strict';
import { forEachParallel } from '../../../host/lib/index.ts';

const never = new AbortController().signal;

describe('forEachParallel', () => {
  it('keeps the order of the items regardless of which finishes first', async () => {
    const gates = [1, 2, 3].map(() => Promise.withResolvers<void>());
    const all = forEachParallel([0, 1, 2], 3, never, async (item) => {
      await gates[item]?.promise;
      return item * 10;
    });
    gates.reverse().forEach(({ resolve }) => resolve());
    assert.deepEqual(await all, [0, 10, 20]);
  });

  it('never runs more than the width at a time', async () => {
    let running = 0;
    let most = 0;
    await forEachParallel([1, 2, 3, 4, 5], 2, never, async () => {
      most = Math.max(most, ++running);
      await Promise.resolve();
      running--;
    });
    assert.equal(most, 2);
  });

  it('starts nothing new once it is cancelled', async () => {
    const controller = new AbortController();
    let started = 0;
    const all = forEachParallel([1, 2, 3], 1, controller.signal, () => {
      started++;
      controller.abort(new Error('enough'));
      return Promise.resolve();
    });
    await assert.rejects(all, /enough/);
    assert.equal(started, 1);
  });
});
