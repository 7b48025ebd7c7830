import assert from 'node:assert/strict';
import { readdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as vscode from 'vscode';
import * as z from 'zod';
import { defineMethod } from '../../../../bridge/protocol/descriptor.ts';
import { ErrorCode, hello, ide, PROTOCOL_VERSION } from '../../../../bridge/protocol/index.ts';
import { handshake, handshakeHandlers } from '../../../../bridge/rpc/index.ts';
import { serveWindow } from '../../../../extension/src/window-socket.ts';
import { ask, connect, extensionUnderTest, socketPath, wireError } from '../client.ts';

describe('connection', () => {
  it('greets a caller of the same version with its own', async () => {
    await using peer = await connect();
    const { version } = (await extensionUnderTest()).packageJSON as { version: string };
    assert.deepEqual(await handshake(peer, 'test'), {
      protocol: PROTOCOL_VERSION,
      server: 'extension',
      version,
    });
  });

  it('refuses a caller of another version', async () => {
    const call = ask(hello, { protocol: PROTOCOL_VERSION + 1, client: 'from the future' });
    await assert.rejects(call, wireError(ErrorCode.VersionMismatch, /speaks protocol \d+/));
  });

  it('refuses a method it does not know', async () => {
    const unknown = defineMethod('ide.formatDisk', z.object({}), z.unknown());
    await assert.rejects(ask(unknown, {}), wireError(ErrorCode.MethodNotFound));
  });

  it('answers many callers at once', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(ide.info, {})));
    assert.deepEqual(new Set(answers.map(({ processId }) => processId)), new Set([process.pid]));
  });

  it('keeps its socket to its owner', async () => {
    const path = await socketPath();
    assert.equal((await stat(path)).mode & 0o777, 0o600);
    assert.equal((await stat(dirname(path))).mode & 0o777, 0o700);
  });

  it('swept the socket of a window that died, and nothing else', async () => {
    const names = await readdir(dirname(await socketPath()));
    assert.ok(!names.includes('dead.sock'), names.join());
    assert.ok(names.includes('notes.sock'), 'a plain file of that name stays');
  });

  it('shares its folder with another window', async () => {
    const mine = await socketPath();
    const other = await serveWindow(dirname(mine), process.getuid?.() ?? 0, () =>
      handshakeHandlers('extension', 'other'),
    );
    await using peer = await connect(other.path);
    assert.equal((await handshake(peer, 'test')).version, 'other');
    await other[Symbol.asyncDispose]();
    const names = await readdir(dirname(mine));
    assert.deepEqual(
      names.filter((name) => name !== 'notes.sock'),
      [mine.slice(dirname(mine).length + 1)],
    );
    assert.equal((await ask(ide.info, {})).processId, process.pid);
  });

  it('reports its socket in a command', async () => {
    assert.equal(await vscode.commands.executeCommand('pwp.showConnection'), await socketPath());
    await vscode.commands.executeCommand('notifications.clearAll');
  });
});
