import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import * as z from 'zod';
import { defineMethod } from '../../../bridge/protocol/descriptor.ts';
import { limits } from '../../../bridge/protocol/index.ts';
import { Handlers, Peer } from '../../../bridge/rpc/index.ts';
import { memoryPair } from '../../../bridge/rpc/transport.ts';
import { ByteTransfers, sendParts } from '../../../host/node/remote/byte-transfers.ts';
import { askForBytes, askWithStream } from '../../../host/node/remote/node-requests.ts';
import { addNodeHandler } from '../../../host/node/remote/node-service.ts';

const stream = z.int();

/** Everything that is on its way in memory has arrived after one turn of the event loop. */
const arrived = () => new Promise<void>((resolve) => setImmediate(resolve));

const put = defineMethod(
  'put',
  z.object({ stream, sizes: z.array(z.number().nullable()) }),
  z.object({ text: z.string() }),
);
const get = defineMethod('get', z.object({ stream, bytes: z.int() }), z.object({ bytes: z.int() }));
const hang = defineMethod('hang', z.object({ stream }), z.object({}));

async function textOf(part: Uint8Array | AsyncIterable<Uint8Array>): Promise<string> {
  if (part instanceof Uint8Array) return Buffer.from(part).toString();
  const chunks: Uint8Array[] = [];
  for await (const chunk of part) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

describe('the bytes of a request', () => {
  let host: Peer;
  let transfers: ByteTransfers;
  /** Whether the request `hang` has ended on the node. */
  let over: Promise<void>;
  beforeEach(() => {
    const [near, far] = memoryPair();
    const handlers = new Handlers();
    host = new Peer(near);
    transfers = new ByteTransfers(new Peer(far, handlers).streams);
    addNodeHandler(handlers, put, async ({ stream: id, sizes }, signal) => {
      const parts = await transfers.seeds(id, sizes, signal);
      const texts = parts.map(textOf);
      return { text: (await Promise.all(texts)).join('|') };
    });
    addNodeHandler(handlers, get, async ({ stream: id, bytes }, signal) => {
      await transfers.answer(id, [Buffer.alloc(bytes)], signal);
      return { bytes };
    });
    const { promise, resolve } = Promise.withResolvers<void>();
    over = promise;
    addNodeHandler(handlers, hang, async ({ stream: id }, signal) => {
      try {
        await buffer(transfers.accept(id, 'read', signal));
        return {};
      } finally {
        resolve();
      }
    });
  });

  const send = async (
    parts: readonly string[],
    sizes: readonly (number | null)[] = parts.map(({ length }) => length),
  ) => {
    const [{ text }] = await askWithStream(host, {
      method: put,
      direction: 'write',
      params: (id) => ({ stream: id, sizes: [...sizes] }),
      carry: (to) =>
        sendParts(
          to,
          parts.map((part) => Buffer.from(part)),
        ),
    });
    return text;
  };
  const fetch = (bytes: number, announced = bytes, signal?: AbortSignal) =>
    askForBytes(
      host,
      get,
      (id) => ({ stream: id, bytes }),
      () => [announced],
      signal,
    );

  it('may have a last part of unknown size, which is read as it is used', async () => {
    assert.equal(await send(['one', 'two', 'three'], [3, 3, null]), 'one|two|three');
    assert.equal(await send(['one', ''], [3, null]), 'one|');
    assert.equal(await send(['all'], [null]), 'all');
    await assert.rejects(send(['one', 'two'], [null, 3]), { code: 'incomplete-transfer' });
    await assert.rejects(send(['one'], [4, null]), { code: 'incomplete-transfer' });
  });

  it('are sent and returned in parts', async () => {
    assert.equal(await send(['one', '', 'three']), 'one||three');
    assert.equal(await send([]), '');
    const [, [part]] = await fetch(1_000_000);
    assert.equal(part?.length, 1_000_000);
  });

  it('are refused if they differ from what was announced', async () => {
    await assert.rejects(send(['one'], [2]), { code: 'too-large' });
    await assert.rejects(send(['one'], [4]), { code: 'incomplete-transfer' });
    await assert.rejects(fetch(10, 11), { code: 'incomplete-transfer' });
    assert.equal(await send(['still there']), 'still there');
  });

  it('are bounded for all requests together', async () => {
    await assert.rejects(send(['x'], [limits.seedsBytes + 1]), { code: 'seed-too-large' });
    const stop = new AbortController();
    const most = Math.ceil(limits.answersBytes / 2) + 1;
    const first = assert.rejects(fetch(most, most, stop.signal), /enough/);
    await assert.rejects(fetch(most), { code: 'too-large' });
    stop.abort(new Error('enough'));
    await first;
    const [, [part]] = await fetch(10);
    assert.equal(part?.length, 10);
  });

  it('end on the node when their caller gives up', async () => {
    const stop = new AbortController();
    const asked = askWithStream(host, {
      method: hang,
      direction: 'write',
      params: (id) => ({ stream: id }),
      carry: async (to) => {
        to.write('half');
        await arrived();
        stop.abort(new Error('enough'));
        await sendParts(to, []);
      },
      signal: stop.signal,
    });
    await assert.rejects(asked, /enough/);
    await over;
  });

  it('end on the node when the connection does, and the caller learns that the node is lost', async () => {
    const asked = askWithStream(host, {
      method: hang,
      direction: 'write',
      params: (id) => ({ stream: id }),
      carry: async (to) => {
        to.write('half');
        await arrived();
        await host.close();
      },
    });
    await assert.rejects(asked, { code: 'node-lost' });
    await over;
    await assert.rejects(fetch(1), { code: 'node-lost' });
  });

  it("fail with this side's reason if it failed first", async () => {
    const asked = askWithStream(host, {
      method: hang,
      direction: 'write',
      params: (id) => ({ stream: id }),
      carry: (to) => {
        const error = new Error('the disk is full');
        to.destroy(error);
        return Promise.reject(error);
      },
    });
    await assert.rejects(asked, /the disk is full/);
    await over;
  });

  it('leave no file behind', async () => {
    const paths: string[] = [];
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    const work = transfers.withFile(async (path) => {
      paths.push(path);
      await writeFile(path, 'x');
      await gate;
    });
    const failing = transfers.withFile(async (path) => {
      paths.push(path);
      await writeFile(path, 'x');
      throw new Error('no');
    });
    await assert.rejects(failing, /no/);
    const disposed = transfers[Symbol.asyncDispose]();
    open();
    await disposed;
    await work;
    assert.equal(paths.length, 2);
    for (const path of paths) assert.ok(!existsSync(path), path);
  });
});
