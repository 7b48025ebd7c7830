import assert from 'node:assert/strict';
import { createDockerNode, listAllImages, type Node } from '../../../host/node/index.ts';
import { fetchAgentRoot } from '../../../host/node/root-images.ts';
import { openEngine } from '../../support/docker-engine.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/folder.ts';
import { bareSpec, never, says } from '../../support/node-sandbox.ts';
import { makeSmallRoot } from '../../support/small-root.ts';

describe("this machine's images, in the container of a node", function () {
  // The first node builds its image.
  this.timeout(900_000);
  let folder: TemporaryFolder;
  let root: string;
  let node: Node;
  before(async () => {
    await openEngine();
    folder = await temporaryFolder();
    root = folder.file('root');
    await makeSmallRoot(root);
  });
  beforeEach(async () => {
    node = await createDockerNode({ root: fetchAgentRoot });
    await node.image();
  });
  afterEach(() => node[Symbol.asyncDispose]());
  after(() => folder[Symbol.asyncDispose]());

  const isUsed = async () =>
    (await listAllImages({ signal: never })).find(({ place }) => place === root)?.used;

  it('are there although it runs already, and are in use until it has ended', async () => {
    const sandbox = await node.start(bareSpec({ root }));
    assert.match(await says(sandbox, 'ls /'), /project/);
    assert.equal(sandbox.root, root);
    await sandbox.stop();
    assert.equal(await isUsed(), true);
    await node[Symbol.asyncDispose]();
    assert.equal(await isUsed(), false);
  });

  it('are found again for a checkpoint that comes from another container', async () => {
    const file = folder.file('checkpoint');
    await using first = await node.start(bareSpec({ root }));
    await says(first, 'echo kept > /project/kept.txt');
    const { id } = await first.checkpoint();
    await node.exportCheckpoint(id, file);
    await node[Symbol.asyncDispose]();
    node = await createDockerNode({ root: fetchAgentRoot });
    const imported = await node.importCheckpoint(file);
    await using second = await node.fork(imported.id, { name: 'second', keep: false });
    assert.equal(await says(second, 'cat /project/*'), 'kept\nof the image');
    assert.equal(second.image, await node.image({ root }));
  });

  it('are refused by name if they are in another cache folder', async () => {
    const { PWP_HOME: before } = process.env;
    process.env['PWP_HOME'] = folder.path;
    try {
      const refused = { code: 'unsupported', message: /in Docker does not see .* not \/other/ };
      await assert.rejects(node.start(bareSpec({ root: '/other' })), refused);
    } finally {
      if (before === undefined) delete process.env['PWP_HOME'];
      else process.env['PWP_HOME'] = before;
    }
  });
});
