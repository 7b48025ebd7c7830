import assert from 'node:assert/strict';
import * as z from 'zod';
import { defineMethod } from '../../../bridge/protocol/descriptor.ts';
import { defineEvent, ErrorCode, RpcError } from '../../../bridge/protocol/index.ts';
import { Handlers, Peer } from '../../../bridge/rpc/index.ts';
import { checkJsonSize } from '../../../bridge/rpc/message.ts';
import { PeerLimits } from '../../../bridge/rpc/peer-limits.ts';
import { memoryPair } from '../../../bridge/rpc/transport.ts';

const echo = defineMethod('echo', z.object({ word: z.string() }), z.object({ word: z.string() }));
const never = defineMethod('never', z.object({}), z.object({}));
const news = defineEvent('news', z.object({ word: z.string() }));

/** A guarded peer, and the raw other end of its connection. */
function untrusting() {
  const [near, far] = memoryPair();
  const heard: string[] = [];
  far.onMessage((message) => heard.push(String(message)));
  return { peer: new Peer(near, { untrusted: true }), far, heard };
}

const answer = (id: number) => JSON.stringify({ jsonrpc: '2.0', id, result: { word: 'yes' } });

describe('a guarded peer', () => {
  it('accepts answers and events of a well-behaved peer', async () => {
    const [near, far] = memoryPair();
    const other = new Peer(
      far,
      new Handlers().add(echo, ({ word }) => ({ word })),
    );
    await using peer = new Peer(near, { untrusted: true });
    const words: string[] = [];
    using listening = peer.on(news, ({ word }) => words.push(word));
    void listening;
    other.notify(news, { word: 'first' });
    assert.deepEqual(await peer.request(echo, { word: 'yes' }), { word: 'yes' });
    assert.deepEqual(words, ['first']);
  });

  it('accepts the late answer to a cancelled request once', async () => {
    const { peer, far } = untrusting();
    await assert.rejects(peer.request(never, {}, AbortSignal.timeout(10)), { code: ErrorCode.Cancelled });
    far.send(answer(1));
    const asked = peer.request(echo, { word: 'x' });
    far.send(answer(2));
    assert.deepEqual(await asked, { word: 'yes' });
    far.send(answer(1));
    assert.match(String(await peer.closed), /was not made/);
  });

  const attacks: Readonly<Record<string, string | Buffer>> = {
    'bytes of a stream': Buffer.from([0, 1, 0, 0, 0, 1, 0, 0, 4, 0]),
    'a request': JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'echo', params: {} }),
    'an answer to no request': answer(1),
    'an error for no request': JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: 1, message: 'x' } }),
    'text that is not JSON': '}{',
    'a long event': JSON.stringify({ jsonrpc: '2.0', method: 'news', params: 'x'.repeat(70_000) }),
    'many values': `[${'[],'.repeat(500_000)}[]]`,
    depth: '['.repeat(1000),
  };
  for (const [what, message] of Object.entries(attacks)) {
    it(`ends a connection that sends ${what}`, async () => {
      const { peer, far } = untrusting();
      far.send(message);
      assert.match(String(await peer.closed), /broke the protocol/);
      await assert.rejects(peer.request(echo, { word: 'x' }), (error) => error instanceof RpcError);
    });
  }

  it('ends a connection that sends events without end', () => {
    let now = 0;
    const guard = new PeerLimits(() => now);
    for (let i = 0; i < 2000; i += 1) guard.unasked(100);
    assert.throws(() => guard.unasked(100), { code: 'protocol-error' });
    now += 10_000;
    guard.unasked(100);
  });
});

describe('the shape of a message', () => {
  it('is accepted with few values, regardless of its texts', () => {
    checkJsonSize(JSON.stringify({ text: '[{,:'.repeat(1_000_000), more: ['\\', '"', '\\"', '\\\\'] }));
    checkJsonSize(JSON.stringify(Array.from({ length: 50_000 }, (_, i) => ({ id: i, name: `"${i}\\` }))));
  });

  it('counts values after a text', () => {
    const text = `["\\\\",${'{},'.repeat(400_001)}1]`;
    assert.throws(() => checkJsonSize(text), /more values/);
  });
});
