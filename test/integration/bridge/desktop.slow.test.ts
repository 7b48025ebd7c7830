import assert from 'node:assert/strict';
import { desktop, ide as ideMethods, type ServiceName, shell } from '../../../bridge/protocol/index.ts';
import { onOneNode } from '../../support/each-node.ts';
import { Ide } from '../../support/ide-sandbox.ts';
import { killInside } from '../../support/kill-inside.ts';

onOneNode('a desktop whose parts die', (open) => {
  let ide: Ide;
  before(async () => {
    ide = await Ide.start(open, { 'README.md': '# Read me\n' });
  });
  after(() => ide[Symbol.asyncDispose]());

  async function killAndWait(name: ServiceName, kill: () => Promise<unknown>): Promise<number> {
    const died = new Promise<void>((resolve) => {
      ide.sandbox.onService((service) => {
        if (service.name === name && service.state !== 'ready') resolve();
      });
    });
    await kill();
    await died;
    const { services } = await ide.sandbox.call(desktop.wait, { timeoutMs: 60_000 });
    return services.find((service) => service.name === name)?.restarts ?? 0;
  }

  /** Extension hosts of closed windows live on for a while: the current one reports its own process id. */
  async function killExtensionHost(): Promise<void> {
    const { processId } = await ide.sandbox.call(ideMethods.info, {});
    await ide.sandbox.call(shell.run, { command: `kill -9 ${processId}` });
  }
  const killed = (pattern: RegExp) => async () => assert.ok(await killInside(ide.sandbox.id, pattern));

  for (const [name, kill] of [
    ['chromium', killed(/^\/usr\/lib\/chromium\/chromium (?!--type)/)],
    ['code-server', killed(/\/opt\/code-server\/node_modules\/code-server --auth/)],
    ['xvfb', killed(/^Xvfb/)],
    ['extension', killExtensionHost],
  ] as const) {
    it(`restarts ${name} and counts the restart`, async () => {
      const { observation } = await ide.observe();
      const restarts = await killAndWait(name, kill);
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
