import assert from 'node:assert/strict';
import { once } from 'node:events';
import { EpisodeClock } from '../../../host/run/episode/episode-limits.ts';

const never = new AbortController().signal;

describe('the clock of an episode', () => {
  it('ends it, naming what took too long', async () => {
    using clock = new EpisodeClock('episode of a/b', 1, never);
    await once(clock.signal, 'abort');
    assert.throws(() => clock.signal.throwIfAborted(), {
      code: 'timeout',
      message: 'episode of a/b took longer than 1 ms',
    });
  });

  it('stops until the last hold is over', async () => {
    using held = new EpisodeClock('held', 1, never);
    const [one, other] = [held.hold(), held.hold()];
    one[Symbol.dispose]();
    one[Symbol.dispose]();
    using running = new EpisodeClock('running', 20, never);
    await once(running.signal, 'abort');
    assert.equal(held.signal.aborted, false);
    other[Symbol.dispose]();
    await once(held.signal, 'abort');
  });

  it('ends with its parent, even while stopped', () => {
    const parent = new AbortController();
    using clock = new EpisodeClock('held', 60_000, parent.signal);
    using hold = clock.hold();
    void hold;
    parent.abort(new Error('stopped'));
    assert.throws(() => clock.signal.throwIfAborted(), /stopped/);
    using late = new EpisodeClock('late', 60_000, parent.signal);
    assert.equal(late.signal.aborted, true);
  });
});
