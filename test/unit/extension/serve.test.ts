import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { deadline } from '../../../bridge/lib/index.ts';
import { connectSocket, handshake, handshakeHandlers, Peer } from '../../../bridge/rpc/index.ts';
import { serveWindow } from '../../../extension/src/window-socket.ts';
import { leaveDeadSocket } from '../../support/vscode/deadSocket.ts';

const uid = process.getuid?.() ?? 0;

describe('the sockets of windows in one folder', () => {
  let folder: string;
  beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'pwp-serve-'))));
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('are one per window, each answering for its own', async () => {
    await using one = await serveWindow(folder, uid, () => handshakeHandlers('extension', 'one'));
    await using two = await serveWindow(folder, uid, () => handshakeHandlers('extension', 'two'));
    assert.notEqual(one.path, two.path);
    assert.deepEqual([await versionAt(one.path), await versionAt(two.path)], ['one', 'two']);
  });

  it('are open only to their owner', async () => {
    await using server = await serveWindow(folder, uid, () => handshakeHandlers('extension', 'one'));
    assert.equal((await stat(server.path)).mode & 0o777, 0o600);
  });

  it('are removed with their window, without the others', async () => {
    await using stays = await serveWindow(folder, uid, () => handshakeHandlers('extension', 'stays'));
    const goes = await serveWindow(folder, uid, () => handshakeHandlers('extension', 'goes'));
    await goes[Symbol.asyncDispose]();
    assert.deepEqual(await readdir(folder), [basename(stays.path)]);
    assert.equal(await versionAt(stays.path), 'stays');
  });

  it('are swept by the next window if one died, and nothing else is', async () => {
    await leaveDeadSocket(join(folder, 'dead.sock'));
    await leaveDeadSocket(join(folder, 'of-another-program'));
    await using server = await serveWindow(folder, uid, () => handshakeHandlers('extension', 'one'));
    assert.deepEqual((await readdir(folder)).sort(), [basename(server.path), 'of-another-program'].sort());
  });

  it('need a path that fits into a socket address', async () => {
    const long = join(folder, 'x'.repeat(100));
    const call = serveWindow(long, uid, () => handshakeHandlers('extension', 'one'));
    await assert.rejects(call, { code: 'path-too-long', help: /pwp\.socketDirectory/ });
    assert.deepEqual(await readdir(folder), []);
  });
});

async function versionAt(path: string): Promise<string> {
  using limit = deadline('asking for the version', 5000);
  await using peer = new Peer(await connectSocket(path, limit.signal));
  return (await handshake(peer, 'test', limit.signal)).version;
}
