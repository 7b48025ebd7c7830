import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { BenchProcess } from '../../../bench/queue/processes.ts';
import { places, playSimulated } from '../../../bench/queue/roles.ts';
import { simulatedEnv } from '../../../bench/queue/simulated-try.ts';
import { openRedis } from '../../../bench/lib/queue-server.ts';
import { queueTimes } from '../../../bench/lib/queued-tries.ts';
import { openAttemptQueue, QueueRunner } from '../../../host/run/index.ts';
import { BlobFolder } from '../../../host/run/queue/blob-store.ts';
import { temporaryFolder } from '../../support/folder.ts';

const program = fileURLToPath(new URL('../../../bench/queue/program.ts', import.meta.url));
const attempt = {
  package: 'p',
  study: 's',
  title: 't',
  task: 'a/b',
  agent: 0,
  number: 1,
  folder: 'attempts/a',
};

describe('a worker whose tries are processes', () => {
  it('gives its attempts back when it gets SIGTERM', async () => {
    await using owned = new AsyncDisposableStack();
    const folder = owned.use(await temporaryFolder());
    const server = owned.use(await openRedis());
    const queue = owned.use(await openAttemptQueue(server.url, queueTimes));
    await queue.jobs.add('t', attempt, { jobId: 's.a' });
    const order = {
      url: server.url,
      store: folder.file('store'),
      times: queueTimes,
      parallel: 1,
      processes: true,
    };
    const env = simulatedEnv({ ms: 60_000, spread: 0, failing: 0 });
    const worker = owned.use(new BenchProcess('worker', order, { program, mark: 'test', env }));
    await worker.firstTry;
    await worker[Symbol.asyncDispose]();
    assert.deepEqual([await worker.exit(), await queue.jobs.getJobCountByTypes('waiting')], [0, 1]);
  });

  it('leaves records that a study takes a few at a time', async () => {
    await using owned = new AsyncDisposableStack();
    const folder = owned.use(await temporaryFolder());
    const server = owned.use(await openRedis());
    const queue = owned.use(await openAttemptQueue(server.url, queueTimes));
    const path = folder.file('store');
    const order = { url: server.url, store: path, times: queueTimes, parallel: 60, processes: false };
    const env = simulatedEnv({ ms: 0, spread: 0, failing: 0 });
    owned.use(new BenchProcess('worker', order, { program, mark: 'test', env }));
    const store = new CountingStore(path);
    const { results } = await playSimulated({
      ...{ folder: folder.file('study'), attempts: 3 * places, parallel: Infinity },
      openRunner: async (parts) =>
        owned.use(await QueueRunner.open({ queue, store, title: 'study', priority: 100, ...parts })),
    });
    assert.equal(results.length, 3 * places);
    assert.ok(store.most <= 8, `${store.most} at a time`);
  });
});

class CountingStore extends BlobFolder {
  most = 0;
  #now = 0;

  override async get(name: string, file: string): Promise<void> {
    this.most = Math.max(this.most, ++this.#now);
    await super.get(name, file);
    this.#now -= 1;
  }
}
