import assert from 'node:assert/strict';
import { desktop, ide as ideMethods, shell, type ServiceName } from '../../../bridge/protocol/index.ts';
import { onEachNode } from '../../support/each-node.ts';
import { Ide } from '../../support/ide-sandbox.ts';

onEachNode('a desktop whose parts die', (open) => {
  let ide: Ide;
  before(async () => {
    ide = await Ide.start(open, { 'README.md': '# Read me\n' });
  });
  after(() => ide[Symbol.asyncDispose]());

  /** @param pids shell words that give the process to kill */
  async function killAndWait(name: ServiceName, pids: string): Promise<number> {
    const died = new Promise<void>((resolve) => {
      ide.sandbox.onService((service) => {
        if (service.name === name && service.state !== 'ready') resolve();
      });
    });
    await ide.sandbox.call(shell.run, { command: `kill -9 ${pids}` });
    await died;
    const { services } = await ide.sandbox.call(desktop.wait, { timeoutMs: 60_000 });
    return services.find((service) => service.name === name)?.restarts ?? 0;
  }

  /** Extension hosts of windows that are gone live on for a while: the right one says itself who it is. */
  async function extensionHost(): Promise<string> {
    const { processId } = await ide.sandbox.call(ideMethods.info, {});
    return String(processId);
  }

  // The brackets keep a pattern from matching the shell that looks for it.
  for (const [name, pids] of [
    ['chromium', () => '$(pgrep -o -f [/]usr/lib/chromium/chromium)'],
    ['code-server', () => '$(pgrep -o -f [/]opt/code-server/node_modules/code-server.--auth)'],
    ['xvfb', () => '$(pgrep -x Xvfb)'],
    ['extension', extensionHost],
  ] as const) {
    it(`brings ${name} up again and counts it`, async () => {
      const { observation } = await ide.observe();
      const restarts = await killAndWait(name, await pids());
      assert.ok(restarts >= 1);
      const seen = await ide.observe();
      assert.ok(seen.workbench && seen.observation > observation && seen.marks.length > 10);
      assert.match((await ide.sandbox.call(ideMethods.info, {})).app, /code-server/);
    });
  }

  it('leaves no zombie behind', async () => {
    const { stdout } = await ide.sandbox.call(shell.run, { command: "ps -eo stat= | grep -c '^Z'" });
    assert.equal(stdout.trim(), '0');
  });
});
