import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile, truncate, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { readS3Place } from '../../../host/run/queue/s3-place.ts';
import { S3Store } from '../../../host/run/queue/s3-store.ts';
import { listBlobs } from '../../support/blob-store-contract.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/folder.ts';
import { startWeb } from '../../support/web-servers.ts';

/** How a server answers one request. */
type Answer = (response: ServerResponse, request: IncomingMessage) => void;

const content = 'content of a file, '.repeat(10_000);
const sha256 = createHash('sha256').update(content).digest('hex');
const env = { AWS_ACCESS_KEY_ID: 'the-key-id', AWS_SECRET_ACCESS_KEY: 'the-secret' };
const times = { patienceMs: 20_000, silenceMs: 20_000 };

const whole: Answer = (response) =>
  response.writeHead(200, { 'x-amz-meta-pwp-sha256': sha256, 'content-length': content.length }).end(content);
const success: Answer = (response) => response.end();
const refuse =
  (status: number, code = '', message = '', headers = {}): Answer =>
  (response) =>
    response
      .writeHead(status, headers)
      .end(`<Error><Code>${code}</Code><Message>${message}</Message></Error>`);
const cut: Answer = (response) => {
  response.writeHead(200, { 'x-amz-meta-pwp-sha256': sha256, 'content-length': content.length });
  response.write(content.slice(0, 1000), () => response.destroy());
};

// Servers that don't answer as they should. Real ones are in test/integration/queue/s3-server.slow.test.ts.
describe('a store in S3', () => {
  let folder: TemporaryFolder;
  beforeEach(async () => {
    folder = await temporaryFolder();
    await writeFile(folder.file('sent'), content);
  });
  afterEach(() => folder[Symbol.asyncDispose]());

  /** @param answers to one request each; the last one to all further ones */
  async function withServer(
    answers: readonly Answer[],
    use: (store: S3Store, asked: readonly string[]) => Promise<void>,
    more: Partial<typeof times> = {},
  ): Promise<void> {
    const asked: string[] = [];
    await using server = await startWeb((request, response) => {
      request.resume().once('end', () => {
        asked.push(`${request.method} ${request.url}`);
        (answers[asked.length - 1] ?? answers.at(-1))?.(response, request);
      });
    });
    await use(openAt(server.port, more), asked);
  }

  const openAt = (port: number, more: Partial<typeof times> = {}) =>
    new S3Store(readS3Place('s3://studies/a', { ...env, AWS_ENDPOINT_URL: `http://127.0.0.1:${port}` }), {
      ...{ ...times, ...more },
    });

  const get = async (store: S3Store) => {
    await store.get('files/a.tar', folder.file('got'));
    return await readFile(folder.file('got'), 'utf8');
  };

  it('waits for a server that is busy', () =>
    withServer([refuse(503, 'SlowDown'), refuse(500), success], async (store, asked) => {
      await store.put('files/a.tar', folder.file('sent'));
      assert.deepEqual(
        asked,
        Array.from({ length: 3 }, () => 'PUT /studies/a/files/a.tar'),
      );
    }));

  it('fetches again what was interrupted or damaged', async () => {
    const damaged: Answer = (response, request) => {
      response.setHeader('x-amz-meta-pwp-sha256', '0'.repeat(64));
      success(response, request);
    };
    await withServer([cut, damaged, whole], async (store) => assert.equal(await get(store), content));
    await withServer([damaged], async (store, asked) => {
      await assert.rejects(get(store), { code: 'no-data' });
      assert.equal(asked.length, 3);
    });
  });

  it('gives up a server that is silent, or away, in time', async () => {
    const short = { silenceMs: 200, patienceMs: 100 };
    await withServer(
      [() => undefined],
      (store) => assert.rejects(get(store), { code: 'store-unreachable' }),
      short,
    );
    await assert.rejects(openAt(9, short).check(), { code: 'store-unreachable' });
  });

  it('ends as soon as its signal fires', () =>
    withServer([refuse(503)], async (store, asked) => {
      const stop = new AbortController();
      const putting = store.put('files/a.tar', folder.file('sent'), { signal: stop.signal });
      while (asked.length === 0) await new Promise(setImmediate);
      stop.abort(new Error('left'));
      await assert.rejects(putting, { message: 'left' });
    }));

  it('says what is wrong, without waiting', async () => {
    const cases: [Answer, code: string, message: RegExp][] = [
      [refuse(403, 'InvalidAccessKeyId'), 'store-denied', /InvalidAccessKeyId/],
      [refuse(400, 'ExpiredToken'), 'store-denied', /ExpiredToken/],
      [refuse(403, 'AccessDenied', 'the-key-id may not'), 'store-denied', /: \[key\] may not/],
      [refuse(404, 'NoSuchBucket'), 'no-such-store', /NoSuchBucket/],
      [refuse(404), 'no-such-store', /404/],
      [refuse(507), 'disk-full', /507/],
      [refuse(500, 'XMinioStorageFull'), 'disk-full', /StorageFull/],
      [
        refuse(301, 'PermanentRedirect', '', { 'x-amz-bucket-region': 'eu-west-1' }),
        'bad-setting',
        /in eu-west-1/,
      ],
      [refuse(501, 'NotImplemented'), 'store-failed', /NotImplemented/],
    ];
    for (const [answer, code, message] of cases)
      await withServer([answer], async (store, asked) => {
        await assert.rejects(store.put('files/a.tar', folder.file('sent')), { code, message });
        assert.equal(asked.length, 1);
      });
  });

  it('takes nothing that another program has put there', () =>
    withServer([success], async (store) => {
      await assert.rejects(get(store), { code: 'store-failed', message: /another program/ });
      await assert.rejects(store.has('files/a.tar'), { code: 'store-failed' });
    }));

  it('takes an answer that comes before all was sent', async () => {
    await truncate(folder.file('sent'), 16 * 1024 ** 2);
    // It reads nothing of what is sent.
    await using server = await startWeb((_, response) => {
      response.writeHead(403).end('<Error><Code>AccessDenied</Code></Error>');
    });
    await assert.rejects(openAt(server.port).put('files/a.tar', folder.file('sent')), {
      code: 'store-denied',
    });
  });

  it('reads all pages of a list, and leaves out what is not ours', () => {
    const page =
      (keys: readonly string[], more = ''): Answer =>
      (response) =>
        response.end(
          `<?xml version="1.0"?><ListBucketResult>${keys
            .map(
              (key) =>
                `<Contents><Key>${key}</Key><LastModified>2026-01-02T03:04:05.000Z</LastModified></Contents>`,
            )
            .join('')}${more}</ListBucketResult>`,
        );
    const next = '<NextContinuationToken>a&amp;b=</NextContinuationToken>';
    return withServer(
      [page(['a/files/a.tar', 'a/files/', 'a/files/b &amp; c'], next), page(['a/files/d.tar'])],
      async (store, asked) => {
        const found = await listBlobs(store, 'files/');
        const putAt = Date.UTC(2026, 0, 2, 3, 4, 5);
        assert.deepEqual(
          found,
          ['files/a.tar', 'files/d.tar'].map((name) => ({ name, putAt })),
        );
        assert.match(asked[1] ?? '', /continuation-token=a%26b%3D/);
      },
    );
  });

  it('refuses a file that is larger than S3 takes', () =>
    withServer([success], async (store, asked) => {
      await truncate(folder.file('sent'), 5 * 1024 ** 3 + 1);
      await assert.rejects(store.put('files/a.tar', folder.file('sent')), { code: 'too-large' });
      assert.deepEqual(asked, []);
    }));
});
