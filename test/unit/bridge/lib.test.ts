import assert from 'node:assert/strict';
import {
  collectCauses,
  deadline,
  describeError,
  isSameSecret,
  pause,
  poll,
  PwpError,
  raceSignal,
} from '../../../bridge/lib/index.ts';

function pwp(code: string, message: RegExp): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof PwpError, String(error));
    assert.equal(error.code, code);
    assert.match(error.message, message);
    return true;
  };
}

function causedBy(cause: unknown): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof PwpError, String(error));
    assert.equal(error.code, 'timeout');
    assert.equal(error.cause, cause);
    return true;
  };
}

const never = new Promise<never>(() => {});

describe('deadline', () => {
  it('names the operation when it fires', async () => {
    using limit = deadline('the test', 5);
    await assert.rejects(raceSignal(never, limit.signal), pwp('timeout', /the test took longer than 5 ms/));
  });

  it('fires with its parent, and at once when the parent has fired', async () => {
    const parent = new AbortController();
    using limit = deadline('the test', 60_000, parent.signal);
    const waiting = raceSignal(never, limit.signal);
    parent.abort(new Error('parent'));
    await assert.rejects(waiting, /parent/);
    using late = deadline('the test', 60_000, parent.signal);
    assert.ok(late.signal.aborted);
  });

  it('holds nothing after it is disposed', () => {
    const parent = new AbortController();
    const limit = deadline('the test', 60_000, parent.signal);
    limit[Symbol.dispose]();
    parent.abort();
    assert.equal(limit.signal.aborted, false);
  });
});

describe('raceSignal', () => {
  it('settles like the promise', async () => {
    const { signal } = new AbortController();
    assert.equal(await raceSignal(Promise.resolve(4), signal), 4);
    await assert.rejects(raceSignal(Promise.reject(new Error('no')), signal), /no/);
  });

  it('rejects with a cancellation when the reason is not an error', async () => {
    await assert.rejects(raceSignal(never, AbortSignal.abort('enough')), pwp('cancelled', /cancelled/));
  });
});

describe('pause', () => {
  it('ends early with the reason of its signal', async () => {
    const controller = new AbortController();
    const waiting = pause(60_000, controller.signal);
    controller.abort(new Error('stop'));
    await assert.rejects(waiting, /stop/);
    await assert.rejects(pause(60_000, controller.signal), /stop/);
  });
});

describe('poll', () => {
  it('asks until the probe is done; a probe that throws is not done yet', async () => {
    let tries = 0;
    const probe = () => {
      if (++tries === 1) throw new Error('not there');
      return tries < 3 ? { done: false as const, saw: 'little' } : { done: true as const, value: tries };
    };
    const { signal } = new AbortController();
    assert.equal(await poll('it', probe, { intervalMs: 1, signal }), 3);
  });

  it('reports what it saw last', async () => {
    using limit = deadline('the test', 20);
    const probe = () => ({ done: false as const, saw: 'two of three' });
    const waiting = poll('the parts', probe, { intervalMs: 1, signal: limit.signal });
    const message = /waiting for the parts: the test took longer than 20 ms; last seen: two of three/;
    await assert.rejects(waiting, pwp('timeout', message));
  });

  it('reports a time-out with what the probe threw last as its cause', async () => {
    using limit = deadline('the test', 20);
    const refused = new Error('connection refused');
    const probe = () => Promise.reject(refused);
    const waiting = poll('the port', probe, { intervalMs: 1, signal: limit.signal });
    await assert.rejects(waiting, causedBy(refused));
  });

  it('has the time-out itself as the cause if the probe did not throw last', async () => {
    const over = AbortSignal.timeout(20);
    let tries = 0;
    const probe = () => {
      if (++tries === 1) throw new Error('not there');
      return { done: false as const, saw: 'little' };
    };
    const waiting = poll('it', probe, { intervalMs: 1, signal: over });
    await assert.rejects(waiting, (error) => causedBy(over.reason)(error));
  });

  it('keeps what it saw before the signal cut the probe off', async () => {
    using limit = deadline('the test', 20);
    let tries = 0;
    const probe = () =>
      ++tries === 1 ? { done: false as const, saw: 'one of three' } : raceSignal(never, limit.signal);
    const waiting = poll('the parts', probe, { intervalMs: 1, signal: limit.signal });
    await assert.rejects(waiting, pwp('timeout', /last seen: one of three/));
  });

  it('reports a cancellation as such', async () => {
    const reasons = [new PwpError('sandbox-stopped', 'the sandbox is stopped'), new Error('interrupted')];
    for (const reason of reasons) {
      const controller = new AbortController();
      const probe = () => {
        controller.abort(reason);
        return { done: false as const, saw: 'little' };
      };
      const waiting = poll('it', probe, { intervalMs: 1, signal: controller.signal });
      await assert.rejects(waiting, (error) => error === reason);
    }
  });
});

describe('messageOf', () => {
  it('returns the message of any thrown value', () => {
    assert.equal(describeError(new Error('a')), 'a');
    assert.equal(describeError('b'), 'b');
    assert.equal(describeError(undefined), 'undefined');
  });
});

describe('causesOf', () => {
  it('follows the chain of causes, through the first of several attempts, and ends on a circular chain', () => {
    const root = new Error('root');
    const attempts = new AggregateError([root, new Error('other')]);
    const error = new Error('outer', { cause: attempts });
    assert.deepEqual(collectCauses(error), [attempts, root]);
    assert.deepEqual(collectCauses('text'), []);
    root.cause = error;
    assert.equal(collectCauses(error).length, 10);
  });
});

describe('isSameSecret', () => {
  it('is true only for the same text', () => {
    assert.ok(isSameSecret('abc', 'abc'));
    for (const other of ['', 'ab', 'abd', 'abcd']) assert.ok(!isSameSecret(other, 'abc'), other);
  });
});
