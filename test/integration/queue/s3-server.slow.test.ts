import assert from 'node:assert/strict';
import { readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { forEachParallel, ignoreMissing } from '../../../host/lib/index.ts';
import { type AttemptQueue, type BlobStore, cleanStore, openAttemptQueue } from '../../../host/run/index.ts';
import { readS3Place } from '../../../host/run/queue/s3-place.ts';
import { S3Store } from '../../../host/run/queue/s3-store.ts';
import { neverAborted, pause } from '../../../bridge/lib/index.ts';
import { itKeepsBlobs, listBlobs } from '../../support/blob-store-contract.ts';
import { openCutProxy } from '../../support/cut-proxy.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/folder.ts';
import { openRedis, type QueueServer } from '../../../bench/lib/queue-server.ts';
import { playQueuedStudy, startQueueWorker } from '../../support/queued-study.ts';
import { queueTimes } from '../../../bench/lib/queued-tries.ts';
import { askAsOwner, bucket, openSeaweed, s3Users } from '../../support/s3-server.ts';

const times = { patienceMs: 60_000, silenceMs: 10_000 };

describe('a store on an S3 server', () => {
  let server: QueueServer;
  let folder: TemporaryFolder;
  let prefix: string;
  let store: BlobStore;
  let tests = 0;
  before(async () => {
    server = await openSeaweed();
  });
  after(() => server[Symbol.asyncDispose]());
  beforeEach(async () => {
    prefix = `test-${tests++}`;
    folder = await temporaryFolder();
    store = open();
  });
  afterEach(() => folder[Symbol.asyncDispose]());

  const open = (env: Record<string, string> = s3Users.owner, url = server.url, name = bucket) =>
    new S3Store(readS3Place(`s3://${name}/${prefix}`, { ...env, AWS_ENDPOINT_URL: url }), times);
  const put = async (name: string, content: string | Buffer = name) => {
    await writeFile(folder.file('sent'), content);
    await store.put(name, folder.file('sent'));
  };

  itKeepsBlobs(() => ({ store, folder }));

  it('says which of its keys, rights and buckets are wrong', async () => {
    const cases: [env: Record<string, string>, name: string, code: string, message: RegExp][] = [
      [{ ...s3Users.owner, AWS_SECRET_ACCESS_KEY: 'wrong' }, bucket, 'store-denied', /SignatureDoesNotMatch/],
      [{ ...s3Users.owner, AWS_ACCESS_KEY_ID: 'wrong' }, bucket, 'store-denied', /InvalidAccessKeyId/],
      [s3Users.reader, bucket, 'store-denied', /AccessDenied/],
      [s3Users.owner, 'another', 'no-such-store', /NoSuchBucket/],
    ];
    for (const [env, name, code, message] of cases)
      await assert.rejects(open(env, server.url, name).check(), { code, message });
  });

  it('lists more files than fit into one answer', async () => {
    const names = Array.from({ length: 1100 }, (_, index) => `records/${index}.tar`);
    await writeFile(folder.file('sent'), '');
    await forEachParallel(names, 16, neverAborted, (name) => store.put(name, folder.file('sent')));
    const found = await listBlobs(store, 'records/');
    assert.deepEqual(
      found.map(({ name }) => name),
      names.toSorted(),
    );
  });

  it('keeps large files, which are never in memory as a whole', async () => {
    await writeFile(folder.file('large'), 'its beginning');
    await truncate(folder.file('large'), 512 * 1024 * 1024);
    const before = process.memoryUsage().rss;
    await store.put('records/large.tar', folder.file('large'));
    await store.get('records/large.tar', folder.file('got'));
    const grown = process.memoryUsage().rss - before;
    assert.ok(grown < 300 * 1024 * 1024, `${grown} bytes more`);
  });

  it('takes nothing that another program has put there', async () => {
    await askAsOwner('PUT', `${server.url}/${bucket}/${prefix}/files/a.tar`, 'another');
    await assert.rejects(store.get('files/a.tar', folder.file('got')), { code: 'store-failed' });
    await assert.rejects(store.has('files/a.tar'), { code: 'store-failed' });
  });

  it('goes on when the network stopped in the middle of a file', async () => {
    await using proxy = await openCutProxy(Number(new URL(server.url).port));
    const content = Buffer.alloc(64 * 1024 * 1024, 'a part of a record, ');
    await put('records/a.1.tar', content);
    const url = `http://127.0.0.1:${proxy.port}`;
    const place = readS3Place(`s3://${bucket}/${prefix}`, { ...s3Users.owner, AWS_ENDPOINT_URL: url });
    const far = new S3Store(place, { ...times, silenceMs: 1000 });
    const getting = far.get('records/a.1.tar', folder.file('got'));
    while (((await stat(folder.file('got')).catch(ignoreMissing))?.size ?? 0) === 0) await pause(1);
    proxy.cut();
    const putting = far.put('records/a.2.tar', folder.file('sent'));
    // Longer than the silence that it takes.
    await pause(3000);
    proxy.mend();
    await Promise.all([getting, putting]);
    await store.get('records/a.2.tar', folder.file('again'));
    for (const name of ['got', 'again']) assert.ok(content.equals(await readFile(folder.file(name))));
  });

  it('waits for a server that is killed and starts again', async () => {
    await put('records/a.1.tar');
    const restarting = server.restart();
    await Promise.all([put('records/a.2.tar'), store.get('records/a.1.tar', folder.file('got'))]);
    await restarting;
    await store.get('records/a.2.tar', folder.file('got'));
    assert.equal(await readFile(folder.file('got'), 'utf8'), 'records/a.2.tar');
  });

  describe('of a queue', () => {
    let redis: QueueServer;
    let queue: AttemptQueue;
    before(async () => {
      redis = await openRedis();
      queue = await openAttemptQueue(redis.url, queueTimes);
    });
    after(async () => {
      await queue[Symbol.asyncDispose]();
      await redis[Symbol.asyncDispose]();
    });

    const startWorker = (ms: number) =>
      startQueueWorker({
        ...{ queue: redis.url, store: `s3://${bucket}/${prefix}`, ms },
        env: { ...process.env, ...s3Users.owner, AWS_ENDPOINT_URL: server.url },
      });

    it('carries a study whose server is killed meanwhile', async () => {
      await using worker = startWorker(500);
      const playing = playQueuedStudy(queue, store, folder.file('study'), 4);
      await worker.begun;
      await server.restart();
      const { results } = await playing;
      assert.deepEqual(
        results.map(({ end, tries }) => [end, tries.length]),
        Array.from({ length: 8 }, () => ['scored', 1]),
      );
      assert.deepEqual(await listBlobs(store, 'records/'), []);
    });

    it('is cleaned of what nothing needs, and of nothing else', async () => {
      await using worker = startWorker(10);
      await playQueuedStudy(queue, store, folder.file('study'), 1);
      await worker[Symbol.asyncDispose]();
      await put('records/lost.1.tar');
      await put('files/mine.txt');
      await put(`files/${'0'.repeat(64)}.tar`);
      const young = { studies: 0, records: 0, files: 0 };
      assert.deepEqual(await cleanStore(queue, store, { olderMs: 60_000 }), young);
      const all = { studies: 1, records: 1, files: 3 };
      assert.deepEqual(await cleanStore(queue, store, { olderMs: -60_000 }), all);
      assert.deepEqual(
        (await listBlobs(store, '')).map(({ name }) => name),
        ['files/mine.txt', 'last-check'],
      );
    });
  });
});
