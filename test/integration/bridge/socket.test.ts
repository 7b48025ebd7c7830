import assert from 'node:assert/strict';
import { stat, symlink, writeFile } from 'node:fs/promises';
import { deadline, PwpError } from '../../../bridge/lib/index.ts';
import { desktop, ErrorCode, limits, RpcError } from '../../../bridge/protocol/index.ts';
import {
  connectSocket,
  type Handlers,
  handshake,
  handshakeHandlers,
  listenSocket,
  Peer,
  type Transport,
} from '../../../bridge/rpc/index.ts';
import { startBadServer } from '../../support/bad-server.ts';
import { temporaryFolder } from '../../support/folder.ts';

const never = new AbortController().signal;

const coded = (code: string | number) => (error: unknown) => {
  assert.ok(error instanceof PwpError || error instanceof RpcError, String(error));
  assert.equal(error.code, code, error.message);
  return true;
};

function logHandlers(): Handlers {
  return handshakeHandlers('bridge', 'test').add(desktop.log, ({ maxBytes }) => ({
    text: 'a'.repeat(maxBytes),
  }));
}

describe('a Unix socket', () => {
  it('carries requests of several clients, large ones too', async () => {
    await using folder = await temporaryFolder();
    const path = folder.file('s');
    await using server = await listenSocket(path, (transport) => void new Peer(transport, logHandlers()));
    await using one = new Peer(await connectSocket(server.path, never));
    await using two = new Peer(await connectSocket(server.path, never));
    assert.equal((await handshake(one, 'test')).server, 'bridge');
    const answers = await Promise.all(
      [one, two].map((peer) => peer.request(desktop.log, { service: 'xvfb', maxBytes: 200_000 })),
    );
    for (const { text } of answers) assert.equal(text.length, 200_000);
  });

  it('is open only to its owner', async () => {
    await using folder = await temporaryFolder();
    await using server = await listenSocket(folder.file('s'), () => undefined);
    assert.equal((await stat(server.path)).mode & 0o777, 0o600);
  });

  it('replaces what a dead server left', async () => {
    await using folder = await temporaryFolder();
    const path = folder.file('s');
    {
      await using dead = await startBadServer(path, 'silent');
      dead.kill();
    }
    assert.ok((await stat(path)).isSocket());
    await using server = await listenSocket(path, (transport) => void new Peer(transport, logHandlers()));
    await using peer = new Peer(await connectSocket(server.path, never));
    await handshake(peer, 'test');
  });

  it('leaves a running server alone', async () => {
    await using folder = await temporaryFolder();
    await using live = await listenSocket(folder.file('s'), () => undefined);
    await assert.rejects(
      listenSocket(live.path, () => undefined),
      coded('address-in-use'),
    );
    const client = await connectSocket(live.path, never);
    await client.close();
  });

  it('removes its file and ends its connections when it is disposed', async () => {
    await using folder = await temporaryFolder();
    const path = folder.file('s');
    const server = await listenSocket(path, (transport) => void new Peer(transport));
    const peer = new Peer(await connectSocket(path, never));
    await server[Symbol.asyncDispose]();
    await peer.closed;
    await assert.rejects(stat(path), /ENOENT/);
  });

  it('is not connected to through a symbolic link, nor is a plain or missing file', async () => {
    await using folder = await temporaryFolder();
    await using server = await listenSocket(folder.file('s'), () => undefined);
    await symlink(server.path, folder.file('link'));
    await writeFile(folder.file('plain'), '');
    for (const name of ['link', 'plain', 'missing']) {
      await assert.rejects(connectSocket(folder.file(name), never), coded('connect-failed'), name);
    }
  });

  it('ends a connection whose peer sends too much, on either side', async () => {
    await using folder = await temporaryFolder();
    const path = folder.file('s');
    let accept: (transport: Transport) => void = () => undefined;
    const accepted = new Promise<Transport>((resolve) => (accept = resolve));
    await using server = await listenSocket(path, (transport) => accept(transport));
    const client = await connectSocket(server.path, never);
    const served = await accepted;
    const ended = new Promise<Error | undefined>((resolve) => served.onEnd(resolve));
    client.send('a'.repeat(limits.messageBytes + 1));
    assert.match(String(await ended), /payload/i);
    await client.close();
  });
});

describe('a client of a server that misbehaves', () => {
  const cases: readonly [manner: string, code: number][] = [
    ['dies', ErrorCode.Closed],
    ['binary', ErrorCode.Closed],
    ['oversize', ErrorCode.Closed],
    ['silent', ErrorCode.Cancelled],
    ['nonsense', ErrorCode.Cancelled],
    ['stranger', ErrorCode.VersionMismatch],
  ];
  for (const [manner, code] of cases) {
    it(`gets the error: ${manner}`, async () => {
      await using folder = await temporaryFolder();
      const path = folder.file('s');
      await using server = await startBadServer(path, manner);
      await using peer = new Peer(await connectSocket(server.path, never));
      // Servers that never answer are given up soon; the others end by themselves.
      using limit = deadline('hello', code === ErrorCode.Cancelled ? 500 : 15_000);
      await assert.rejects(handshake(peer, 'test', limit.signal), coded(code));
    });
  }

  it('gets the error: no WebSocket', async () => {
    await using folder = await temporaryFolder();
    const path = folder.file('s');
    await using server = await startBadServer(path, 'not-a-websocket');
    await assert.rejects(connectSocket(server.path, never), coded('connect-failed'));
  });

  it('gives up when its signal fires while it connects', async () => {
    await using folder = await temporaryFolder();
    await using server = await listenSocket(folder.file('s'), () => undefined);
    await assert.rejects(
      connectSocket(server.path, AbortSignal.abort(new Error('enough'))),
      coded('connect-failed'),
    );
  });
});
