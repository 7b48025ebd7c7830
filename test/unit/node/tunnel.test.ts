import assert from 'node:assert/strict';
import { type Duplex, duplexPair } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { Peer } from '../../../bridge/rpc/index.ts';
import { memoryPair } from '../../../bridge/rpc/transport.ts';
import { RefusalLog } from '../../../host/node/network/egress.ts';
import { createTunnelEgress, EgressTunnels } from '../../../host/node/remote/egress-tunnel.ts';

describe('a tunnelled connection', () => {
  let nodePeer: Peer;
  let hostPeer: Peer;
  let tunnels: EgressTunnels;
  beforeEach(() => {
    const [near, far] = memoryPair();
    nodePeer = new Peer(far);
    hostPeer = new Peer(near);
    tunnels = new EgressTunnels(hostPeer);
  });

  /** A tunnel on the host's side, and the connection that comes through it. */
  const openTunnel = () => {
    const { promise: accepted, resolve: accept } = Promise.withResolvers<Duplex>();
    const number = tunnels.add({
      refusals: new RefusalLog(),
      accept,
      [Symbol.asyncDispose]: async () => void (await accepted).destroy(),
    });
    return { number, accepted };
  };

  /** A program's connection in the sandbox: its own end and the node's, and the egress that the node uses. */
  const connect = (number: number) => {
    const [program, inside] = duplexPair();
    const exit = createTunnelEgress(nodePeer, number)({ mode: 'public' });
    exit.accept(inside);
    return { program, inside, exit };
  };

  it('carries bytes both ways, each way to its own end', async () => {
    const { number, accepted } = openTunnel();
    const { program } = connect(number);
    const sent = Buffer.alloc(1_000_001, 'ab');
    program.end(sent);
    const outside = await accepted;
    assert.ok((await buffer(outside)).equals(sent));
    outside.end('answer');
    assert.equal((await buffer(program)).toString(), 'answer');
    await closed(outside);
  });

  it('ends with its tunnel', async () => {
    const { number, accepted } = openTunnel();
    const { program } = connect(number);
    await accepted;
    await tunnels.remove(number);
    await closed(program);
  });

  it('ends with its connection', async () => {
    const { number, accepted } = openTunnel();
    const { program } = connect(number);
    const outside = await accepted;
    await nodePeer.close();
    await closed(program);
    await closed(outside);
  });

  it('ends if its number is unknown', async () => {
    await closed(connect(8).program);
  });

  it('is refused if the connection to the host has ended', async () => {
    await nodePeer.close();
    const { inside, exit } = connect(1);
    await closed(inside);
    const refused: string[] = [];
    exit.refusals.on(({ why }) => refused.push(why));
    assert.deepEqual(refused, ['too-many-connections']);
  });
});

/** Waits until the stream has closed, for any reason. */
function closed(stream: Duplex): Promise<void> {
  if (stream.closed) return Promise.resolve();
  stream.on('error', () => undefined).resume();
  return new Promise((resolve) => stream.once('close', () => resolve()));
}
