import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import * as z from 'zod';
import { defineMethod } from '../../../bridge/protocol/descriptor.ts';
import { ide, toolMethods } from '../../../bridge/protocol/index.ts';
import { type Handlers, handshakeHandlers, listenSocket, Peer } from '../../../bridge/rpc/index.ts';
import { OpenWindow } from '../../../host/doors/cli/commands/mcp.ts';
import { programVersion } from '../../../host/lib/index.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/folder.ts';
import { leaveDeadSocket } from '../../support/vscode/deadSocket.ts';

describe("the connection to a person's own window", () => {
  let folder: TemporaryFolder;
  let path: string;
  beforeEach(async () => {
    folder = await temporaryFolder();
    path = folder.file('1.sock');
  });
  afterEach(() => folder[Symbol.asyncDispose]());

  const listen = (handlers: Handlers) =>
    listenSocket(path, (transport) => void new Peer(transport, handlers));
  const withTools = (handlers: Handlers) =>
    handlers.add(toolMethods.list, () => ({ tools: [], missing: null }));
  const opening = () => OpenWindow.open(path);

  it('needs a socket on which a window listens', async () => {
    const wrong = { code: 'connect-failed', help: /Show Connection/ };
    await assert.rejects(opening(), { ...wrong, message: /there is no socket/ });
    await writeFile(folder.file('note'), '');
    await assert.rejects(OpenWindow.open(folder.file('note')), { ...wrong, message: /is not a socket/ });
    await leaveDeadSocket(path);
    await assert.rejects(opening(), { ...wrong, message: /ECONNREFUSED/ });
  });

  it('needs the extension at its other end', async () => {
    await using server = await listen(withTools(handshakeHandlers('bridge', programVersion)));
    await assert.rejects(OpenWindow.open(server.path), {
      code: 'connect-failed',
      message: /of the bridge, not of a window/,
    });
  });

  it('needs an extension of the same version', async () => {
    await using server = await listen(withTools(handshakeHandlers('extension', '0.0.1')));
    await assert.rejects(OpenWindow.open(server.path), {
      code: 'other-version',
      message: /0\.0\.1/,
      help: /pwp\.vsix/,
    });
  });

  it('names the client, after the program itself', async () => {
    const names: string[] = [];
    const ask = defineMethod('test.names', z.object({}), z.array(z.string()));
    const handlers = withTools(
      handshakeHandlers('extension', programVersion, (name) => void names.push(name)),
    );
    await using server = await listen(handlers.add(ask, () => names));
    await using window = await OpenWindow.open(server.path);
    window.introduce('claude-code 2.0');
    assert.deepEqual(await window.request(ask, {}), ['pwp mcp', 'claude-code 2.0']);
  });

  it('says that the window is gone, in a call and after it', async () => {
    const server = await listen(
      withTools(handshakeHandlers('extension', programVersion)).add(
        ide.tabs,
        () => new Promise(() => undefined),
      ),
    );
    await using window = await opening();
    const call = window.request(ide.tabs, {});
    const gone = assert.rejects(call, { code: 'window-gone', help: /start this server again/ });
    await server[Symbol.asyncDispose]();
    await gone;
    await assert.rejects(window.request(ide.tabs, {}), { code: 'window-gone' });
  });
});
