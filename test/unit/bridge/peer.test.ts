import assert from 'node:assert/strict';
import * as z from 'zod';
import { defineMethod } from '../../../bridge/protocol/descriptor.ts';
import {
  defineEvent,
  ErrorCode,
  hello,
  limits,
  PROTOCOL_VERSION,
  RpcError,
} from '../../../bridge/protocol/index.ts';
import { Handlers, handshake, handshakeHandlers, Peer, type Transport } from '../../../bridge/rpc/index.ts';
import { memoryPair } from '../../../bridge/rpc/transport.ts';

const add = defineMethod('add', z.object({ a: z.int(), b: z.int().default(1) }), z.object({ sum: z.int() }));
const hang = defineMethod('hang', z.object({}), z.object({}));
const said = defineEvent('said', z.object({ word: z.string() }));

function code(expected: number): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof RpcError, String(error));
    assert.equal(error.code, expected, error.message);
    return true;
  };
}

function adder(): Handlers {
  return new Handlers().add(add, ({ a, b }) => ({ sum: a + b }));
}

function pair(handlers: Handlers): { client: Peer; server: Peer } {
  const [left, right] = memoryPair();
  return { client: new Peer(left), server: new Peer(right, handlers) };
}

/** A bare transport in place of one peer, and the messages it has received. */
function raw(handlers = new Handlers()): { peer: Peer; other: Transport; received: unknown[] } {
  const [left, other] = memoryPair();
  const received: unknown[] = [];
  other.onMessage((message) => received.push(JSON.parse(String(message))));
  return { peer: new Peer(left, handlers), other, received };
}

/** Everything that is on its way in memory has arrived after one turn of the event loop. */
const arrived = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('peer', () => {
  it('answers a request, with defaults filled in', async () => {
    const { client } = pair(adder());
    assert.deepEqual(await client.request(add, { a: 2 }), { sum: 3 });
  });

  it('serves in both directions over one connection', async () => {
    const [left, right] = memoryPair();
    const [one, other] = [new Peer(left, adder()), new Peer(right, adder())];
    const sums = await Promise.all([one.request(add, { a: 1, b: 1 }), other.request(add, { a: 2, b: 2 })]);
    assert.deepEqual(sums, [{ sum: 2 }, { sum: 4 }]);
  });

  it('answers requests out of order', async () => {
    const gate = defineMethod('gate', z.object({ open: z.boolean() }), z.object({}));
    let open = () => {};
    const opened = new Promise<void>((resolve) => (open = resolve));
    const handlers = new Handlers().add(gate, async (params) => {
      if (params.open) open();
      await opened;
      return {};
    });
    const { client } = pair(handlers);
    await Promise.all([client.request(gate, { open: false }), client.request(gate, { open: true })]);
  });

  it('refuses bad parameters before anything is sent', async () => {
    const { peer, received } = raw();
    await assert.rejects(peer.request(add, { a: 1.5 }), code(ErrorCode.InvalidParams));
    await arrived();
    assert.deepEqual(received, []);
  });

  it('refuses bad parameters that another client sends', async () => {
    const { other, received } = raw(adder());
    other.send(JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'add', params: { a: 'x' } }));
    await arrived();
    const [answer] = received as { id: number; error: { code: number; message: string } }[];
    assert.equal(answer?.id, 7);
    assert.equal(answer?.error.code, ErrorCode.InvalidParams);
    assert.match(answer?.error.message ?? '', /add: bad parameters/);
  });

  it('refuses an answer that does not fit its descriptor, on either side', async () => {
    const wrong = defineMethod('add', z.object({ a: z.int() }), z.object({ sum: z.string() }));
    const lies = new Handlers().add(wrong, () => ({ sum: 'many' }));
    await assert.rejects(pair(lies).client.request(add, { a: 1 }), code(ErrorCode.InternalError));
    const careless = new Handlers().add(add, () => ({ sum: 0.5 }));
    await assert.rejects(pair(careless).client.request(add, { a: 1 }), code(ErrorCode.InternalError));
  });

  it('names an unknown method', async () => {
    const { client } = pair(new Handlers());
    await assert.rejects(client.request(add, { a: 1 }), (error: unknown) => {
      return code(ErrorCode.MethodNotFound)(error) && /add/.test((error as Error).message);
    });
  });

  it('passes on the code, message and data of an error, and hides the stack', async () => {
    const handlers = new Handlers().add(add, () => {
      throw new RpcError(ErrorCode.Stale, 'too old', { data: { newest: 4 } });
    });
    await assert.rejects(pair(handlers).client.request(add, { a: 1 }), (error: unknown) => {
      assert.deepEqual((error as RpcError).data, { newest: 4 });
      return code(ErrorCode.Stale)(error);
    });
    const broken = new Handlers().add(add, () => {
      throw new TypeError('oh');
    });
    await assert.rejects(pair(broken).client.request(add, { a: 1 }), code(ErrorCode.InternalError));
  });

  it('cancels a request on both sides', async () => {
    let cancelled = () => {};
    const seen = new Promise<void>((resolve) => (cancelled = resolve));
    const handlers = new Handlers().add(hang, async (_, signal) => {
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      cancelled();
      return {};
    });
    const { client } = pair(handlers);
    const controller = new AbortController();
    const request = client.request(hang, {}, controller.signal);
    controller.abort(new Error('enough'));
    await assert.rejects(request, code(ErrorCode.Cancelled));
    await seen;
  });

  it('sends nothing for a request that was cancelled already', async () => {
    const { peer, received } = raw();
    await assert.rejects(peer.request(hang, {}, AbortSignal.abort()), code(ErrorCode.Cancelled));
    await arrived();
    assert.deepEqual(received, []);
  });

  it('rejects pending requests when the connection ends, and aborts those it serves', async () => {
    let aborted = () => {};
    const ended = new Promise<void>((resolve) => (aborted = resolve));
    const handlers = new Handlers().add(hang, async (_, signal) => {
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      aborted();
      return {};
    });
    const { client } = pair(handlers);
    const request = client.request(hang, {});
    await arrived();
    await client.close();
    await assert.rejects(request, code(ErrorCode.Closed));
    await ended;
    await assert.rejects(client.request(hang, {}), code(ErrorCode.Closed));
  });

  it('bounds the requests that are pending', async () => {
    const { peer, other } = raw();
    const pending = Array.from({ length: limits.pendingRequests }, () => peer.request(hang, {}));
    await assert.rejects(peer.request(hang, {}), code(ErrorCode.TooLarge));
    await other.close();
    for (const one of await Promise.allSettled(pending)) assert.equal(one.status, 'rejected');
  });

  it('bounds the requests that it serves, regardless of the other side', async () => {
    const handlers = new Handlers().add(hang, (_, signal) => {
      return new Promise((resolve) => signal.addEventListener('abort', () => resolve({})));
    });
    const { other, received } = raw(handlers);
    for (let id = 0; id <= limits.pendingRequests; id++) {
      other.send(JSON.stringify({ jsonrpc: '2.0', id, method: 'hang', params: {} }));
    }
    await arrived();
    const refused = received as { id: number; error: { code: number } }[];
    assert.deepEqual(
      refused.map(({ id, error }) => [id, error.code]),
      [[limits.pendingRequests, ErrorCode.InvalidRequest]],
    );
    await other.close();
  });

  it('refuses an id that is in use', async () => {
    const handlers = new Handlers().add(hang, (_, signal) => {
      return new Promise((resolve) => signal.addEventListener('abort', () => resolve({})));
    });
    const { other, received } = raw(handlers);
    for (let i = 0; i < 2; i++)
      other.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'hang', params: {} }));
    await arrived();
    assert.equal(received.length, 1);
    await other.close();
  });

  for (const [what, text] of [
    ['no JSON', '{'],
    ['no JSON-RPC', '{"hello":1}'],
    ['another version', '{"jsonrpc":"1.0","id":1,"method":"add"}'],
    ['an unknown member', '{"jsonrpc":"2.0","id":1,"method":"add","extra":1}'],
    ['a batch', '[]'],
  ] as const) {
    it(`answers ${what} with an error and stays usable`, async () => {
      const { other, received } = raw(adder());
      other.send(text);
      other.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'add', params: { a: 1 } }));
      await arrived();
      const [bad, good] = received as [{ id: null; error: { code: number } }, { result: unknown }];
      assert.equal(bad.id, null);
      assert.equal(bad.error.code, ErrorCode.InvalidRequest);
      assert.deepEqual(good.result, { sum: 2 });
    });
  }

  it('ignores an answer that it did not ask for', async () => {
    const { peer, other, received } = raw(adder());
    other.send(JSON.stringify({ jsonrpc: '2.0', id: 99, result: {} }));
    other.send(JSON.stringify({ jsonrpc: '2.0', id: 'x', error: { code: 1, message: 'no' } }));
    await arrived();
    assert.deepEqual(received, []);
    await peer.close();
  });

  it('delivers events that fit, until the listener is disposed', async () => {
    const { client, server } = pair(new Handlers());
    const heard: string[] = [];
    const listening = client.on(said, ({ word }) => heard.push(word));
    server.notify(said, { word: 'one' });
    await arrived();
    listening[Symbol.dispose]();
    server.notify(said, { word: 'two' });
    await arrived();
    assert.deepEqual(heard, ['one']);
  });

  it('drops events that do not fit', async () => {
    const { peer, other } = raw();
    const heard: unknown[] = [];
    peer.on(said, (params) => heard.push(params));
    other.send(JSON.stringify({ jsonrpc: '2.0', method: 'said', params: { word: 5 } }));
    await arrived();
    assert.deepEqual(heard, []);
  });

  it('refuses a second handler of one name', () => {
    assert.throws(() => adder().add(add, () => ({ sum: 0 })), /two handlers for add/);
  });
});

describe('hello', () => {
  it('reports who answers', async () => {
    const { client } = pair(handshakeHandlers('bridge', '1.2'));
    assert.deepEqual(await handshake(client, 'test'), {
      protocol: PROTOCOL_VERSION,
      server: 'bridge',
      version: '1.2',
    });
  });

  it('refuses another version and names the supported ones', async () => {
    const { client } = pair(handshakeHandlers('extension', '1.2'));
    await assert.rejects(client.request(hello, { protocol: 99, client: 'test' }), (error: unknown) => {
      return (
        code(ErrorCode.VersionMismatch)(error) && /protocol 2, the caller 99/.test((error as Error).message)
      );
    });
  });
});
