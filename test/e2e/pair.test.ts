import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { on, once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { connect } from 'node:tls';
import { WebSocket } from 'ws';
import * as z from 'zod';
import { Cli, type CliResult } from '../support/cli.ts';
import { onEachNode } from '../support/each-node.ts';
import { slowIt } from '../support/slow.ts';

const printed = z.object({
  id: z.string(),
  url: z.url(),
  share: z.object({ url: z.url() }).nullable(),
  certificate: z.string().nullable(),
});
const list = z.array(z.object({ id: z.string() }));
const refusal = z.object({ error: z.object({ code: z.string(), message: z.string() }) });

onEachNode('pwp pair', (_, kind) => {
  const cli = new Cli(kind);
  const running: ChildProcess[] = [];
  let folder = '';

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pwp-pair-'));
    await writeFile(join(folder, 'hello.py'), 'print("hello")\n');
  });
  after(async () => {
    await Promise.all(running.map(ended));
    await rm(folder, { recursive: true });
  });

  /** Starts it, and reads what it prints when the IDE is ready. */
  async function pair(
    ...args: string[]
  ): Promise<z.output<typeof printed> & { readonly child: ChildProcess }> {
    const child = cli.start('pair', ...args, '--json');
    running.push(child);
    child.stdout?.setEncoding('utf8');
    const errors = child.stderr ? text(child.stderr) : Promise.resolve('');
    let all = '';
    for await (const chunk of child.stdout ?? []) {
      all += String(chunk);
      if (all.endsWith('}\n')) return { ...printed.parse(JSON.parse(all)), child };
    }
    throw new Error(`pwp pair printed ${all}; ${await errors}`);
  }

  slowIt(
    'serves a page on a copy of a folder; agents take turns with the people there; Ctrl-C ends it all',
    async () => {
      const first = await pair(folder, '--share', 'view', '--ttl', '5m');
      const page = await (await fetch(first.url)).text();
      assert.match(page, /<title>pwp-pair-/);
      assert.equal((await fetch(first.share?.url ?? '')).status, 200);
      const other = await pair(first.id, '--host', '127.0.0.2');
      assert.equal(other.id, first.id);
      const { protocol, hostname: host, port } = new URL(other.url);
      assert.deepEqual([protocol, host], ['https:', '127.0.0.2']);
      const shown = connect({ host, port: Number(port), rejectUnauthorized: false });
      await once(shown, 'secureConnect');
      assert.equal(shown.getPeerCertificate().fingerprint256, other.certificate);
      shown.destroy();

      const step = () => cli.pwp('step', first.id, 'xdotool key F1', '--json');
      assert.equal((await step()).code, 0);
      const socket = await opened(other.url);
      socket.send(JSON.stringify({ type: 'take', force: false, pause: false }));
      await until(socket, (message) => message.type === 'hands' && message.hands?.holder?.isYou === true);
      assert.equal(refusedAs(await step()), 'control-held');
      // Control ends with pwp pair.
      await ended(other.child);
      assert.equal((await cli.pwp('observe', first.id)).code, 0);
      assert.doesNotMatch((await step()).stdout, /control-held/);

      await ended(first.child);
      const left = list.parse(await cli.json('sandboxes'));
      assert.equal(
        left.some(({ id }) => id === first.id),
        false,
      );
    },
  );

  it('refuses an argument that is neither a folder nor a sandbox, and wrong options', async () => {
    const { code, stderr } = await cli.pwp('pair', 'no-such-thing');
    assert.notEqual(code, 0);
    assert.match(stderr, /no-such-thing/);
    assert.equal((await cli.pwp('pair', folder, '--ttl', 'soon')).code, 2);
    for (const wrong of [
      ['--host', '0.0.0.0'],
      ['--tls-cert', 'a.pem'],
      ['--tls-cert', 'a', '--tls-key', 'b'],
    ])
      assert.match((await cli.pwp('pair', folder, ...wrong)).stderr, /addresses|go together|Add --host/);
  });
});

/** The code of the error that it printed as JSON. */
function refusedAs({ code, stdout }: CliResult): string {
  assert.notEqual(code, 0);
  return refusal.parse(JSON.parse(stdout)).error.code;
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGINT');
  await exit;
}

async function opened(url: string): Promise<WebSocket> {
  const address = new URL(url);
  address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';
  address.pathname = '/live';
  // Its certificate is looked at above.
  const socket = new WebSocket(address, { rejectUnauthorized: false });
  await once(socket, 'open');
  return socket;
}

interface Said {
  readonly type: string;
  readonly hands?: { readonly holder: { readonly isYou: boolean } | null };
}

/** Several messages may come at once: each is read as it comes. */
async function until(socket: WebSocket, isIt: (message: Said) => boolean): Promise<void> {
  for await (const [data, isBinary] of on(socket, 'message') as AsyncIterable<[Buffer, boolean]>)
    if (!isBinary && isIt(JSON.parse(data.toString()) as Said)) return;
}
