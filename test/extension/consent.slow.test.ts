import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ErrorCode, ide, type RpcError, toolErrorReason, toolMethods } from '../../bridge/protocol/index.ts';
import { connectSocket, handshake, Peer } from '../../bridge/rpc/index.ts';
import { buildDist } from '../../host/node/setup/build-dist.ts';
import { Cli, cliPath } from '../support/cli.ts';
import { McpClient } from '../support/mcp-client.ts';
import { PersonsWindow } from '../support/vscode/persons-window.ts';
import { lowestLayer } from './rootfs.ts';

const callMs = 60_000;

describe("agents in a person's own window", function () {
  this.timeout(240_000);
  let window: PersonsWindow;
  const owned = new AsyncDisposableStack();

  before(async () => {
    await buildDist(AbortSignal.timeout(60_000), ['extension']);
    window = owned.use(await PersonsWindow.open(await lowestLayer(), { 'notes.md': '# Notes\n' }));
  });
  after(() => owned.disposeAsync());

  async function client(name = 'a test'): Promise<Peer> {
    const signal = AbortSignal.timeout(callMs);
    const peer = new Peer(await connectSocket(window.socket, signal));
    await handshake(peer, name, signal);
    return peer;
  }

  /** `done`, or the reason. */
  const call = (peer: Peer, name: string, given: Record<string, unknown>, signal?: AbortSignal) =>
    peer.request(toolMethods.call, { name, arguments: given }, signal ?? AbortSignal.timeout(callMs)).then(
      () => 'done',
      (error: unknown) => toolErrorReason(error) ?? (error as RpcError).code,
    );
  const write = (peer: Peer, path: string, signal?: AbortSignal) =>
    call(peer, 'write_file', { path, content: 'new\n' }, signal);
  const read = (peer: Peer) => call(peer, 'read_file', { path: 'notes.md' });
  const textOf = (path: string) => readFile(window.file(path), 'utf8');

  it('may read without a question', async () => {
    await using peer = await client();
    assert.equal(await read(peer), 'done');
    assert.equal((await peer.request(ide.workspace, {})).trusted, true);
    assert.deepEqual(await window.does({ do: 'dialogs' }), []);
  });

  it('change something when the person allows it once, and are asked about again for the next change', async () => {
    await using peer = await client('an agent');
    for (const path of ['once.txt', 'again.txt']) {
      const writing = write(peer, path);
      const [text = '', ...more] = await window.does({ do: 'wait' });
      assert.deepEqual(more, []);
      assert.match(text, /"an agent" wants to change files/);
      assert.match(text, /tool: write_file/);
      assert.ok(text.includes(`path: ${path}`), text);
      assert.ok(!existsSync(window.file(path)));
      await window.does({ do: 'press', button: 'Allow Once' });
      assert.equal(await writing, 'done');
      assert.equal(await textOf(path), 'new\n');
    }
  });

  it('are not asked about again in a session that was allowed, except for another class of tools', async () => {
    await using peer = await client();
    const writing = write(peer, 'session.txt');
    await window.does({ do: 'wait' });
    await window.does({ do: 'press', button: 'For This Session' });
    assert.equal(await writing, 'done');
    assert.equal(await write(peer, 'more.txt'), 'done');
    const running = call(peer, 'run_terminal_cmd', { command: 'touch ran.txt' });
    const [text = ''] = await window.does({ do: 'wait' });
    assert.match(text, /wants to run commands and code[^]*command: touch ran\.txt/);
    await window.does({ do: 'escape' });
    assert.equal(await running, 'not-allowed');
    assert.ok(!existsSync(window.file('ran.txt')));
    await using other = await client();
    const asked = write(other, 'other.txt');
    await window.does({ do: 'wait' });
    await window.does({ do: 'press', button: 'Cancel' });
    assert.equal(await asked, 'not-allowed');
  });

  it('share one question when they call at once', async () => {
    await using peer = await client();
    const writing = [write(peer, 'one.txt'), write(peer, 'two.txt')];
    assert.equal((await window.does({ do: 'wait' })).length, 1);
    await window.does({ do: 'press', button: 'For This Session' });
    assert.deepEqual(await Promise.all(writing), ['done', 'done']);
    assert.deepEqual(await window.does({ do: 'dialogs' }), []);
  });

  it('close the question when the call is cancelled or the client leaves, and a late answer runs nothing', async () => {
    await using peer = await client();
    const giveUp = new AbortController();
    const cancelled = write(peer, 'cancelled.txt', giveUp.signal);
    await window.does({ do: 'wait' });
    giveUp.abort();
    assert.equal(await cancelled, ErrorCode.Cancelled);
    await window.does({ do: 'press', button: 'Allow Once' });
    const leaving = await client();
    const left = write(leaving, 'left.txt');
    await window.does({ do: 'wait' });
    await leaving.close();
    assert.equal(await left, ErrorCode.Closed);
    await window.does({ do: 'press', button: 'For This Session' });
    // Edits are made one after another: one that a late answer had started would be there before this one.
    const writing = write(peer, 'later.txt');
    await window.does({ do: 'wait' });
    await window.does({ do: 'press', button: 'Allow Once' });
    assert.equal(await writing, 'done');
    for (const path of ['cancelled.txt', 'left.txt']) assert.ok(!existsSync(window.file(path)), path);
  });

  it('are shown in the Agent view, where the person pauses and stops them', async () => {
    await using peer = await client();
    await window.does({ do: 'command', title: 'Agent: Focus on Steps View', shows: 'IDE State' });
    await read(peer);
    await window.does({ do: 'view', has: 'read_file' });
    await window.does({ do: 'view', button: 'Pause Agents', has: 'agents are paused' });
    assert.equal(await write(peer, 'paused.txt'), 'agents-paused');
    assert.equal(await read(peer), 'done');
    await window.does({ do: 'view', button: 'Stop Agents', has: 'agents are stopped' });
    assert.equal(await read(peer), 'agents-stopped');
    const [text = ''] = await window.does({ do: 'view', button: 'Resume Agents', lacks: 'agents are' });
    assert.match(text, /write_file[^]*read_file/);
    assert.equal(await read(peer), 'done');
    assert.deepEqual(await window.does({ do: 'dialogs' }), []);
  });

  describe('through pwp mcp --socket', () => {
    let mcp: McpClient;
    before(async () => {
      const args = [cliPath, 'mcp', '--socket', window.socket];
      const transport = new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' });
      mcp = owned.use(await McpClient.connect(transport));
    });

    it("have the IDE's tools without those that need a sandbox", async () => {
      const { tools } = await mcp.client.listTools();
      const names = tools.map(({ name }) => name);
      for (const name of ['read_file', 'write_file', 'run_tests', 'add_tools'])
        assert.ok(names.includes(name), name);
      assert.ok(!names.some((name) => name === 'shell' || name.startsWith('computer_')), names.join());
      assert.ok(!JSON.stringify(tools).includes('"picture"'));
      assert.match(await mcp.text('read_file', { path: 'notes.md' }), /# Notes/);
      const { contents } = await mcp.client.readResource({ uri: 'pwp://state' });
      assert.match(JSON.stringify(contents), /diagnostics/);
    });

    it('are shown to the person under the name they give themselves', async () => {
      const writing = mcp.call('search_replace', {
        path: 'notes.md',
        old_string: 'Notes',
        new_string: 'Lines',
      });
      const [text = ''] = await window.does({ do: 'wait' });
      assert.match(text, /"test 1" wants to change files[^]*search_replace[^]*notes\.md/);
      await window.does({ do: 'press', button: 'Allow Once' });
      assert.notEqual((await writing).isError, true);
      assert.equal(await textOf('notes.md'), '# Lines\n');
    });

    it('are refused after Never until the person resets the answers', async () => {
      const tool = ['delete_file', { path: 'once.txt' }] as const;
      const never = mcp.refusal(...tool);
      await window.does({ do: 'wait' });
      await window.does({ do: 'press', button: 'Never' });
      assert.match(await never, /^not-allowed: .*pwp\.resetConsent/);
      await using peer = await client();
      assert.equal(await write(peer, 'never.txt'), 'not-allowed');
      assert.match(await mcp.refusal(...tool), /^not-allowed/);
      assert.deepEqual(await window.does({ do: 'dialogs' }), []);
      await window.does({
        do: 'command',
        title: 'Ask Again What Agents May Do',
        shows: 'You will be asked again',
      });
      const asked = mcp.text(...tool);
      await window.does({ do: 'wait' });
      await window.does({ do: 'press', button: 'Allow Once' });
      await asked;
      assert.ok(!existsSync(window.file('once.txt')));
    });

    it("are refused options that don't fit a window, in one line and with exit code 2", async () => {
      const cli = new Cli(undefined);
      const wrong: readonly (readonly [args: readonly string[], message: RegExp])[] = [
        [['--sandbox', 'x'], /--socket takes neither a folder nor --sandbox/],
        [['.'], /--socket takes neither a folder nor --sandbox/],
        [['--tools', 'shell'], /shell needs a sandbox/],
        [['--families', 'computer'], /computer needs a sandbox/],
      ];
      for (const [args, message] of wrong) {
        const { code, stderr } = await cli.pwp('mcp', '--socket', window.socket, ...args);
        assert.equal(code, 2, stderr);
        assert.match(stderr, message);
      }
    });

    it('are answered each time that the window is gone', async () => {
      const waiting = mcp.refusal('run_python', { code: 'print(1)' });
      await window.does({ do: 'wait' });
      await window[Symbol.asyncDispose]();
      assert.match(await waiting, /^window-gone: .*closed or reloaded/);
      assert.match(await mcp.refusal('read_file', { path: 'notes.md' }), /^window-gone/);
    });
  });
});
