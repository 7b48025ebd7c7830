import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import { desktop, shell } from '../../../bridge/protocol/index.ts';
import { desktopUser } from '../../../host/node/container/container-processes.ts';
import type { Sandbox } from '../../../host/node/index.ts';
import { noteAttack } from '../../support/attacks.ts';
import { onEachNode } from '../../support/each-node.ts';
import { Ide } from '../../support/ide-sandbox.ts';
import { killInside } from '../../support/kill-inside.ts';
import { slowIt } from '../../support/slow.ts';

const program = new URL('../../programs/desk-attacker.py', import.meta.url);
const row = z.object({ what: z.string(), outcome: z.string() });
const times = { timeoutMs: 120_000, maxOutputBytes: 1_000_000 };

/** Files that the agent plants where a desktop program would look: each leaves a trace when loaded. */
const planted = `
for f in /usr/bin/Xvfb /usr/bin/perl /usr/bin/chromium /usr/lib/chromium/chromium /usr/bin/xdotool; do
  rm -f $f; printf '#!/bin/sh\\ntouch /tmp/planted\\n' > $f; chmod 755 $f
done
mkdir -p /ide/chromium/Default /root/.config/fontconfig /etc/chromium/policies/managed
echo '{"HomepageLocation": "about:blank", "URLBlocklist": ["*"]}' > /etc/chromium/policies/managed/evil.json
echo '<fontconfig><reset-dirs/></fontconfig>' > /etc/fonts/local.conf
`;

onEachNode("the desktop's user", (open, kind) => {
  let ide: Ide;
  before(async function () {
    if (process.arch !== 'x64') this.skip();
    ide = await Ide.start(open, { 'README.md': '# Read me\n' });
  });
  after(() => ide?.[Symbol.asyncDispose]());

  const attack = async (): Promise<string> => {
    const source = await readFile(program, 'utf8');
    const argv = ['python3', '-', String(desktopUser)];
    const { exitCode, stdout, stderr } = await ide.sandbox.exec({
      argv,
      cwd: '/',
      env: {},
      input: source,
      ...times,
    });
    assert.equal(exitCode, 0, stderr);
    return stdout;
  };

  const works = async (sandbox: Sandbox): Promise<void> => {
    const { services } = await sandbox.call(desktop.wait, { timeoutMs: 60_000 });
    assert.deepEqual(new Set(services.map(({ state }) => state)), new Set(['ready']));
    const seen = await ide.observeStill();
    assert.ok(seen.workbench && seen.marks.length > 10, `${seen.marks.length} marks`);
    assert.equal((await sandbox.capture()).width, sandbox.display.width);
  };

  it('is out of reach of all programs that the agent starts', async () => {
    const rows = (await attack())
      .trim()
      .split('\n')
      .map((line) => row.parse(JSON.parse(line)));
    for (const { what, outcome } of rows) {
      const each = what.replace(/process \d+/, 'each process of the desktop');
      noteAttack({
        on: "the desktop, from the agent's user",
        what: each,
        node: kind,
        held: outcome !== 'SUCCEEDED',
      });
    }
    const through = rows.filter(({ outcome }) => outcome === 'SUCCEEDED').map(({ what }) => what);
    assert.deepEqual(through, []);
    // The desktop's processes were found and attacked too.
    assert.ok(rows.length > 200, `${rows.length} attempts`);
    await works(ide.sandbox);
  });

  it('is not visible, and no visible process has a capability', async () => {
    const command = `awk '/^(Uid|CapPrm|CapBnd)/ {print $2}' /proc/[0-9]*/status | sort -u`;
    const { stdout } = await ide.sandbox.call(shell.run, { command });
    assert.deepEqual(stdout.trim().split('\n'), ['0', '0000000000000000']);
  });

  slowIt("is not affected when the agent's side of the bridge is killed", async () => {
    const restarts = async () =>
      (await ide.sandbox.call(desktop.status, {})).services.map(({ restarts: count }) => count);
    const before = await restarts();
    const killed = await ide.sandbox.exec({
      argv: ['pkill', '-9', '-f', 'bridge.cjs'],
      cwd: '/',
      env: {},
      ...times,
    });
    assert.notEqual(killed.exitCode, null);
    await ide.until('the desktop after that', () => true);
    await works(ide.sandbox);
    assert.ok((await restarts())[0] === before[0], 'the X server must not restart');
  });

  slowIt('loads nothing that the agent wrote when a part restarts', async () => {
    const { stderr } = await ide.sandbox.call(shell.run, { command: planted });
    assert.equal(stderr, '');
    for (const pattern of [/^Xvfb/, /^\/usr\/lib\/chromium\/chromium (?!--type)/]) {
      const lost = new Promise<void>((resolve) => {
        ide.sandbox.onService(({ state }) => state !== 'ready' && resolve());
      });
      assert.ok(await killInside(ide.sandbox.id, pattern), `${kind}: ${String(pattern)}`);
      await lost;
      await works(ide.sandbox);
    }
    const { stdout } = await ide.sandbox.call(shell.run, { command: 'ls /tmp | grep planted || echo none' });
    assert.equal(stdout.trim(), 'none');
  });
});
