import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deadline, pause, poll } from '../../../bridge/lib/index.ts';
import { CheckpointStore } from '../../../host/node/checkpoint-store/checkpoint-store.ts';
import { thawWhenStuck } from '../../../host/node/checkpoint/dump.ts';
import { pauseContainer, resumeContainer } from '../../../host/node/container/runc.ts';
import { type CheckpointKind, createLocalNode, type Sandbox } from '../../../host/node/index.ts';
import { metaOf, newDump, take } from '../../support/checkpoint-dump.ts';
import { bareImage, bareSpec, bash, openTestNode, says, type TestNode } from '../../support/node-sandbox.ts';
import { tracesOf } from '../../support/node-traces.ts';
import { slowIt } from '../../support/slow.ts';

describe('checkpoints', () => {
  let test: TestNode;
  before(async () => (test = await openTestNode()));
  after(() => test[Symbol.asyncDispose]());
  const start = (name = 'test') => test.node.start(bareSpec({ name }));

  for (const kind of ['live', 'disk'] as const satisfies readonly CheckpointKind[]) {
    it(`restore the saved state, and nothing else (${kind})`, async () => {
      await using sandbox = await start();
      await says(sandbox, 'echo one > /root/a; rm /etc/hostname; ln -s /root/a /root/link');
      const taken = await sandbox.checkpoint({ name: 'first', kind });
      assert.deepEqual([taken.kind, taken.name, taken.parent], [kind, 'first', null]);
      await says(sandbox, 'echo two > /root/a; rm /root/link; echo > /root/b; echo back > /etc/hostname');
      await sandbox.restore(taken.id);
      assert.equal(await says(sandbox, 'cat /root/link; ls /root/b /etc/hostname 2>/dev/null; true'), 'one');
      const next = await sandbox.checkpoint({ kind });
      assert.equal(next.parent, taken.id);
      assert.deepEqual(
        (await test.node.checkpoints()).map(({ id }) => id).filter((id) => [taken.id, next.id].includes(id)),
        [taken.id, next.id],
      );
    });
  }

  it('fork into sandboxes that are isolated from each other', async () => {
    await using sandbox = await start('parent');
    await says(sandbox, 'echo common > /root/a');
    const { id } = await sandbox.checkpoint();
    const fork = () => test.node.fork(id, { name: 'fork', keep: false });
    const forks = await Promise.all([fork(), fork(), fork(), fork()]);
    await Promise.all(forks.map((each, index) => says(each, `echo ${index} >> /root/a`)));
    const seen = await Promise.all([sandbox, ...forks].map((each) => says(each, 'paste -s /root/a')));
    assert.deepEqual(seen, ['common', 'common\t0', 'common\t1', 'common\t2', 'common\t3']);
    assert.equal(new Set(forks.map((each) => each.id)).size, 4);
    await Promise.all(forks.map((each) => each.stop()));
    for (const each of forks) assert.deepEqual(await tracesOf(each.id, test.home), []);
  });

  it('are taken one after the other if two are requested at once, once a running program has ended', async () => {
    await using sandbox = await start();
    const running = bash(sandbox, 'sleep 0.5; echo end > /root/end');
    const taken = await Promise.all([sandbox.checkpoint(), sandbox.checkpoint()]);
    assert.equal((await running).exitCode, 0);
    assert.equal(taken[1].parent, taken[0].id);
    await says(sandbox, 'rm /root/end');
    await sandbox.restore(taken[0].id);
    assert.equal(await says(sandbox, 'cat /root/end'), 'end');
  });

  slowIt('record errors in the background, where a node finds them later', async () => {
    await using sandbox = await start();
    const { id } = await sandbox.checkpoint({ kind: 'disk' });
    // Before it is written through to the disk, which waits until no checkpoint was taken for two seconds.
    await rm(join(test.home, 'checkpoints', id, 'raw', 'files'), { recursive: true });
    using limit = deadline('the problem', 60_000);
    const probe = async () => {
      const problems = await test.node.checkpointProblems();
      const own = problems.find(({ what }) => what.includes(id));
      return own
        ? ({ done: true, value: own } as const)
        : ({ done: false, saw: JSON.stringify(problems) } as const);
    };
    const problem = await poll('the problem', probe, { intervalMs: 50, signal: limit.signal });
    assert.equal(problem.what, `writing ${id} through to the disk`);
    await using next = await createLocalNode({ home: test.home, image: bareImage });
    assert.deepEqual((await next.checkpointProblems()).slice(0, 1), [problem]);
    await test.node.deleteCheckpoint(id);
  });

  it('are refused if they do not exist, and the sandbox continues', async () => {
    await using sandbox = await start();
    await assert.rejects(sandbox.restore('ck-00000000'), { code: 'no-such-checkpoint' });
    await assert.rejects(test.node.fork('ck-00000000', { name: 'x', keep: false }), {
      code: 'no-such-checkpoint',
    });
    assert.equal(await says(sandbox, 'echo still here'), 'still here');
  });

  it('are refused if they are of another image, and the sandbox continues', async () => {
    await using sandbox = await start();
    await using store = await CheckpointStore.open(test.home);
    const { id } = await take(store, newDump(), metaOf({ image: 'another' }));
    await assert.rejects(sandbox.restore(id), { code: 'checkpoint-other-image' });
    await assert.rejects(test.node.fork(id, { name: 'x', keep: false }), {
      code: 'checkpoint-other-image',
    });
    assert.equal(await says(sandbox, 'echo still here'), 'still here');
  });

  it('are restored by another process', async () => {
    await using sandbox = await start();
    await says(sandbox, 'echo common > /root/a');
    const { id } = await sandbox.checkpoint();
    await using other = await createLocalNode({ home: test.home, image: bareImage });
    await using fork = await other.fork(id, { name: 'elsewhere', keep: false });
    assert.equal(await says(fork, 'cat /root/a'), 'common');
  });

  it('leave nothing when the sandbox is stopped in the middle of one', async () => {
    const sandbox = await start('ended');
    const taking = sandbox.checkpoint().catch((error: unknown) => error);
    await sandbox.stop();
    await taking;
    assert.deepEqual(await tracesOf(sandbox.id, test.home), []);
    await assert.rejects(sandbox.checkpoint(), { code: 'sandbox-stopped' });
  });
});

describe('a dump that takes long', () => {
  slowIt(
    'is discarded if its sandbox was thawed and continued, and is good if it was frozen again',
    async () => {
      await using test = await openTestNode();
      await using sandbox = await test.node.start(bareSpec());
      const { id } = sandbox;
      /** Longer than a dump may be stuck. */
      const long = () => pause(3000);
      await pauseContainer(id);
      await assert.rejects(thawWhenStuck(id, long), { code: 'checkpoint-failed' });
      await pauseContainer(id);
      await thawWhenStuck(id, async () => {
        await long();
        await pauseContainer(id);
      });
      await resumeContainer(id);
    },
  );
});

describe('a node whose CRIU fails', () => {
  it('resumes the sandbox after a dump that fails, and restores the parent after a restore that fails', async () => {
    await using test = await openTestNode();
    await breakable(test.home);
    await using sandbox = await test.node.start(bareSpec());
    await says(sandbox, 'echo one > /root/a');
    const good = await sandbox.checkpoint({ kind: 'live' });
    await says(sandbox, 'echo two > /root/a');
    const later = await sandbox.checkpoint({ kind: 'live' });

    await breakIt(test.home, true);
    await assert.rejects(sandbox.checkpoint({ kind: 'live' }), { code: 'checkpoint-failed' });
    assert.equal(await stateOf(test, sandbox), 'running');
    assert.equal(await says(sandbox, 'cat /root/a'), 'two');
    assert.equal((await test.node.checkpoints()).length, 2);

    await assert.rejects(sandbox.restore(later.id), { code: 'restore-failed' });
    await breakIt(test.home, false);
    await sandbox.restore(good.id);
    assert.equal(await says(sandbox, 'cat /root/a'), 'one');
  });
});

async function stateOf(test: TestNode, { id }: Sandbox) {
  return (await test.node.list()).find((each) => each.id === id)?.state;
}

/** Installs a CRIU ahead of the others that fails on demand when runc calls it. */
async function breakable(home: string): Promise<void> {
  const folder = join(home, 'criu/0000000000000000/bin');
  await mkdir(folder, { recursive: true });
  const others =
    '$(ls -dt "${PWP_HOME:-$HOME/.cache/pwp}"/criu/*/bin /opt/pwp/criu/bin /usr/sbin 2>/dev/null)';
  const script = `#!/bin/sh
if [ "$1" = swrk ] && [ -e ${home}/broken ]; then exit 7; fi
for folder in ${others}; do [ -x "$folder/criu" ] && exec "$folder/criu" "$@"; done`;
  await writeFile(join(folder, 'criu'), script, { mode: 0o755 });
}

async function breakIt(home: string, broken: boolean): Promise<void> {
  if (broken) await writeFile(join(home, 'broken'), '');
  else await rm(join(home, 'broken'));
}
