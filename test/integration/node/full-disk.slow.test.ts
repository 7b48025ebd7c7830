import assert from 'node:assert/strict';
import { execa } from 'execa';
import { createLocalNode } from '../../../host/node/index.ts';
import { bareImage, bareSpec, bash, says } from '../../support/node-sandbox.ts';
import { slowIt } from '../../support/slow.ts';
import { MiB, smallDisk } from '../../support/small-disk.ts';

// The disk of a Docker node is the engine's: it can't be made small without a separate engine.
describe("a machine's disk that is full", () => {
  it('refuses starts, reports to those affected, spares the rest, and recovers when there is space again', async () => {
    await using disk = await smallDisk(768 * MiB);
    await using node = await createLocalNode({ home: disk.path, image: bareImage });
    const greedy = await node.start(bareSpec({ name: 'greedy' }));
    await using neighbour = await node.start(bareSpec({ name: 'neighbour' }));
    await says(neighbour, 'echo before > /root/before; sync');
    assert.equal((await greedy.usage()).hits.disk, 0);

    // Its own disk is ten times larger than the machine's.
    const filled = await bash(greedy, 'dd if=/dev/zero of=/root/big bs=1M count=1000 conv=fsync');
    assert.notEqual(filled.exitCode, 0, filled.stderr);
    assert.match(filled.stderr, /Input\/output error|No space left/);
    assert.equal((await greedy.usage()).hits.disk, 1);
    await assert.rejects(node.start(bareSpec()), {
      code: 'disk-full',
      message: /MiB left at/,
    });

    assert.equal(await says(neighbour, 'cat /root/before; ls / > /dev/null; echo alive'), 'before\nalive');
    const copy = { from: greedy.id, paths: ['/root'] };
    {
      await using frozen = await greedy.freeze();
      assert.ok(frozen);
      await assert.rejects(node.start(bareSpec({ copy })), { code: 'disk-full' });
    }
    await greedy.stop();
    assert.equal(await says(neighbour, 'echo after > /root/after; sync; cat /root/after'), 'after');
    await using next = await node.start(bareSpec());
    assert.equal(await says(next, 'echo works > /root/x; sync; cat /root/x'), 'works');
  });

  slowIt('refuses to copy a sandbox that has lost writes, even when there is room again', async () => {
    await using disk = await smallDisk(768 * MiB);
    await using node = await createLocalNode({ home: disk.path, image: bareImage });
    await using sandbox = await node.start(bareSpec());
    // As if another program took the space: writes from now on only fail later, unnoticed.
    await execa('sh', ['-c', `head -c 1G /dev/zero > ${disk.path}/other`], { reject: false });
    await says(sandbox, 'head -c 100M /dev/urandom > /root/lost; sync');
    await execa('rm', [`${disk.path}/other`]);
    await using frozen = await sandbox.freeze();
    assert.ok(frozen);
    const copy = { from: sandbox.id, paths: ['/root'] };
    await assert.rejects(node.start(bareSpec({ copy })), { code: 'disk-failed' });
  });

  slowIt('keeps no checkpoint that does not fit, and the sandbox continues', async () => {
    await using disk = await smallDisk(768 * MiB);
    await using node = await createLocalNode({ home: disk.path, image: bareImage });
    await using sandbox = await node.start(bareSpec());
    await says(sandbox, 'head -c 400M /dev/urandom > /dev/shm/big');
    await execa('fallocate', ['-l', '450M', `${disk.path}/other`]);
    await assert.rejects(sandbox.checkpoint({ kind: 'live' }), { code: 'disk-full' });
    assert.equal(await says(sandbox, 'wc -c < /dev/shm/big'), `${400 * MiB}`);
    assert.deepEqual(await node.checkpoints(), []);
    await execa('rm', [`${disk.path}/other`]);
    const { id } = await sandbox.checkpoint({ kind: 'live' });
    await sandbox.restore(id);
    assert.equal(await says(sandbox, 'wc -c < /dev/shm/big'), `${400 * MiB}`);
  });
});
