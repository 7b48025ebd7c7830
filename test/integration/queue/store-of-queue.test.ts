import assert from 'node:assert/strict';
import { mkdir, readdir, rename, rm, utimes, writeFile } from 'node:fs/promises';
import {
  type AttemptQueue,
  type BlobStore,
  cleanStore,
  openAttemptQueue,
  openBlobStore,
} from '../../../host/run/index.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/folder.ts';
import { openRedis, type QueueServer } from '../../../bench/lib/queue-server.ts';
import { playQueuedStudy, startQueueWorker, type WorkerStart } from '../../support/queued-study.ts';
import { queueTimes } from '../../../bench/lib/queued-tries.ts';

const day = 86_400_000;

describe("a queue's store in a folder", () => {
  let server: QueueServer;
  let queue: AttemptQueue;
  let folder: TemporaryFolder;
  let store: BlobStore;
  before(async () => {
    server = await openRedis();
    queue = await openAttemptQueue(server.url, queueTimes);
  });
  after(async () => {
    await queue[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });
  beforeEach(async () => {
    folder = await temporaryFolder();
    store = openBlobStore(folder.file('store'));
  });
  afterEach(async () => {
    await queue.jobs.obliterate({ force: true });
    await folder[Symbol.asyncDispose]();
  });

  const play = () => playQueuedStudy(queue, store, folder.file('study'), 1);
  const startWorker = (start: Pick<WorkerStart, 'ms' | 'parallel'>) =>
    startQueueWorker({ queue: server.url, store: folder.file('store'), ...start });
  const list = async (place: string) => (await readdir(folder.file(`store/${place}`))).toSorted();
  const age = async (place: string, days: number) => {
    for (const name of await list(place)) {
      const at = new Date(Date.now() - days * day);
      await utimes(folder.file(`store/${place}/${name}`), at, at);
    }
  };
  const clean = (days: number) => cleanStore(queue, store, { olderMs: days * day });

  it('ends workers when it has gone, and they give back what they were making', async () => {
    await using first = startWorker({ ms: 1500, parallel: 1 });
    const playing = play();
    await first.begun;
    await rename(folder.file('store'), folder.file('away'));
    await writeFile(folder.file('store'), 'not a folder');
    assert.equal(await first.ended, 1);
    await rm(folder.file('store'));
    await rename(folder.file('away'), folder.file('store'));
    await using second = startWorker({ ms: 10 });
    const { results } = await playing;
    await second.begun;
    const ends = results.map(({ tries }) => tries.map(({ end }) => end));
    assert.deepEqual(ends.toSorted(), [['interrupted', 'scored'], ['scored']]);
  });

  it('is cleaned of what is old, but not of what a study refers to', async () => {
    await using worker = startWorker({ ms: 10 });
    await play();
    await worker[Symbol.asyncDispose]();
    const files = await list('files');
    assert.equal(files.length, 2);
    await age('files', 40);
    assert.deepEqual(await clean(30), { studies: 0, records: 0, files: 0 });
    await age('studies', 20);
    await mkdir(folder.file('store/records'), { recursive: true });
    await writeFile(folder.file('store/records/lost.1.tar'), '');
    await writeFile(folder.file('store/files/mine.txt'), '');
    await age('records', 40);
    await age('files', 40);
    assert.deepEqual(await clean(30), { studies: 0, records: 1, files: 0 });
    assert.deepEqual(await clean(10), { studies: 1, records: 0, files: 2 });
    assert.deepEqual(await list('files'), ['mine.txt']);
  });

  it('is not cleaned of what attempts in the queue need', async () => {
    const stop = new AbortController();
    const left = playQueuedStudy(queue, store, folder.file('study'), 1, stop.signal);
    while ((await queue.jobs.getJobCountByTypes('prioritized')) < 2) await new Promise(setImmediate);
    stop.abort(new Error('left'));
    await assert.rejects(left, { message: 'left' });
    for (const place of ['studies', 'files']) await age(place, 40);
    assert.deepEqual(await clean(30), { studies: 0, records: 0, files: 0 });
    await queue.jobs.drain();
    assert.deepEqual(await clean(30), { studies: 1, records: 0, files: 2 });
  });
});
