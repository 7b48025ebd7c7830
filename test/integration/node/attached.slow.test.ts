import assert from 'node:assert/strict';
import { pause } from '../../../bridge/lib/index.ts';
import { desktop, ide, RpcError } from '../../../bridge/protocol/index.ts';
import type { Sandbox } from '../../../host/node/index.ts';
import { onEachNode, type OpenedNode } from '../../support/each-node.ts';
import { bareSpec, says } from '../../support/node-sandbox.ts';

/** Acts like `pwp watch`, `pwp inspect --web` and `pwp mcp` do all the time. Resolves with its number of rounds. */
async function attached(sandbox: Sandbox, signal: AbortSignal): Promise<number> {
  let got = 0;
  while (!signal.aborted) {
    const { serial } = await sandbox.picture({ format: 'jpeg' });
    assert(serial >= 0);
    await sandbox.call(desktop.status, {});
    got += 1;
    await pause(10);
  }
  return got;
}

/** Does what the page of `pwp inspect --web` does continuously: waits while nothing changes. Ends with its signal. */
async function following(sandbox: Sandbox, signal: AbortSignal): Promise<void> {
  let after: string | undefined;
  while (!signal.aborted) {
    try {
      ({ cursor: after } = await sandbox.call(ide.changes, { after, waitMs: 60_000 }, { signal }));
    } catch (error) {
      // The extension host may be restarting.
      if (!signal.aborted && !(error instanceof RpcError)) throw error;
    }
  }
}

onEachNode('a sandbox that others are connected to', (open) => {
  let test: OpenedNode;
  before(async () => (test = await open()));
  after(() => test?.[Symbol.asyncDispose]());

  it('disconnects them for a checkpoint and a restore, and they continue', async () => {
    await using sandbox = await test.node.start(bareSpec({ role: 'ide' }));
    await sandbox.ready();
    await using one = await test.node.open(sandbox.id);
    await using other = await test.node.open(sandbox.id);
    const over = new AbortController();
    const watching = [one, other].map((each) => attached(each, over.signal));
    const follows = following(other, over.signal);
    const broken = Promise.all([...watching, follows]).then(() => undefined);
    await Promise.race([pause(500), broken]);
    await says(sandbox, 'echo one > /root/a');
    const { id, kind } = await sandbox.checkpoint({ kind: 'live' });
    assert.equal(kind, 'live');
    await says(sandbox, 'echo two > /root/a');
    await Promise.race([pause(500), broken]);
    await sandbox.restore(id);
    assert.equal(await says(sandbox, 'cat /root/a'), 'one');
    await Promise.race([pause(500), broken]);
    over.abort();
    await follows;
    for (const got of await Promise.all(watching)) assert(got > 3, `${got} looks`);
  });
});
