import assert from 'node:assert/strict';
import { pause } from '../../../bridge/lib/index.ts';
import { openAttemptQueue, openQueuePace } from '../../../host/run/index.ts';
import { RateLimiter, SharedPace } from '../../../host/run/models/rate-limiter.ts';
import {
  openPostgres,
  type OpenQueueServer,
  openRedis,
  type QueueServer,
} from '../../../bench/lib/queue-server.ts';
import { everything, slowIt } from '../../support/slow.ts';

const never = new AbortController().signal;
/** Seconds, so that a test need not take minutes. */
const windows = { requests: 2, tokens: 2 };

overServer('Redis', openRedis);
if (everything) overServer('PostgreSQL', openPostgres);

function overServer(name: string, open: OpenQueueServer): void {
  describe(`the pace of a model that workers share in ${name}`, () => {
    const owned = new AsyncDisposableStack();
    let server: QueueServer;
    before(async () => {
      server = owned.use(await open());
      owned.use(await openAttemptQueue(server.url));
    });
    after(() => owned.disposeAsync());

    /** Another worker's limiter of the same model. */
    async function openWorker(model: string, rate: { requests?: number; tokens?: number } = {}) {
      const { ask } = owned.use(await openQueuePace(server.url, windows));
      const shared = new SharedPace(ask, rate);
      return new RateLimiter(100, model, () => shared);
    }

    /** Times at which turns begin, in milliseconds. */
    async function takeTurns(worker: RateLimiter, count: number, start: number): Promise<number[]> {
      const times: number[] = [];
      for (let i = 0; i < count; i++) {
        using place = await worker.enter(never);
        void place;
        times.push(performance.now() - start);
      }
      return times;
    }

    it('has no more requests in a time than its limit, over all workers', async () => {
      // 240 a minute are 8 in 2 seconds.
      const workers = await Promise.all([1, 2, 3].map(() => openWorker('limited', { requests: 240 })));
      const start = performance.now();
      const times = (await Promise.all(workers.map((worker) => takeTurns(worker, 7, start)))).flat();
      const early = times.filter((ms) => ms < windows.requests * 1000);
      assert.equal(early.length, 8);
      assert.equal(times.length, 21);
    });

    it('makes all wait when the server of one says that it is too much', async () => {
      const [one, two, other] = await Promise.all(
        ['busy', 'busy', 'other'].map((model) => openWorker(model)),
      );
      assert.ok(one && two && other);
      one.slowDown(2500);
      await pause(500, never);
      const start = performance.now();
      assert.ok((await takeTurns(other, 1, start)).every((ms) => ms < 1000));
      const [waited = 0] = await takeTurns(two, 1, start);
      assert.ok(waited > 1200, `${waited} ms`);
    });

    slowIt('waits once the tokens of a minute are used', async () => {
      const [one, two] = await Promise.all([1, 2].map(() => openWorker('tokens', { tokens: 3000 })));
      assert.ok(one && two);
      const start = performance.now();
      await takeTurns(one, 1, start);
      one.speedUp(100);
      await takeTurns(two, 1, start);
      two.speedUp(100);
      await pause(200, never);
      const [waited = 0] = await takeTurns(two, 1, start);
      assert.ok(waited > 1500, `${waited} ms`);
    });

    slowIt('goes on without an answer', async () => {
      const shared = new SharedPace(() => new Promise(() => undefined), { requests: 1 });
      const worker = new RateLimiter(100, 'lost', () => shared);
      const [first = 0, second = 0] = await takeTurns(worker, 2, performance.now());
      assert.ok(first >= 4900 && first < 20_000, `${first} ms`);
      assert.ok(second - first < 1000, `${second} ms`);
    });
  });
}
