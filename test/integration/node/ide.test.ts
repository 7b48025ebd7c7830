import assert from 'node:assert/strict';
import { deadline, poll, type Probe } from '../../../bridge/lib/index.ts';
import { desktop, type Service } from '../../../bridge/protocol/index.ts';
import type { Sandbox } from '../../../host/node/index.ts';
import { onEachNode, openBooting, type OpenedNode } from '../../support/each-node.ts';
import { killInside } from '../../support/kill-inside.ts';
import { bareSpec } from '../../support/node-sandbox.ts';
import { slowIt } from '../../support/slow.ts';

/** Longest time for the IDE to start on a busy machine, in milliseconds. */
const readyMs = 60_000;

onEachNode('a sandbox with an IDE', (open, kind) => {
  let test: OpenedNode;
  let sandbox: Sandbox;
  before(async () => {
    test = await (kind === 'local' ? openBooting() : open());
    sandbox = await test.node.start(bareSpec({ role: 'ide' }));
    await ready();
  });
  after(() => test[Symbol.asyncDispose]());

  async function ready(): Promise<void> {
    using limit = deadline('start of the IDE', readyMs);
    await sandbox.ready({ signal: limit.signal });
  }

  it('starts, is seen and driven from outside, and settles', async () => {
    const { services } = await sandbox.call(desktop.status, {});
    assert.deepEqual(new Set(services.map(({ state }) => state)), new Set(['ready']));
    const moved = await sandbox.input([{ kind: 'move', x: 700, y: 300, relative: false }]);
    assert.equal(moved.executed, 1);
    assert.ok((await sandbox.settle({ capMs: 10_000, pointerOnly: true })).ms >= 0);
    const { width, height, pointer } = await sandbox.capture();
    assert.deepEqual({ width, height, pointer }, { ...sandbox.display, pointer: { x: 700, y: 300 } });
  });

  it('keeps its screen and the bridge across a freeze', async () => {
    await (await sandbox.freeze())[Symbol.asyncDispose]();
    assert.equal((await sandbox.call(desktop.status, {})).services.length, 4);
    assert.equal((await sandbox.capture()).width, sandbox.display.width);
  });

  slowIt('reports a dead screen, and shows the new one', async () => {
    const heard: Service[] = [];
    using listening = new DisposableStack();
    listening.use(sandbox.onService((service) => heard.push(service)));
    assert.ok(await killInside(sandbox.id, /^Xvfb/));
    await poll('the screen to be brought up', () => seenAgain(heard), {
      intervalMs: 50,
      signal: AbortSignal.timeout(readyMs),
    });
    await ready();
    const { services } = await sandbox.call(desktop.status, {});
    assert.equal(services.find(({ name }) => name === 'xvfb')?.restarts, 1);
    assert.equal((await sandbox.capture()).width, sandbox.display.width);
  });

  it('fails with the last lines of its logs when the bridge dies', async () => {
    assert.ok(await killInside(sandbox.id, /bridge\.cjs desktop$/));
    await assert.rejects(ready(), { code: 'sandbox-failed', message: /--- bridge\.log\n[^]*xvfb ready/ });
  });
});

function seenAgain(heard: readonly Service[]): Probe<void> {
  const states = heard.filter(({ name }) => name === 'xvfb').map(({ state }) => state);
  return states.includes('ready')
    ? { done: true, value: undefined }
    : { done: false, saw: states.join(', ') };
}
