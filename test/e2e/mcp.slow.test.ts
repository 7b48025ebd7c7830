import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import * as z from 'zod';
import { Cli, cliPath } from '../support/cli.ts';
import { onEachNode } from '../support/each-node.ts';
import { temporaryFolder, type TemporaryFolder } from '../support/folder.ts';
import { imagesOf, McpClient } from '../support/mcp-client.ts';

const broken = 'def mean(numbers):\n    return sum(numbers) / (len(numbers) - 1)\n';
const test = `import unittest
from stats import mean

class Mean(unittest.TestCase):
    def test_mean(self):
        self.assertEqual(mean([1, 2, 3]), 2)
`;
const list = z.array(z.object({ id: z.string(), owner: z.object({ pid: z.number() }) }));

onEachNode('pwp mcp and pwp serve --mcp', (_, kind) => {
  const cli = new Cli(kind);
  let above: TemporaryFolder;
  let folder = '';
  before(async () => {
    above = await temporaryFolder();
    folder = above.file('a folder with a name that is too long for a sandbox');
    await mkdir(folder);
    await writeFile(join(folder, 'stats.py'), broken);
    await writeFile(join(folder, 'test_stats.py'), test);
  });
  after(() => above[Symbol.asyncDispose]());

  const arguments_ = () => [cliPath, 'mcp', folder, '--node', kind];
  /** Sandboxes of this machine that a process owns. */
  const ownedBy = async (pid: number | undefined) =>
    list.parse(await cli.json('sandboxes')).filter(({ owner }) => owner.pid === pid);

  it('let a client fix a failing test through MCP alone', async () => {
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: arguments_(),
      stderr: 'ignore',
      // The SDK does not pass on DOCKER_HOST by default.
      env: Object.fromEntries(Object.entries(process.env).map(([name, value = '']) => [name, value])),
    });
    await using client = await McpClient.connect(transport);
    const { tools } = await client.client.listTools();
    assert.ok(tools.length > 20);
    const run = { command: 'python3 -m unittest' };
    assert.match(await client.text('shell', run), /^exit code 1\n.*AssertionError: 3\.0 != 2/s);
    assert.match(await client.text('list_dir'), /stats\.py/);
    const source = await client.text('read_file', { path: 'stats.py' });
    const [, version] = /version ([0-9a-f]{16})/.exec(source) ?? [];
    const edit = { path: 'stats.py', old_string: '(len(numbers) - 1)', new_string: 'len(numbers)' };
    await client.text('search_replace', { ...edit, expected_version: version });
    assert.match(
      await client.refusal('search_replace', { ...edit, expected_version: version }),
      /^stale-version/,
    );
    assert.match(await client.text('shell', run), /^exit code 0\n/);
    assert.equal(imagesOf(await client.call('computer_screenshot', { marks: true })).length, 1);
  });

  it('write nothing but the protocol to standard output, and leave nothing behind when it is closed', async () => {
    const { server, lines } = await greeted(arguments_(), 2);
    assert.equal((await ownedBy(server.pid)).length, 1);
    server.stdin.end();
    const [code] = (await once(server, 'exit')) as [number | null];
    assert.equal(code, 0);
    for (const line of lines) assert.equal((JSON.parse(line) as { jsonrpc?: string }).jsonrpc, '2.0', line);
    assert.deepEqual(await ownedBy(server.pid), []);
  });

  it('leave nothing behind when their client dies', async () => {
    const { server } = await greeted(arguments_(), 1);
    for (const end of [server.stdout, server.stderr, server.stdin]) end.destroy();
    const [code] = (await once(server, 'exit')) as [number | null];
    assert.equal(code, 0);
    assert.deepEqual(await ownedBy(server.pid), []);
  });

  for (const when of ['starting', 'ready'] as const) {
    it(`leave nothing behind after SIGTERM while the IDE is ${when}`, async () => {
      const { server } = await greeted(arguments_(), when === 'ready' ? 2 : 1);
      server.kill('SIGTERM');
      await once(server, 'exit');
      assert.deepEqual(await ownedBy(server.pid), []);
    });
  }

  it('serve a running sandbox over HTTP, and leave it running', async () => {
    const { id: sandbox } = z.object({ id: z.string() }).parse(await cli.json('up', folder));
    try {
      const server = cli.start('serve', '--mcp', '--sandbox', sandbox);
      await using client = await McpClient.connect(await transportOf(server));
      assert.match(await client.text('list_dir'), /stats\.py/);
      server.kill('SIGTERM');
      await once(server, 'exit');
      assert.ok(list.parse(await cli.json('sandboxes')).some(({ id }) => id === sandbox));
    } finally {
      await cli.pwp('down', sandbox);
    }
  });

  it('say what is missing on the command line', async () => {
    const { code, stdout, stderr } = await cli.pwp('mcp');
    assert.equal(code, 2);
    assert.equal(stdout, '');
    assert.match(stderr, /folder.*--sandbox/);
  });
});

const greetings = [
  {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
  },
  { jsonrpc: '2.0', method: 'notifications/initialized' },
  { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'list_dir', arguments: {} } },
];

/** A server that has answered the initialization, or also a call, which waits for the IDE. */
async function greeted(args: string[], answers: 1 | 2) {
  const server = spawn(process.execPath, args, { stdio: 'pipe' });
  server.stderr.resume();
  const lines: string[] = [];
  const reader = createInterface(server.stdout).on('line', (line) => lines.push(line));
  for (const message of answers === 1 ? greetings.slice(0, 1) : greetings)
    server.stdin.write(`${JSON.stringify(message)}\n`);
  while (!lines.some((line) => line.includes(`"id":${answers}`))) await once(reader, 'line');
  return { server, lines };
}

/** Connects as a client does that is configured with the server's output. */
async function transportOf(server: ChildProcess): Promise<Transport> {
  let printed = '';
  server.stdout?.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  while (!printed.includes('to watch:') && server.stdout) await once(server.stdout, 'data');
  const server_ = z.object({ url: z.string(), headers: z.record(z.string(), z.string()) });
  const config = z.object({ mcpServers: z.object({ pwp: server_ }) });
  const { url, headers } = config.parse(JSON.parse(printed.split('to watch:')[0] ?? '')).mcpServers.pwp;
  return new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
}
