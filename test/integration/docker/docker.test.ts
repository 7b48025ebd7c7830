import assert from 'node:assert/strict';
import { createDockerNode } from '../../../host/node/index.ts';
import { connectEngine } from '../../../host/node/docker/engine.ts';
import { openEngine } from '../../support/docker-engine.ts';
import { containersOf } from '../../support/docker-traces.ts';
import { nodeContract } from '../../support/node-contract.ts';
import { bareSpec, never, says } from '../../support/node-sandbox.ts';

describe('a node in a Docker container', function () {
  // The first run builds the image.
  this.timeout(300_000);
  before(openEngine);

  describe('as any node', () =>
    nodeContract(async () => {
      const node = await createDockerNode();
      return { node, [Symbol.asyncDispose]: () => node[Symbol.asyncDispose]() };
    }));

  it('tells that it was killed, and starts anew', async () => {
    await using node = await createDockerNode();
    const sandbox = await node.start(bareSpec(), never);
    const [own] = await containersOf(process.pid);
    await (await connectEngine()).getContainer(own?.container ?? 'none').kill();
    await assert.rejects(sandbox.readFile('/etc/hostname', 100), { code: 'node-lost' });
    await sandbox[Symbol.asyncDispose]();
    await using next = await node.start(bareSpec(), never);
    assert.equal(await says(next, 'echo alive'), 'alive');
  });
});
