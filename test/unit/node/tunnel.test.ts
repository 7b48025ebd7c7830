import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { limits, tunnel } from '../../../bridge/protocol/index.ts';
import { Peer, memoryPair } from '../../../bridge/rpc/index.ts';
import { Channels } from '../../../host/node/remote/tunnel/index.ts';

describe('a tunnelled connection', () => {
  let node: Channels;
  let nodePeer: Peer;
  let accepted: Promise<Duplex>;
  beforeEach(() => {
    const [near, far] = memoryPair();
    nodePeer = new Peer(far);
    node = new Channels(nodePeer);
    const host = new Channels(new Peer(near));
    accepted = new Promise((resolve) => {
      host.onOpen((number, channel) => {
        if (number === 7) resolve(channel);
        return number === 7;
      });
    });
  });

  it('carries bytes both ways, each way to its own end', async () => {
    const inside = node.open(7);
    const outside = await accepted;
    const sent = Buffer.alloc(3 * limits.tunnelWindowBytes + 1, 'ab');
    inside.end(sent);
    assert.ok((await buffer(outside)).equals(sent));
    outside.end('answer');
    assert.equal((await buffer(inside)).toString(), 'answer');
    await closed(outside);
  });

  it('is told no more than a window ahead of its reader', async () => {
    let told = 0;
    nodePeer.on(tunnel.data, ({ base64 }) => (told += Buffer.from(base64, 'base64').length));
    const inside = node.open(7);
    const outside = await accepted;
    const sent = Buffer.alloc(4 * limits.tunnelWindowBytes, 'x');
    outside.end(sent);
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(told, limits.tunnelWindowBytes);
    assert.equal((await buffer(inside)).length, sent.length);
  });

  it('is ended where the other side sends more than it may', async () => {
    const inside = node.open(7);
    const outside = await accepted;
    const base64 = Buffer.alloc(limits.tunnelPieceBytes).toString('base64');
    const pieces = limits.tunnelWindowBytes / limits.tunnelPieceBytes;
    for (let sent = 0; sent <= pieces; sent++) nodePeer.notify(tunnel.data, { channel: 1, base64 });
    await closed(outside);
    await closed(inside);
  });

  it('gives what came before the end to a reader who is late, and nothing of what broke off', async () => {
    const inside = node.open(7);
    const outside = await accepted;
    outside.end('whole');
    await once(outside, 'finish');
    inside.end();
    outside.resume();
    await closed(outside);
    assert.equal((await buffer(inside)).toString(), 'whole');

    const second = node.open(7);
    second.write('half');
    second.destroy();
    assert.ok(second.destroyed);
  });

  it('ends with its connection', async () => {
    const inside = node.open(7);
    const outside = await accepted;
    await nodePeer.close();
    await closed(inside);
    await closed(outside);
  });

  it('is ended where nobody knows its number', async () => {
    const inside = node.open(8);
    await closed(inside);
  });
});

/** However it came to its end. */
function closed(stream: Duplex): Promise<void> {
  if (stream.closed) return Promise.resolve();
  return new Promise((resolve) => stream.once('close', () => resolve()));
}
