import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { WebSocket } from 'ws';
import { desktop, limits } from '../../../bridge/protocol/index.ts';
import {
  connectWebSocket,
  handshake,
  handshakeHandlers,
  listenWebSocket,
  Peer,
  type Transport,
} from '../../../bridge/rpc/index.ts';
import type { WebSocketListener } from '../../../bridge/rpc/websocket.ts';

const never = new AbortController().signal;
const token = 'a'.repeat(43);
const host = '127.0.0.1';

describe('a WebSocket on a port', () => {
  let server: WebSocketListener;
  let accepted: Transport[];
  beforeEach(async () => {
    accepted = [];
    const handlers = handshakeHandlers('node', 'test').add(desktop.log, ({ maxBytes }) => ({
      text: 'a'.repeat(maxBytes),
    }));
    server = await listenWebSocket({ host, port: 0, token }, (transport) => {
      accepted.push(transport);
      new Peer(transport, handlers);
    });
  });
  afterEach(() => server[Symbol.asyncDispose]());

  /** The status of the answer to an attempt with these headers. */
  const attempt = async (headers: Record<string, string>): Promise<number | 'open'> => {
    const socket = new WebSocket(`ws://${host}:${server.port}/`, { headers });
    const opened = once(socket, 'open').then(() => 'open' as const);
    const refused = once(socket, 'unexpected-response').then(
      ([, response]) => (response as { statusCode: number }).statusCode,
    );
    opened.catch(() => undefined);
    const answer = await Promise.race([opened, refused]);
    refused.catch(() => undefined);
    socket.on('error', () => undefined).terminate();
    return answer;
  };

  it('carries requests of clients with the token, large ones too', async () => {
    await using peer = new Peer(await connectWebSocket({ host, port: server.port, token }, never));
    assert.equal((await handshake(peer, 'test')).server, 'node');
    const { text } = await peer.request(desktop.log, { service: 'xvfb', maxBytes: 200_000 });
    assert.equal(text.length, 200_000);
  });

  it('refuses all others: no token, a wrong one, one in the address, pages in a browser', async () => {
    const right = { authorization: `Bearer ${token}` };
    assert.equal(await attempt({}), 401);
    assert.equal(await attempt({ authorization: `Bearer ${token.slice(1)}b` }), 401);
    assert.equal(await attempt({ authorization: `Bearer ${token}b` }), 401);
    assert.equal(await attempt({ authorization: token }), 401);
    assert.equal(await attempt({ ...right, origin: 'http://127.0.0.1' }), 401);
    assert.equal(accepted.length, 0);
    assert.equal(await attempt(right), 'open');
    const wrong = connectWebSocket({ host, port: server.port, token: 'b' }, never);
    await assert.rejects(wrong, { code: 'not-admitted' });
  });

  it('answers no plain request, even with the token', async () => {
    const asked = request({
      host,
      port: server.port,
      path: `/?token=${token}`,
      headers: { authorization: `Bearer ${token}` },
    });
    const [response] = (await once(asked.end(), 'response')) as [{ statusCode: number; resume(): void }];
    response.resume();
    assert.equal(response.statusCode, 401);
  });

  it('ends a connection that speaks nonsense', async () => {
    const socket = connect(server.port, host);
    socket.resume().write('\x00\x01\x02 nonsense\r\n\r\n');
    await once(socket, 'close');
  });

  it('listens on no other address', async () => {
    const others = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
    for (const { address } of others.filter(({ internal }) => !internal)) {
      const socket = connect(server.port, address);
      // One whose link is down does not even refuse.
      await assert.rejects(once(socket, 'connect', { signal: AbortSignal.timeout(3000) }), address);
      socket.destroy();
    }
  });

  it('ends a connection whose peer does not read', async () => {
    const client = await connectWebSocket({ host, port: server.port, token }, never);
    const [far] = accepted;
    assert.ok(far);
    // The loop below is synchronous: the peer reads nothing meanwhile.
    const piece = 'a'.repeat(16 * 1024 * 1024);
    const ended = new Promise<Error | undefined>((resolve) => far.onEnd(resolve));
    for (let sent = 0; sent <= limits.queuedBytes + piece.length; sent += piece.length) far.send(piece);
    assert.match((await ended)?.message ?? '', /has not read/);
    await client.close();
  });

  it('reports the method and the limit for a message that is too large, and continues', async () => {
    await using peer = new Peer(await connectWebSocket({ host, port: server.port, token }, never));
    const params = { protocol: 1, client: 'a'.repeat(limits.messageBytes) };
    const large = { name: 'test.large', params: desktop.log.params, result: desktop.log.result };
    await assert.rejects(peer.request({ ...large, params: (await import('zod')).any() }, params), {
      code: -32005,
      message: new RegExp(`test.large: \\d+ bytes .*${limits.messageBytes}`),
    });
    assert.equal((await handshake(peer, 'test')).server, 'node');
  });
});
