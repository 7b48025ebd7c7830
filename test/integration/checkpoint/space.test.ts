import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdir, rm, symlink } from 'node:fs/promises';
import { newCheckpointId } from '../../../host/node/checkpoint-store/checkpoint-files.ts';
import { CheckpointStore } from '../../../host/node/checkpoint-store/checkpoint-store.ts';
import { changed, fill, metaOf, newDump, readDump, take } from '../../support/checkpoint-dump.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { never } from '../../support/node-sandbox.ts';
import { slowIt } from '../../support/slow.ts';

describe('the space for checkpoints', () => {
  slowIt('is kept by packing the coldest, then by deleting leaves, the coldest first', async () => {
    await using folder = await temporaryFolder();
    await using store = await CheckpointStore.open(folder.path, {
      budgetBytes: 9e6,
      hotBytes: 3e6,
      quietMs: 0,
      onProblem: assert.ifError,
    });
    // Each has 2.5 MB that can't be compressed.
    const dump = newDump();
    const root = await take(store, dump, { key: 'golden' });
    const children = [];
    for (let index = 0; index < 3; index++)
      children.push(await take(store, changed(dump), { parent: root.id }));
    const strangers = [];
    for (let index = 0; index < 3; index++) {
      strangers.push(await take(store, newDump()));
      await (await store.hold(root.id, never))[Symbol.asyncDispose]();
    }
    await store.idle();
    const left = await store.list();
    const ids = left.map(({ id }) => id);
    assert.ok(left.reduce((sum, { bytes }) => sum + bytes, 0) <= 9e6);
    assert.ok(ids.includes(root.id), 'the last restored one is kept');
    assert.ok(ids.includes(strangers[2]?.id ?? ''), 'the youngest one is kept');
    assert.ok(!ids.includes(children[0]?.id ?? ''), 'the oldest leaf is deleted');
    assert.deepEqual((await store.find('golden'))?.id, root.id);
    await using held = await store.hold(root.id, never);
    assert.deepEqual(await readDump(held.folder), dump);
  });

  it('reports a failure once, although it runs again when asked meanwhile', async () => {
    await using folder = await temporaryFolder();
    const lock = folder.file('checkpoints/.background');
    const problems: string[] = [];
    await using store = await CheckpointStore.open(folder.path, {
      quietMs: 0,
      onProblem: async (error) => {
        problems.push(String(error));
        if (problems.length > 1) return;
        await rm(lock, { force: true });
        await store.sweep();
      },
    });
    // Points to itself, so it can't be locked.
    await symlink(lock, lock);
    await store.sweep();
    await store.idle();
    assert.equal(problems.length, 1, problems.join('\n'));
  });

  it('ends with a typed error at any failing write, and leaves nothing of what did not fit', async () => {
    await using folder = await temporaryFolder();
    const small = folder.file('small');
    execFileSync('mkdir', [small]);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', small]);
    try {
      await using store = await CheckpointStore.open(small, {
        budgetBytes: 2 ** 30,
        hotBytes: 2 ** 30,
        quietMs: 0,
      });
      const dump = newDump(1100);
      const { id } = await take(store, dump);
      // A key does not keep a checkpoint from being deleted to make room; being in use does.
      await using held = await store.hold(id, never);
      await assert.rejects(take(store, newDump(1100)), { code: 'ENOSPC' });
      await assert.rejects(store.pack(id, never), { code: 'disk-full' });
      execFileSync('bash', ['-c', `head -c 100M /dev/zero > ${small}/filler; true`], { stdio: 'ignore' });
      await assert.rejects(
        store.begin(newCheckpointId()).then((draft) => finish(draft)),
        { code: 'disk-full' },
      );
      await assert.rejects(store.export(id, `${small}/out`, never), { code: 'disk-full' });
      const names = await readdir(`${small}/checkpoints`);
      assert.deepEqual(names.sort(), ['.background', '.lock', id, 'packs'].sort());
      assert.deepEqual((await readdir(small)).sort(), ['checkpoints', 'filler']);
      execFileSync('rm', [`${small}/filler`]);
      assert.deepEqual(await readDump(held.folder), dump);
    } finally {
      execFileSync('umount', ['--lazy', small]);
    }
  });

  async function finish(draft: Awaited<ReturnType<CheckpointStore['begin']>>): Promise<void> {
    await using owned = draft;
    await owned.commit(metaOf());
  }

  it('is made before a dump if the disk is nearly full', async () => {
    await using folder = await temporaryFolder();
    const small = folder.file('small');
    execFileSync('mkdir', [small]);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', small]);
    try {
      await using store = await CheckpointStore.open(small, {
        budgetBytes: 2 ** 30,
        hotBytes: 2 ** 30,
        // Nothing is packed meanwhile: packing might make enough room.
        quietMs: 60_000,
      });
      const { id } = await take(store, newDump(1100));
      await using draft = await store.begin(newCheckpointId());
      await assert.rejects(store.get(id), { code: 'no-such-checkpoint' });
      await fill(draft.folder, newDump(1100));
      await draft.commit(metaOf());
    } finally {
      execFileSync('umount', ['--lazy', small]);
    }
  });
});
