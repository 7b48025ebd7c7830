import assert from 'node:assert/strict';
import { buffer } from 'node:stream/consumers';
import * as z from 'zod';
import { PwpError } from '../../../bridge/lib/index.ts';
import {
  answeringCall,
  begun,
  chunksOfBytes,
  plainCall,
  readingCall,
  remoteObjects,
  reportingCall,
  sendingCall,
  wholeBytes,
} from '../../../bridge/protocol/calls.ts';
import { ErrorCode, limits, type ParamsIn } from '../../../bridge/protocol/index.ts';
import { Handlers, Peer, type Transport } from '../../../bridge/rpc/index.ts';
import { memoryPair } from '../../../bridge/rpc/transport.ts';
import { ObjectServer, type Served } from '../../../host/node/remote/object-server.ts';
import { type Remote, RemoteObjects } from '../../../host/node/remote/remote-objects.ts';

const archive = z.union([z.object({ tar: wholeBytes }), z.object({ tar: chunksOfBytes })]);
const entries = z.array(z.tuple([z.string(), z.int()]));

const roomCalls = {
  hello: plainCall({ result: z.string() }),
  door: { open: plainCall({ args: [z.int().max(10)], result: z.string() }) },
  lock: plainCall(begun),
};

const calls = {
  put: sendingCall({ args: [z.array(archive)], result: z.string() }),
  get: answeringCall({
    args: [z.int()],
    options: z.object({ text: z.string().optional() }),
    result: z.object({ all: z.array(wholeBytes), text: z.string(), none: wholeBytes.nullable() }),
  }),
  read: readingCall({ args: [z.string()] }),
  hang: sendingCall({ args: [archive] }),
  map: plainCall({
    result: z.codec(entries, z.custom<ReadonlyMap<string, number>>(), {
      decode: (all) => new Map(all),
      encode: (all) => [...all],
    }),
  }),
  short: plainCall({ args: [z.string()], result: z.string().max(3) }),
  onCount: reportingCall({ result: z.int() }),
  room: plainCall({ args: [z.string()], result: z.object({ name: z.string() }), methods: roomCalls }),
};

/** Everything that is on its way in memory has arrived after a few turns of the event loop. */
async function arrived(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise<void>((resolve) => setImmediate(resolve));
}

class Room implements Served<typeof roomCalls>, AsyncDisposable {
  readonly name: string;
  readonly #log: string[];

  constructor(name: string, log: string[]) {
    this.name = name;
    this.#log = log;
  }

  readonly door = { open: (times: number) => Promise.resolve(`${this.name} opened ${times} times`) };

  hello(): Promise<string> {
    return Promise.resolve(`hello from ${this.name}`);
  }

  lock(): Promise<AsyncDisposable> {
    this.#log.push(`lock ${this.name}`);
    return Promise.resolve({ [Symbol.asyncDispose]: () => this.#ended(`unlock ${this.name}`) });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#ended(`leave ${this.name}`);
  }

  #ended(what: string): Promise<void> {
    this.#log.push(what);
    return Promise.resolve();
  }
}

async function textIn({ tar }: z.output<typeof archive>): Promise<string> {
  return tar instanceof Uint8Array ? Buffer.from(tar).toString() : (await buffer(tar)).toString();
}

async function* chunksOf(...texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield await Promise.resolve(Buffer.from(text));
}

describe('an object at the other end of a connection', () => {
  let near: Transport;
  let host: Peer;
  let remote: Remote<typeof calls>;
  let server: ObjectServer;
  /** What happened on the other side. */
  let log: string[];
  let count: (value: number) => void;
  /** Rooms are ready when this is. */
  let roomReady: Promise<void>;
  let hung: Promise<void>;

  beforeEach(() => {
    const [left, right] = memoryPair();
    const handlers = new Handlers();
    near = left;
    host = new Peer(near);
    const peer = new Peer(right, handlers);
    server = new ObjectServer(peer, handlers);
    void peer.closed.then(() => server[Symbol.asyncDispose]());
    remote = new RemoteObjects(host).root(calls);
    log = [];
    roomReady = Promise.resolve();
    const over = Promise.withResolvers<void>();
    hung = over.promise;
    const listeners = new Set<(value: number) => void>();
    count = (value) => listeners.forEach((listener) => listener(value));
    server.serve<typeof calls, never>(
      calls,
      {
        put: async (parts) => (await Promise.all(parts.map(textIn))).join('|'),
        get: (bytes, { text = '' }) => Promise.resolve({ all: [Buffer.alloc(bytes)], text, none: null }),
        async read(path, read) {
          if (path === 'none') throw new PwpError('no-such-file', 'there is no such file', { help: 'Look.' });
          try {
            await read(chunksOf(path, ' and ', 'more'));
          } finally {
            log.push('read');
          }
        },
        async hang({ tar }) {
          try {
            if (!(tar instanceof Uint8Array)) await buffer(tar);
          } finally {
            over.resolve();
          }
        },
        map: () => Promise.resolve(new Map([['one', 1]])),
        short: (text) => Promise.resolve(text),
        onCount(listener) {
          listeners.add(listener);
          listener(0);
          return { [Symbol.dispose]: () => void listeners.delete(listener) };
        },
        async room(name) {
          if (name === '') throw new PwpError('bad-name', 'a room has a name', { cause: new Error('empty') });
          await roomReady;
          return new Room(name, log);
        },
      },
      {},
    );
  });
  afterEach(async () => {
    await host.close();
    await server[Symbol.asyncDispose]();
  });

  const put = (...parts: readonly (string | AsyncIterable<Uint8Array>)[]) =>
    remote.put(parts.map((tar) => (typeof tar === 'string' ? { tar: Buffer.from(tar) } : { tar })));
  const fetch = (bytes: number, signal?: AbortSignal) => remote.get(bytes, { signal });

  describe('sends bytes', () => {
    it('of arguments, of which the last may be read as they are used', async () => {
      assert.equal(await put('one', '', 'three'), 'one||three');
      assert.equal(await put(), '');
      assert.equal(await put('one', 'two', chunksOf('th', 'ree')), 'one|two|three');
      assert.equal(await put(chunksOf()), '');
      await assert.rejects(put(chunksOf('one'), 'two'), { code: 'incomplete-transfer' });
    });

    it('of results, and long texts, which take more bytes in JSON', async () => {
      const text = '\u0001'.repeat(100_000);
      const got = await remote.get(1_000_000, { text });
      assert.deepEqual([got.all[0]?.length, got.text === text, got.none], [1_000_000, true, null]);
    });

    it('to a function that reads them as they come', async () => {
      const read = async (bytes: AsyncIterable<Uint8Array>) => (await buffer(bytes)).toString();
      assert.equal(await remote.read('some', read), 'some and more');
      const missing = { code: 'no-such-file', help: 'Look.' };
      await assert.rejects(remote.read('none', read), missing);
    });

    it("and fails with this side's reason if it failed first", async () => {
      const full = new Error('the disk is full');
      await assert.rejects(
        remote.read('some', () => Promise.reject(full)),
        full,
      );
      await arrived();
      assert.deepEqual(log, ['read']);
      const failing = async function* () {
        yield await Promise.resolve(Buffer.from('half'));
        throw full;
      };
      await assert.rejects(put(failing()), full);
      assert.equal(await put('still there'), 'still there');
    });

    it('within bounds for all calls together', async () => {
      const stop = new AbortController();
      const most = Math.ceil(limits.answersBytes / 2) + 1;
      const first = assert.rejects(fetch(most, stop.signal), /enough/);
      await assert.rejects(fetch(most), { code: 'too-large' });
      stop.abort(new Error('enough'));
      await first;
      assert.equal((await fetch(10)).all[0]?.length, 10);
    });

    it('until the caller gives up', async () => {
      const stop = new AbortController();
      const half = async function* () {
        yield await Promise.resolve(Buffer.from('half'));
        await arrived();
        stop.abort(new Error('enough'));
        await new Promise(() => undefined);
      };
      await assert.rejects(remote.hang({ tar: half() }, { signal: stop.signal }), /enough/);
      await hung;
    });

    it('until the connection ends', async () => {
      const half = async function* () {
        yield await Promise.resolve(Buffer.from('half'));
        await arrived();
        await host.close();
      };
      await assert.rejects(remote.hang({ tar: half() }), { code: 'node-lost' });
      await hung;
      await assert.rejects(fetch(1), { code: 'node-lost' });
    });
  });

  describe('validates', () => {
    it('arguments and options before anything is sent, and results', async () => {
      await assert.rejects(remote.short(7 as unknown as string), { code: ErrorCode.InvalidParams });
      const wrong = { text: 1 } as unknown as { text: string };
      await assert.rejects(remote.get(1, wrong), { code: ErrorCode.InvalidParams, message: /text/ });
      assert.equal(await remote.short('abc'), 'abc');
      await assert.rejects(remote.short('abcd'), {
        code: ErrorCode.InternalError,
        message: /short: bad result/,
      });
    });

    it('no options of the caller that the method does not have: they stay here', async () => {
      const more = { text: 'abc', name: 'a command has this one' };
      assert.equal((await remote.get(1, more)).text, 'abc');
    });

    it('values that are written otherwise in JSON', async () => {
      assert.deepEqual(await remote.map(), new Map([['one', 1]]));
    });
  });

  describe('is returned by a call', () => {
    it('with its properties, its methods and those of its parts', async () => {
      await using room = await remote.room('red');
      assert.equal(room.name, 'red');
      assert.equal(await room.hello(), 'hello from red');
      assert.equal(await room.door.open(2), 'red opened 2 times');
      await assert.rejects(room.door.open(11), { code: ErrorCode.InvalidParams });
    });

    it('and ends once when it is disposed', async () => {
      const room = await remote.room('red');
      const lock = await room.lock();
      await Promise.all([lock[Symbol.asyncDispose](), lock[Symbol.asyncDispose]()]);
      await room[Symbol.asyncDispose]();
      await room[Symbol.asyncDispose]();
      assert.deepEqual(log, ['lock red', 'unlock red', 'leave red']);
      await assert.rejects(room.hello(), { code: 'no-such-sandbox' });
    });

    it('and ends with the connection, after what was begun through it', async () => {
      const [red, blue] = [await remote.room('red'), await remote.room('blue')];
      await red.lock();
      await blue.lock();
      log.length = 0;
      await host.close();
      await server[Symbol.asyncDispose]();
      assert.deepEqual(log, ['unlock red', 'unlock blue', 'leave red', 'leave blue']);
      await red[Symbol.asyncDispose]();
      await assert.rejects(blue.hello(), { code: 'node-lost' });
    });

    it('and ends if the caller gave up before or just after it was there', async () => {
      const waiting = Promise.withResolvers<void>();
      roomReady = waiting.promise;
      for (const isFirst of [true, false]) {
        const stop = new AbortController();
        const given = assert.rejects(remote.room('late', { signal: stop.signal }), /enough/);
        await arrived();
        if (!isFirst) waiting.resolve();
        stop.abort(new Error('enough'));
        if (isFirst) await arrived();
        await given;
      }
      waiting.resolve();
      await arrived();
      assert.deepEqual(log, ['leave late', 'leave late']);
    });

    it('and ends if the connection ended before it was there', async () => {
      const waiting = Promise.withResolvers<void>();
      roomReady = waiting.promise;
      const lost = assert.rejects(remote.room('late'), { code: 'node-lost' });
      await arrived();
      await host.close();
      await lost;
      waiting.resolve();
      await server[Symbol.asyncDispose]();
      assert.deepEqual(log, ['leave late']);
    });

    it('or the error there, with its cause', async () => {
      await assert.rejects(remote.room(''), { code: 'bad-name', message: 'a room has a name: empty' });
    });
  });

  it('reports to a function of the caller, first what came before, until that is disposed', async () => {
    const seen: number[] = [];
    const listening = remote.onCount((value) => seen.push(value));
    await arrived();
    count(1);
    await arrived();
    listening[Symbol.dispose]();
    count(2);
    await arrived();
    count(3);
    await arrived();
    assert.deepEqual(seen, [0, 1]);
  });

  describe('withstands a caller', () => {
    type Params = ParamsIn<typeof remoteObjects.call>;
    const call = (params: Partial<Params>) =>
      host.request(remoteObjects.call, { of: 0, method: 'short', args: [], options: {}, ...params });
    const refused = (params: Partial<Params>, code: number = ErrorCode.InvalidParams) =>
      assert.rejects(call(params), { code });

    it('that names what may not be called', async () => {
      const methods = [
        '',
        'none',
        'constructor',
        'toString',
        '__proto__',
        'short.args',
        'room.methods.hello',
      ];
      for (const method of methods) await refused({ method, args: ['x'] }, ErrorCode.MethodNotFound);
      await call({ method: 'room', args: ['red'], as: 1 });
      for (const method of ['name', 'door', 'door.none', 'door.open.call', 'constructor.name'])
        await refused({ of: 1, method, args: [1] }, ErrorCode.MethodNotFound);
    });

    it('that sends wrong arguments', async () => {
      for (const args of [[], [1], ['a', 'b']]) await refused({ args });
      await refused({ args: ['a'], options: 7 });
      await refused({ args: ['a'], parts: [{ at: [0], bytes: 1 }] });
      await refused({ method: 'put', args: [[{ tar: 'text' }]] });
      await refused({ method: 'put', args: [[{ tar: null }]], parts: [{ at: [0, 0, 'tar'], bytes: 1 }] });
      await refused({ method: 'get', args: [1] });
      await refused({ method: 'read', args: ['x'] });
    });

    it('that numbers what it gets wrongly', async () => {
      await refused({ method: 'room', args: ['none'] });
      await call({ method: 'room', args: ['red'], as: 1 });
      await refused({ method: 'room', args: ['twice'], as: 1 });
      await refused({ method: 'room', args: ['root'], as: 0 });
      assert.deepEqual(log, ['leave none', 'leave twice', 'leave root']);
      assert.equal((await call({ of: 1, method: 'hello' })).result, 'hello from red');
    });

    it('that announces other bytes than it sends, or none', async () => {
      const sent = async (parts: Params['parts'], text: string, args: unknown = [{ tar: null }]) => {
        const stream = host.streams.open('write');
        stream.end(text);
        return (await call({ method: 'put', args: [args], stream: stream.id, parts })).result;
      };
      const at = [0, 0, 'tar'];
      assert.equal(await sent([{ at, bytes: 3 }], 'one'), 'one');
      const wrong = async (parts: Params['parts'], text: string, code: string, args?: unknown) =>
        assert.rejects(sent(parts, text, args), (error: { data?: { code?: string } }) => {
          assert.equal(error.data?.code, code);
          return true;
        });
      await wrong([{ at, bytes: 4 }], 'one', 'incomplete-transfer');
      await wrong([{ at, bytes: 2 }], 'one', 'too-large');
      await wrong([{ at, bytes: limits.seedsBytes + 1 }], '', 'seed-too-large');
      for (const place of [[0, 1, 'tar'], [0, 0, 'none'], [0, 0, '__proto__'], [], [0, 0]])
        await wrong([{ at: place, bytes: 3 }], 'one', 'incomplete-transfer');
      await wrong([{ at, bytes: 3 }], 'one', 'incomplete-transfer', [{ tar: 'text' }]);
    });

    it('that releases what is not there', async () => {
      await host.request(remoteObjects.release, { of: 77 });
    });
  });

  it('withstands a node that answers with other bytes than it sends, or with none', async () => {
    const [here, there] = memoryPair();
    let answer: { result: unknown; parts?: { at: (string | number)[]; bytes: number | null }[] };
    const handlers = new Handlers();
    const peer = new Peer(there, handlers);
    handlers.add(remoteObjects.call, ({ stream }) => {
      peer.streams.accept(stream ?? 0, 'write')?.end('one');
      return answer;
    });
    const bad = new RemoteObjects(new Peer(here)).root(calls);
    const fits = { all: [null], text: '', none: null };
    const at = ['all', 0];
    answer = { result: fits, parts: [{ at, bytes: 3 }] };
    assert.equal(String((await bad.get(3)).all[0]), 'one');
    for (const parts of [[], [{ at, bytes: 4 }], [{ at, bytes: null }], [{ at: ['none', 0], bytes: 3 }]]) {
      answer = { result: fits, parts };
      await assert.rejects(bad.get(3), { code: 'incomplete-transfer' });
    }
    answer = { result: { ...fits, text: null }, parts: [{ at: ['text'], bytes: 3 }] };
    await assert.rejects(bad.get(3), { code: ErrorCode.InternalError });
    answer = { result: { number: 1 } };
    await assert.rejects(bad.room('red'), { code: ErrorCode.InternalError, message: /room: bad result/ });
    await peer.close();
  });
});
