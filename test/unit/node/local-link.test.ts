import assert from 'node:assert/strict';
import { PwpError } from '../../../bridge/lib/index.ts';
import { type EndableConnection, LazyConnection } from '../../../host/node/local/bridge-connection.ts';

/** A connection that a test can end, and its number. */
class Line implements EndableConnection {
  readonly closed: Promise<void>;
  #end: () => void = () => undefined;
  readonly number: number;

  constructor(number: number) {
    this.number = number;
    this.closed = new Promise((resolve) => (this.#end = resolve));
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#end();
    return this.closed;
  }
}

const never = new AbortController().signal;

describe('Link', () => {
  it('connects when needed, once for all simultaneous callers', async () => {
    let made = 0;
    const link = new LazyConnection(() => Promise.resolve(new Line((made += 1))));
    const [first, second] = await Promise.all([link.get(never), link.get(never)]);
    assert.equal(first, second);
    assert.equal(await link.get(never), first);
    assert.equal(made, 1);
  });

  it('connects again after the connection ended or was dropped', async () => {
    let made = 0;
    const link = new LazyConnection(() => Promise.resolve(new Line((made += 1))));
    await (await link.get(never))[Symbol.asyncDispose]();
    assert.equal((await link.get(never)).number, 2);
    await link.drop();
    assert.equal((await link.get(never)).number, 3);
  });

  it('tries again for a caller who shared an attempt that another cancelled', async () => {
    let made = 0;
    const link = new LazyConnection(async (signal) => {
      made += 1;
      if (made === 1)
        await new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('gone'))));
      return new Line(made);
    });
    const controller = new AbortController();
    const first = link.get(controller.signal);
    const second = link.get(never);
    controller.abort();
    await assert.rejects(first, /gone/);
    assert.equal((await second).number, 2);
  });

  it('cancels a pending connection when it is closed, and makes no further one', async () => {
    const line = new Line(1);
    const link = new LazyConnection(() => Promise.resolve(line));
    const got = link.get(never);
    await link.close();
    await Promise.all([got, line.closed]);
    await assert.rejects(
      link.get(never),
      (error) => error instanceof PwpError && error.code === 'sandbox-stopped',
    );
  });
});
