import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deadline, poll, PwpError } from '../../../bridge/lib/index.ts';
import type { ResetInfo } from '../../../host/ide/index.ts';
import { createLocalNode, type Node, type SandboxInfo } from '../../../host/node/index.ts';
import { Environment } from '../../../host/run/index.ts';
import { loadTask, type Task } from '../../../host/tasks/index.ts';
import { killInside } from '../../support/kill-inside.ts';
import { slowIt } from '../../support/slow.ts';

const display = { width: 1288, height: 808 };

describe('resets by a golden checkpoint', function () {
  this.timeout(300_000);
  let node: Node;
  let task: Task;
  /** Its own store: the machine's may be so full that a new checkpoint is packed at once. */
  let home: string;

  before(async () => {
    home = await mkdtemp(join(tmpdir(), 'pwp-golden-'));
    node = await createLocalNode({ home });
    task = await loadTask('tasks/vscode/swap-text-test');
  });
  after(async () => {
    await node[Symbol.asyncDispose]();
    await rm(home, { recursive: true, force: true });
  });

  async function ownSandboxes(): Promise<SandboxInfo[]> {
    return (await node.list()).filter(({ owner }) => owner.pid === process.pid);
  }

  async function reset(env: Environment): Promise<ResetInfo> {
    const [, info] = await env.reset();
    return info;
  }

  slowIt('boot once, and then restore into the same state', async () => {
    await using env = new Environment({ node, task, display });
    const cold = await reset(env);
    assert.deepEqual([cold.from, cold.notes], ['cold', []]);
    const [{ marks }] = await env.step('{"action": "screenshot"}');
    await env.step(['xdotool mousemove 600 500 click 1', "xdotool type 'dirt'"]);
    const golden = await reset(env);
    assert.deepEqual([golden.from, golden.checkpoint, golden.notes], ['golden', cold.checkpoint, []]);
    assert.notEqual(golden.sandbox, cold.sandbox);
    const names = (list: typeof marks) => list.map(({ role, name, box }) => [role, name, box]);
    // An extension may add a button or a status item after the boot, which then shows after the restore alone.
    const restored = names(env.observation.marks).map((one) => JSON.stringify(one));
    assert.deepEqual(
      names(marks).filter((one) => !restored.includes(JSON.stringify(one))),
      [],
    );
    const { editor } = await env.ask('ide.editor', { includeText: true });
    assert.ok(!editor?.text?.includes('dirt'));
    const [, , , , typed] = await env.step(['xdotool mousemove 600 500 click 1', "xdotool type 'new'"]);
    assert.equal(typed.outcomes[1]?.effect, 'confirmed', typed.outcomes[1]?.evidence);
  });

  slowIt('boot once if several begin at the same time', async () => {
    const other = { width: 1280, height: 800 };
    await using one = new Environment({ node, task, display: other });
    await using two = new Environment({ node, task, display: other });
    const infos = await Promise.all([reset(one), reset(two)]);
    assert.deepEqual(infos.map(({ from }) => from).sort(), ['cold', 'golden']);
    assert.equal(infos[0].checkpoint, infos[1].checkpoint);
  });

  it('fail and leave nothing behind if the boot takes longer than the task allows', async () => {
    const { environment, ...config } = task.config;
    const hasty = { ...task, config: { ...config, environment: { ...environment, build_timeout_sec: 0.1 } } };
    await using env = new Environment({ node, task: hasty, display, cold: true });
    await assert.rejects(env.reset(), (error) => {
      assert.ok(error instanceof PwpError, String(error));
      assert.equal(error.code, 'sandbox-failed');
      assert.match(error.message, /boot of .* took longer than 100 ms/);
      return true;
    });
    assert.deepEqual(await ownSandboxes(), []);
  });

  it('report a cancelled boot as cancelled', async () => {
    await using env = new Environment({ node, task, display, cold: true });
    const interrupt = new AbortController();
    const reason = new PwpError('cancelled', 'interrupted');
    const resetting = assert.rejects(env.reset({ signal: interrupt.signal }), (error) => error === reason);
    const started = async () =>
      (await ownSandboxes()).length > 0
        ? ({ done: true, value: true } as const)
        : ({ done: false, saw: 'no sandbox' } as const);
    using limit = deadline('a sandbox', 60_000);
    await poll('a sandbox', started, { intervalMs: 20, signal: limit.signal });
    interrupt.abort(reason);
    await resetting;
    assert.deepEqual(await ownSandboxes(), []);
  });

  slowIt(
    'use the one that was restored before, until a younger one with its key has been restored too',
    async () => {
      await using env = new Environment({ node, task, display });
      const { checkpoint: proven } = await reset(env);
      const { key } = (await node.checkpoints()).find(({ id }) => id === proven) ?? {};
      const younger = await env.checkpoint({ key: key ?? assert.fail('it has no key') });
      assert.equal((await reset(env)).checkpoint, proven);
      await env.restore(younger.id);
      assert.equal((await reset(env)).checkpoint, younger.id);
      await env.checkpoints.delete(younger.id);
    },
  );

  slowIt('boot without a golden checkpoint if the option cold is set', async () => {
    await using cold = new Environment({ node, task, display, cold: true });
    const info = await reset(cold);
    assert.deepEqual([info.from, info.checkpoint], ['cold', null]);
  });

  slowIt('restore in advance on request', async () => {
    await using env = new Environment({ node, task, display, warm: 1 });
    const infos = [await reset(env), await reset(env)];
    assert.deepEqual(
      infos.map(({ from }) => from),
      ['golden', 'golden'],
    );
    const [, , , , info] = await env.step('xdotool key F1');
    assert.equal(info.outcomes[0]?.effect, 'confirmed');
    await env.close();
    assert.deepEqual(await ownSandboxes(), []);
  });

  slowIt('boot instead of restoring a damaged one, say so, and then have a good one', async () => {
    await using env = new Environment({ node, task, display });
    const { checkpoint } = await reset(env);
    await env.close();
    await damage(join(home, 'checkpoints', checkpoint ?? ''));
    const info = await reset(env);
    assert.equal(info.from, 'cold');
    assert.match(info.notes.join(), new RegExp(`${checkpoint}.*is damaged`));
    assert.equal((await reset(env)).from, 'golden');
  });

  slowIt('boot instead of restoring one whose window never answers, and then have a good one', async () => {
    await using env = new Environment({ node, task, display });
    const good = await reset(env);
    const { key } = (await node.checkpoints()).find(({ id }) => id === good.checkpoint) ?? {};
    assert.ok(key);
    const sandbox = await node.fork(good.checkpoint ?? '', { name: 'stopped', keep: false });
    await sandbox.ready();
    assert.ok(await killInside(sandbox.id, /--type=renderer/, 'SIGSTOP'));
    const stopped = await sandbox.checkpoint({ key, kind: 'live' });
    await sandbox.stop();
    await env.close();
    await node.deleteCheckpoint(good.checkpoint ?? '');
    const info = await reset(env);
    assert.equal(info.from, 'cold');
    assert.match(info.notes.join(), new RegExp(`${stopped.id}.*does not answer`));
    assert.ok((await node.checkpoints()).every(({ id }) => id !== stopped.id));
    assert.equal((await reset(env)).from, 'golden');
  });
});

/** Truncates the memory of a process in a checkpoint that has no pack to restore it from. */
async function damage(folder: string): Promise<void> {
  const names = await readdir(folder, { recursive: true });
  assert.ok(!names.includes('packed.json'), 'it is already packed');
  const pages = names.find((name) => name.endsWith('/pages-1.img'));
  assert.ok(pages, names.join(' '));
  await truncate(join(folder, pages), 1000);
}
