import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PwpError } from '../../../bridge/lib/index.ts';
import { desktop, RpcError } from '../../../bridge/protocol/index.ts';
import { runFolder } from '../../../host/lib/index.ts';
import type { Sandbox } from '../../../host/node/index.ts';
import { onEachNode, type OpenedNode, openLocal } from '../../support/each-node.ts';
import { watchGrowth } from '../../support/growth.ts';
import { bareSpec, bash, says } from '../../support/node-sandbox.ts';
import { slowIt } from '../../support/slow.ts';

const programs = fileURLToPath(new URL('../../programs', import.meta.url));
const codes = ['display-lost', 'display-error', 'bridge-lost', 'connect-failed'];
/** MiB that an attack may add to this process. */
const mostMb = 200;
/** What `npm test` tries: one lie, and one flood, of each server. */
const quick = new Set(['descriptors', 'long-reply', 'small-objects', 'requests']);

function isTyped(error: unknown): boolean {
  return error instanceof PwpError && codes.includes(error.code);
}

async function works(sandbox: Sandbox): Promise<void> {
  const { width } = await sandbox.capture();
  assert.equal(width, 1920);
  const { services } = await sandbox.call(desktop.status, {});
  assert(services.every(({ state }) => state === 'ready'));
  await says(sandbox, 'true');
}

/** Replaces a server by one of test/programs, as an attacker could who has broken through the wall. */
async function inPlaceOf(socket: string, program: string, mode: string): Promise<AsyncDisposable> {
  const args = [join(programs, program), '--at', socket, mode];
  const evil = spawn('python3', args, { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(evil.stdout, 'data');
  return {
    async [Symbol.asyncDispose]() {
      const exited = once(evil, 'exit');
      evil.kill('SIGKILL');
      await exited;
    },
  };
}

describe('a sandbox whose wall has been broken', function () {
  this.timeout(300_000);
  let test: OpenedNode;
  let good: Sandbox;
  let bad: Sandbox;
  before(async () => {
    test = await openLocal();
    const starting = ['good', 'bad'].map((name) => test.node.start(bareSpec({ name, role: 'ide' })));
    [good, bad] = (await Promise.all(starting)) as [Sandbox, Sandbox];
    await Promise.all([good.ready(), bad.ready()]);
  });
  after(() => test?.[Symbol.asyncDispose]());

  for (const mode of ['descriptors', 'long-reply', 'no-numbers', 'no-keysyms', 'fills-memory', 'events']) {
    (quick.has(mode) ? it : slowIt)(
      `reports a malicious X server as an error of that sandbox only: ${mode}`,
      async () => {
        const socket = join(runFolder, bad.id, 'desk/X1');
        const growth = watchGrowth();
        await using evil = await inPlaceOf(socket, 'evil-x.py', mode);
        void evil;
        await using opened = await test.node.open(bad.id);
        const used = (async () => {
          for (let i = 0; i < 10; i += 1) {
            await opened.input([{ kind: 'type', text: 'aé', delayMs: 0 }]);
            await opened.capture();
          }
        })();
        const [ended] = await Promise.allSettled([used, works(good)]);
        if (mode === 'descriptors') assert.equal(ended.status, 'fulfilled');
        else assert(ended.status === 'rejected' && isTyped(ended.reason), String(Object.values(ended)));
        await works(good);
        const { grownMb } = await growth.end();
        assert(grownMb < mostMb, `${grownMb} MiB`);
      },
    );
  }

  for (const mode of ['small-objects', 'endless-pieces', 'streams', 'events', 'requests']) {
    (quick.has(mode) ? it : slowIt)(
      `reports a malicious bridge as an error of that sandbox only: ${mode}`,
      async () => {
        const socket = join(runFolder, bad.id, 'desk/bridge.sock');
        const growth = watchGrowth();
        await using evil = await inPlaceOf(socket, 'evil-bridge.py', mode);
        void evil;
        await using opened = await test.node.open(bad.id);
        const used = (async () => {
          for (let i = 0; i < 10; i += 1) await opened.call(desktop.status, {});
        })();
        const [ended] = await Promise.allSettled([used, works(good)]);
        assert(ended.status === 'rejected' && isTyped(ended.reason), String(Object.values(ended)));
        await works(good);
        const { grownMb } = await growth.end();
        assert(grownMb < mostMb, `${grownMb} MiB`);
      },
    );
  }
});

onEachNode('a program inside that replaces the X server and the bridge', (open) => {
  let test: OpenedNode;
  before(async () => {
    test = await open();
  });
  after(() => test?.[Symbol.asyncDispose]());

  it('harms no other sandbox', async () => {
    await using good = await test.node.start(bareSpec({ name: 'good', role: 'ide' }));
    await using bad = await test.node.start(bareSpec({ name: 'bad', role: 'ide' }));
    await Promise.all([good.ready(), bad.ready()]);
    for (const name of ['evil-x.py', 'evil-bridge.py']) {
      const program = await readFile(join(programs, name), 'utf8');
      const argv = ['bash', '-c', `cat > /tmp/${name}`];
      await bad.exec({ argv, cwd: '/', env: {}, input: program, timeoutMs: 10_000, maxOutputBytes: 1000 });
    }
    const takeOver = [
      '(python3 /tmp/evil-x.py --at /tmp/.X11-unix/X1 long-reply; true) > /dev/null 2>&1 &',
      '(python3 /tmp/evil-bridge.py --at /run/pwp/bridge.sock small-objects; true) > /dev/null 2>&1 &',
      'sleep 1; pkill -9 Xvfb; pkill -9 -f bridge; true',
    ];
    await bash(bad, takeOver.join('\n')).catch(() => undefined);
    const limit = AbortSignal.timeout(20_000);
    const tried = await Promise.allSettled([
      bad.capture({ signal: limit }),
      bad.call(desktop.status, {}, { signal: limit }),
      works(good),
    ]);
    assert.equal(tried[2].status, 'fulfilled');
    for (const each of tried.slice(0, 2))
      // If the program failed to replace them, all continues to work.
      if (each.status === 'rejected')
        assert(each.reason instanceof Error && (limit.aborted || isKnown(each.reason)), String(each.reason));
    await works(good);
  });
});

function isKnown(error: Error): boolean {
  return error instanceof PwpError || error instanceof RpcError;
}
