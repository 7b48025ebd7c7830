import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deadline, poll, PwpError } from '../../../bridge/lib/index.ts';
import { readContainerState } from '../../../host/node/container/runc.ts';
import type { Node } from '../../../host/node/index.ts';
import { onEveryNode, type OpenedNode, openLocal } from '../../support/each-node.ts';
import { bareSpec, bash, ownName, says } from '../../support/node-sandbox.ts';

onEveryNode('the life of a sandbox', (open) => {
  let test: OpenedNode;
  before(async () => (test = await open()));
  after(() => test[Symbol.asyncDispose]());

  it('runs, is listed, and leaves nothing when it is stopped', async () => {
    const sandbox = await test.node.start(bareSpec({ name: 'first' }));
    assert.match(sandbox.id, /^first-[0-9a-f]{8}$/);
    assert.equal(await says(sandbox, 'echo hello > /root/file; cat /root/file'), 'hello');
    const info = (await test.node.list()).find(({ id }) => id === sandbox.id);
    assert.equal(info?.state, 'running');
    assert.deepEqual(info.owner, { pid: process.pid, alive: true });
    assert.notDeepEqual(await test.traces(sandbox.id), []);
    await sandbox.stop();
    await sandbox.stop();
    assert.deepEqual(await test.traces(sandbox.id), []);
  });

  it('leaves nothing when processes inside refuse to end', async () => {
    const sandbox = await test.node.start(bareSpec());
    const stubborn = bash(
      sandbox,
      'trap "" TERM INT HUP; setsid bash -c "trap : TERM; while :; do sleep 1; done" & wait',
    ).catch(() => undefined);
    await says(sandbox, 'until pgrep -f "trap :"; do :; done');
    await sandbox.stop();
    await stubborn;
    assert.deepEqual(await test.traces(sandbox.id), []);
  });

  it('leaves nothing when it is stopped while frozen', async () => {
    const sandbox = await test.node.start(bareSpec());
    await using held = new AsyncDisposableStack();
    held.use(await sandbox.freeze());
    await sandbox.stop();
    assert.deepEqual(await test.traces(sandbox.id), []);
  });

  it('leaves nothing when starting fails midway', async () => {
    const seeds = [{ path: '/workspace', tar: Buffer.from('this is no archive'.repeat(100)) }];
    const name = ownName('broken');
    await assert.rejects(test.node.start(bareSpec({ name, seeds })), { code: 'bad-seed' });
    assert.deepEqual(await test.traces(name), []);
    assert.ok((await test.node.list()).every((each) => each.name !== name));
  });

  it('leaves nothing when the caller gives up midway', async () => {
    const reason = new PwpError('cancelled', 'enough');
    const name = ownName('given-up');
    for (const ms of [0, 20, 40, 60, 80]) {
      const controller = new AbortController();
      const start = test.node.start(bareSpec({ name }), { signal: controller.signal });
      setTimeout(() => controller.abort(reason), ms);
      await assert.rejects(
        start.then(
          () => new Promise((_, reject) => controller.signal.addEventListener('abort', () => reject(reason))),
        ),
      );
    }
    // A sandbox that had started when its caller gave up is stopped as soon as the node learns of it.
    for (const each of await test.node.list())
      if (each.name === name) await assert.doesNotReject(stopOrGone(test.node, each.id));
    using limit = deadline('the end of what was given up', 20_000);
    const probe = async () => {
      const traces = await test.traces(name);
      return traces.length === 0
        ? ({ done: true, value: undefined } as const)
        : ({ done: false, saw: traces.join() } as const);
    };
    await poll('nothing left', probe, { intervalMs: 20, signal: limit.signal });
  });

  it('freezes every process and resumes them', async () => {
    await using sandbox = await test.node.start(bareSpec());
    const counting = bash(
      sandbox,
      'i=0; while [ ! -e /root/stop ]; do i=$((i+1)); echo $i > /root/count; done; echo end',
    );
    await says(sandbox, 'until [ -s /root/count ]; do :; done');
    const frozen = await sandbox.freeze();
    await using again = await sandbox.freeze();
    const count = () => sandbox.readFile('/root/count', 100);
    const first = await count();
    assert.equal((await test.node.list()).find(({ id }) => id === sandbox.id)?.state, 'paused');
    await frozen[Symbol.asyncDispose]();
    assert.deepEqual(await count(), first, 'the second freeze still holds');
    await again[Symbol.asyncDispose]();
    await says(sandbox, 'touch /root/stop');
    assert.equal((await counting).stdout, 'end\n');
    assert.notDeepEqual(await count(), first);
  });

  it('can be opened by another caller, who does not end it', async () => {
    await using sandbox = await test.node.start(bareSpec());
    {
      await using opened = await test.node.open(sandbox.id);
      assert.equal(await says(opened, 'hostname'), 'pwp');
    }
    assert.equal(await says(sandbox, 'echo alive'), 'alive');
    await assert.rejects(test.node.open('missing-12345678'), { code: 'no-such-sandbox' });
    await assert.rejects(test.node.open('../../etc'), { code: 'no-such-sandbox' });
    await assert.rejects(test.node.stop('missing-12345678'), { code: 'no-such-sandbox' });
    await assert.rejects(test.node.start(bareSpec({ name: '../x' })), {
      code: 'bad-name',
    });
  });

  it('keeps its record private and without secrets', async () => {
    await using sandbox = await test.node.start(bareSpec());
    const record = JSON.parse(
      await readFile(join(test.root, 'run/pwp', sandbox.id, 'sandbox.json'), 'utf8'),
    ) as object;
    assert.deepEqual(Object.keys(record).sort(), [
      ...['bootId', 'checkpoint', 'display', 'home', 'id', 'image', 'keep', 'layers', 'limits', 'name'],
      ...['network', 'origin', 'owner', 'phase', 'role', 'root', 'startedAt', 'workspace'],
    ]);
  });
});

async function stopOrGone(node: Node, id: string): Promise<void> {
  await node.stop(id).catch((error: unknown) => {
    if (!(error instanceof PwpError) || error.code !== 'no-such-sandbox') throw error;
  });
}

// This machine's runc finds its first process.
describe('an IDE that ends early', () => {
  it('reports at once when its first process ends instead of starting', async () => {
    await using test = await openLocal();
    // Booted, not forked: no other test has an IDE with this screen size.
    const display = { width: 1280, height: 720 };
    await using sandbox = await test.node.start(bareSpec({ role: 'ide', display }));
    const first = await readContainerState(sandbox.id);
    assert.ok(first && first.pid > 0);
    process.kill(first.pid, 'SIGKILL');
    await assert.rejects(sandbox.ready(), { code: 'sandbox-failed' });
    await assert.rejects(test.node.open(sandbox.id), { code: 'no-such-sandbox' });
    await sandbox.stop();
    await assert.rejects(sandbox.ready(), { code: 'sandbox-failed' });
    assert.deepEqual(await test.traces(sandbox.id), []);
  });
});
