import assert from 'node:assert/strict';
import { SingleFlight } from '../../../bridge/lib/index.ts';

/** Work that the test ends, and how often it was started and cancelled. */
function manualWork() {
  const begun: PromiseWithResolvers<string>[] = [];
  let aborted = 0;
  const shared = new SingleFlight((signal) => {
    const work = Promise.withResolvers<string>();
    signal.addEventListener('abort', () => {
      aborted += 1;
      work.reject(new Error('given up'));
    });
    begun.push(work);
    return work.promise;
  });
  return { shared, begun, aborted: () => aborted };
}

describe('shared work', () => {
  it('is done once, and its result kept', async () => {
    const { shared, begun } = manualWork();
    const signal = new AbortController().signal;
    const both = Promise.all([shared.get(signal), shared.get(signal)]);
    assert.equal(shared.value, undefined);
    begun[0]?.resolve('done');
    assert.deepEqual(await both, ['done', 'done']);
    assert.deepEqual([await shared.get(signal), shared.value, begun.length], ['done', 'done', 1]);
    shared.forget('another');
    assert.equal(shared.value, 'done');
    shared.forget('done');
    assert.equal(shared.value, undefined);
  });

  it('continues when the caller that started it gives up', async () => {
    const { shared, begun, aborted } = manualWork();
    const first = new AbortController();
    const gone = assert.rejects(shared.get(first.signal), { message: 'enough' });
    const second = shared.get(new AbortController().signal);
    first.abort(new Error('enough'));
    await gone;
    begun[0]?.resolve('done');
    assert.deepEqual([await second, aborted(), begun.length], ['done', 0, 1]);
  });

  it('ends when all callers have given up, and the next one starts it again', async () => {
    const { shared, begun, aborted } = manualWork();
    const only = new AbortController();
    const gone = assert.rejects(shared.get(only.signal), { message: 'enough' });
    only.abort(new Error('enough'));
    await gone;
    assert.equal(aborted(), 1);
    const next = shared.get(new AbortController().signal);
    begun[1]?.resolve('again');
    assert.equal(await next, 'again');
  });

  it('is tried again after a failure', async () => {
    const { shared, begun } = manualWork();
    const { signal } = new AbortController();
    const failing = assert.rejects(shared.get(signal), { message: 'no' });
    begun[0]?.reject(new Error('no'));
    await failing;
    const next = shared.get(signal);
    begun[1]?.resolve('yes');
    assert.equal(await next, 'yes');
  });

  it('is cancelled and undone when it is closed', async () => {
    const { shared } = manualWork();
    const waiting = assert.rejects(shared.get(new AbortController().signal), { message: 'given up' });
    assert.equal(await shared.close(new Error('closed')), undefined);
    await waiting;
  });
});
