import assert from 'node:assert/strict';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import {
  type JSONRPCMessage,
  PromptListChangedNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { PwpError } from '../../../bridge/lib/index.ts';
import { ClientConnection } from '../../../host/doors/serve/mcp/client-connection.ts';
import { chooseServedTools } from '../../../host/doors/serve/mcp/served-tools.ts';
import { SharedIde } from '../../../host/doors/serve/mcp/shared-ide.ts';
import { withProgress } from '../../../host/doors/serve/mcp/transport.ts';
import type { Sandbox } from '../../../host/node/index.ts';
import { McpClient } from '../../support/mcp-client.ts';

const never = new AbortController().signal;
const starting = () => new SharedIde(new Promise<never>(() => undefined));

describe('a client of the MCP server', () => {
  it('is initialized and gets its tools while the IDE is still starting', async () => {
    await using client = await McpClient.inMemory(starting());
    assert.equal(client.client.getServerVersion()?.name, 'pwp');
    assert.match(client.client.getInstructions() ?? '', /computer_marks/);
    assert.ok((await client.client.listTools()).tools.length > 10);
  });

  it('gets the reason why there is no IDE from each call', async () => {
    const failed = Promise.reject<never>(new PwpError('needs-root', 'no rights', { help: 'Be root.' }));
    await using client = await McpClient.inMemory(new SharedIde(failed));
    assert.equal(await client.refusal('list_dir'), 'needs-root: no rights. Be root.');
    assert.equal(await client.refusal('computer_screenshot'), 'needs-root: no rights. Be root.');
  });

  it('is refused a tool that is not offered', async () => {
    const ide = starting();
    await using client = await McpClient.inMemory(ide, { families: ['files'] });
    await assert.rejects(client.call('shell', { command: 'ls' }), { code: -32_602 });
    await assert.rejects(client.call('read_fil'), /there is no tool read_fil: did you mean read_file\?/);
  });

  it('adds tools and is notified of its new lists; the prompts follow the tools', async () => {
    await using client = await McpClient.inMemory(starting());
    const notified: string[] = [];
    client.client.setNotificationHandler(
      ToolListChangedNotificationSchema,
      () => void notified.push('tools'),
    );
    client.client.setNotificationHandler(
      PromptListChangedNotificationSchema,
      () => void notified.push('prompts'),
    );
    const names = async () => (await client.client.listTools()).tools.map(({ name }) => name);
    const prompts = async () => (await client.client.listPrompts()).prompts.map(({ name }) => name);
    const before = await names();
    assert.ok(before.includes('add_tools') && !before.includes('debug_start'));
    assert.ok(!(await prompts()).includes('debug'));
    const answer = await client.text('add_tools', { names: ['debug', 'http_request', 'hover'] });
    assert.match(answer, /^debug_start: Launches .*\.$/m);
    assert.match(answer, /^http_request: .* e\.g\. to a server .* body\.$/m, 'the whole sentence');
    assert.deepEqual(notified, ['tools', 'prompts']);
    const added = (await names()).filter((name) => !before.includes(name));
    assert.ok(added.includes('set_breakpoint') && added.includes('hover') && !added.includes('move_file'));
    assert.ok((await prompts()).includes('debug'));
  });

  it('gets a suggestion when it adds an unknown tool, and gets none of the tools', async () => {
    await using client = await McpClient.inMemory(starting());
    const before = await client.client.listTools();
    const refusal = await client.refusal('add_tools', { names: ['data', 'debuger'] });
    assert.match(refusal, /^bad-arguments: .*debuger: did you mean debug\?$/);
    assert.match(await client.refusal('add_tools', { name: 'data' }), /^bad-arguments: .*name/s);
    assert.deepEqual(await client.client.listTools(), before);
  });

  it("can't add tools to those that were chosen for it", async () => {
    await using client = await McpClient.inMemory(starting(), { families: ['files'] });
    const { tools } = await client.client.listTools();
    assert.ok(!tools.some(({ name }) => name === 'add_tools'));
    assert.doesNotMatch(client.client.getInstructions() ?? '', /add_tools/);
    await assert.rejects(client.call('add_tools', { names: ['debug'] }), { code: -32_602 });
  });

  it('gets prompts with their arguments filled in, and errors for wrong requests', async () => {
    await using client = await McpClient.inMemory(starting());
    const { prompts } = await client.client.listPrompts();
    for (const { name, description } of prompts) assert.match(description ?? '', /\.$/, name);
    const get = (name: string, given: Record<string, string>) =>
      client.client.getPrompt({ name, arguments: given });
    const { messages } = await get('use_screen', { task: 'Open the settings.' });
    assert.match(JSON.stringify(messages), /Open the settings\./);
    const wrong = (message: RegExp) => ({ code: -32_602, message });
    await assert.rejects(get('use_screen', {}), wrong(/the argument task is missing/));
    await assert.rejects(get('use_screen', { tasks: 'x' }), wrong(/no argument tasks: did you mean task\?/));
    await assert.rejects(get('use_screen', { task: 'x'.repeat(10_001) }), wrong(/10001 characters/));
    await assert.rejects(get('fix_tests', {}), wrong(/did you mean fix_test\?/));
  });

  it('can list resources while the IDE is still starting, and is refused an unknown one', async () => {
    await using client = await McpClient.inMemory(starting());
    const { resources } = await client.client.listResources();
    assert.deepEqual(
      resources.map(({ uri }) => uri),
      ['pwp://screen', 'pwp://state', 'pwp://record'],
    );
    const unknown = client.client.readResource({ uri: 'pwp://clock' });
    await assert.rejects(unknown, { code: -32_002, message: /there is no resource pwp:\/\/clock/ });
  });

  it('gets an error that names a wrong parameter of any request', async () => {
    const [here, there] = InMemoryTransport.createLinkedPair();
    await new ClientConnection(starting(), chooseServedTools({})).connect(there);
    const answers: JSONRPCMessage[] = [];
    here.onmessage = (message) => void answers.push(message);
    await here.start();
    const wrong = [
      { method: 'initialize', params: { protocolVersion: 7 } },
      { method: 'tools/call', params: { arguments: {} } },
      { method: 'tools/call', params: { name: 'read_file', arguments: 'a.txt' } },
      { method: 'resources/read', params: {} },
      { method: 'prompts/get' },
    ];
    const named = ['protocolVersion', 'name', 'arguments', 'uri', 'params'];
    for (const [id, request] of wrong.entries()) await here.send({ jsonrpc: '2.0', id, ...request });
    for (const [id, { method }] of wrong.entries()) {
      const answer = answers.find((one) => 'id' in one && one.id === id);
      assert.ok(answer && 'error' in answer, method);
      assert.equal(answer.error.code, -32_602, method);
      assert.match(answer.error.message, new RegExp(`^${method}: .*${named[id]}`, 's'));
    }
    await here.close();
  });

  it('gets progress while it waits, and can cancel', async () => {
    await using client = await McpClient.inMemory(starting());
    const giveUp = new AbortController();
    const reported: string[] = [];
    const waiting = client.call(
      'list_dir',
      {},
      {
        signal: giveUp.signal,
        onprogress: ({ message = '' }) => {
          reported.push(message);
          giveUp.abort();
        },
      },
    );
    await assert.rejects(waiting);
    assert.deepEqual(reported, ['the IDE is starting: 1 s']);
  });
});

describe('progress', () => {
  it('is not sent to a client that did not ask for it', async () => {
    assert.equal(await withProgress(undefined, String, () => Promise.resolve(7)), 7);
  });

  it("does not end a call when it can't be sent", async () => {
    const { promise, resolve } = Promise.withResolvers<number>();
    const tell = () => {
      resolve(7);
      return Promise.reject(new Error('the client is gone'));
    };
    assert.equal(
      await withProgress(
        tell,
        () => 'x',
        () => promise,
      ),
      7,
    );
  });
});

describe("the turns of one IDE's clients", () => {
  const ide = () => new SharedIde(Promise.reject<Sandbox>(new Error('none is needed')));

  it('come one after the other, even if one fails', async () => {
    const { inTurn } = bound(ide());
    const log: string[] = [];
    const first = Promise.withResolvers<void>();
    const one = inTurn(async () => {
      log.push('one begins');
      await first.promise;
      log.push('one ends');
      throw new Error('one failed');
    }, never);
    const two = inTurn(() => Promise.resolve(log.push('two')), never);
    first.resolve();
    await assert.rejects(one, /one failed/);
    await two;
    assert.deepEqual(log, ['one begins', 'one ends', 'two']);
  });

  it('keep their order when a waiting client gives up', async () => {
    const { inTurn } = bound(ide());
    const first = Promise.withResolvers<void>();
    const log: string[] = [];
    const one = inTurn(() => first.promise, never);
    const giveUp = new AbortController();
    const two = inTurn(() => Promise.resolve(log.push('two')), giveUp.signal);
    const three = inTurn(() => Promise.resolve(log.push('three')), never);
    giveUp.abort(new Error('no more'));
    await assert.rejects(two, /no more/);
    assert.deepEqual(log, []);
    first.resolve();
    await Promise.all([one, three]);
    assert.deepEqual(log, ['three']);
  });
});

function bound(ide: SharedIde) {
  return { inTurn: <T>(run: () => Promise<T>, signal: AbortSignal) => ide.inTurn(run, signal) };
}
