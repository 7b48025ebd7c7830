import assert from 'node:assert/strict';
import { utimes, writeFile } from 'node:fs/promises';
import { ErrorCode, ide, RpcError } from '../../../bridge/protocol/index.ts';
import { handshakeHandlers, listenSocket, Peer } from '../../../bridge/rpc/index.ts';
import { ExtensionRoute } from '../../../bridge/src/extension-route.ts';
import { startBadServer } from '../../support/bad-server.ts';
import { temporaryFolder } from '../../support/folder.ts';

const never = new AbortController().signal;

/** A window's extension host, as far as the route sees it. */
async function openWindow(path: string, session: string, seconds: number): Promise<AsyncDisposable> {
  const info = { app: 'test', version: '1', host: 'test', session, processId: 1 };
  const handlers = handshakeHandlers('extension', 'test').add(ide.info, () => info);
  const server = await listenSocket(path, (transport) => void new Peer(transport, handlers));
  await age(path, seconds);
  return server;
}

/** Sets when a socket was made, in seconds since 1970. */
const age = (path: string, seconds: number) => utimes(path, seconds, seconds);

const unavailable = (error: unknown) => error instanceof RpcError && error.code === ErrorCode.Unavailable;

describe('the way to the extension', () => {
  it('leads to the newest window, even when it opened later', async () => {
    await using folder = await temporaryFolder();
    const route = new ExtensionRoute(folder.path);
    const session = async () => (await route.request(ide.info, {}, never)).session;
    await using first = await openWindow(folder.file('1'), 'first', 1000);
    assert.equal(await session(), 'first');
    {
      await using second = await openWindow(folder.file('2'), 'second', 2000);
      assert.equal(await session(), 'second');
      assert.notEqual(second, first);
    }
    assert.equal(await session(), 'first');
    await route.forget();
  });

  it('skips windows that do not answer', async () => {
    await using folder = await temporaryFolder();
    const route = new ExtensionRoute(folder.path);
    await using window = await openWindow(folder.file('1'), 'good', 1000);
    await using dead = await startBadServer(folder.file('2'), 'silent');
    dead.kill();
    await using stranger = await startBadServer(folder.file('3'), 'stranger');
    await writeFile(folder.file('4'), 'no socket');
    for (const [name, seconds] of [
      ['2', 2000],
      ['3', 3000],
      ['4', 4000],
    ] as const)
      await age(folder.file(name), seconds);
    assert.equal((await route.request(ide.info, {}, never)).session, 'good');
    assert.ok(window && stranger);
    await route.forget();
  });

  it('is found for callers who still wait when the first caller gives up', async () => {
    await using folder = await temporaryFolder();
    const route = new ExtensionRoute(folder.path);
    const first = new AbortController();
    // Between the connection and its greeting's answer.
    await using server = await listenSocket(folder.file('1'), (transport) => {
      first.abort(new Error('enough'));
      void new Peer(transport, handshakeHandlers('extension', 'test'));
    });
    const gone = assert.rejects(route.peer(first.signal), { message: 'enough' });
    const second = route.peer(never);
    await gone;
    assert.ok((await second) instanceof Peer && server);
    await route.forget();
  });

  it('ignores windows of a browser that is gone', async () => {
    await using folder = await temporaryFolder();
    const route = new ExtensionRoute(folder.path);
    route.notBefore = 5_000_000;
    await using window = await openWindow(folder.file('1'), 'old', 4999);
    await assert.rejects(route.request(ide.info, {}, never), unavailable);
    await age(folder.file('1'), 5001);
    assert.equal((await route.request(ide.info, {}, never)).session, 'old');
    assert.ok(window);
    await route.forget();
  });

  it('is unavailable while there is no window, and when it closes in the middle of a request', async () => {
    await using folder = await temporaryFolder();
    const missing = new ExtensionRoute(folder.file('none'));
    await assert.rejects(missing.request(ide.info, {}, never), unavailable);
    const info = handshakeHandlers('extension', 'test').add(ide.info, async () => {
      await server[Symbol.asyncDispose]();
      return new Promise<never>(() => undefined);
    });
    const server = await listenSocket(folder.file('1'), (transport) => void new Peer(transport, info));
    const route = new ExtensionRoute(folder.path);
    await assert.rejects(route.request(ide.info, {}, never), unavailable);
  });
});
