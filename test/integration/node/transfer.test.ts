import assert from 'node:assert/strict';
import { readdir, stat } from 'node:fs/promises';
import { memoryPair } from '../../../bridge/rpc/transport.ts';
import { connectRemoteNode } from '../../../host/node/remote/remote-node.ts';
import { serveNode } from '../../../host/node/remote/serve-node.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { bareSpec, openTestNode, says } from '../../support/node-sandbox.ts';

describe('a checkpoint of a node at the other end of a connection', () => {
  it('can be exported, deleted, imported and forked, and leaves no partial file if it does not exist', async () => {
    await using test = await openTestNode();
    await using folder = await temporaryFolder();
    const [near, far] = memoryPair();
    const served = serveNode(test.node, far);
    {
      await using remote = await connectRemoteNode(near);
      await using source = await remote.start(bareSpec({ name: 'source' }));
      await says(source, 'head -c 3000000 /dev/urandom > /root/a; sha256sum < /root/a > /root/sum');
      const taken = await source.checkpoint({ kind: 'disk' });
      const file = folder.file('checkpoint.pwp');
      await remote.exportCheckpoint(taken.id, file);
      assert.ok((await stat(file)).size > 3_000_000, 'the file holds less than was written');

      const missing = remote.exportCheckpoint('ck-00000000', folder.file('missing'));
      await assert.rejects(missing, { code: 'no-such-checkpoint' });
      assert.deepEqual(await readdir(folder.path), ['checkpoint.pwp']);

      await remote.deleteCheckpoint(taken.id);
      const imported = await remote.importCheckpoint(file);
      await using forked = await remote.fork(imported.id, { name: 'forked', keep: false });
      assert.equal(await says(forked, 'sha256sum < /root/a | diff - /root/sum && echo same'), 'same');
    }
    await served;
  });
});
