import assert from 'node:assert/strict';
import type { PwpError } from '../../../bridge/lib/index.ts';
import { connectEngine } from '../../../host/node/docker/engine.ts';
import { createDockerNode } from '../../../host/node/index.ts';
import { openEngine } from '../../support/docker-engine.ts';
import { containersOf, whatIsLeft } from '../../support/docker-traces.ts';
import { nodeContract } from '../../support/node-contract.ts';
import { bareSpec, says } from '../../support/node-sandbox.ts';

describe('a node in a Docker container', function () {
  // The first run builds the image.
  this.timeout(300_000);
  before(openEngine);

  for (const transport of ['socket', 'websocket'] as const) {
    const env = { ...process.env, PWP_NODE_TRANSPORT: transport };

    describe(`as any node, by ${transport}`, () =>
      nodeContract(async () => {
        const node = await createDockerNode({ env });
        return { node, [Symbol.asyncDispose]: () => node[Symbol.asyncDispose]() };
      }));

    it(`reports that it was killed, and starts again, by ${transport}`, async () => {
      await using node = await createDockerNode({ env });
      const sandbox = await node.start(bareSpec());
      const lost = assert.rejects(says(sandbox, 'sleep 60'), { code: 'node-lost' });
      const [own] = await containersOf(process.pid);
      await (await connectEngine()).getContainer(own?.container ?? 'none').kill();
      await lost;
      await assert.rejects(sandbox.readFile('/etc/hostname', 100), { code: 'node-lost' });
      await sandbox[Symbol.asyncDispose]();
      await using next = await node.start(bareSpec());
      assert.equal(await says(next, 'echo alive'), 'alive');
    });
  }

  it('removes a container that was killed while a sandbox in it was frozen', async () => {
    const node = await createDockerNode();
    const sandbox = await node.start(bareSpec());
    await sandbox.freeze();
    const [own] = await containersOf(process.pid);
    assert.ok(own);
    // With cgroup v1 the engine waits for the frozen processes' end, which may be longer than it has patience.
    const kill = (await connectEngine()).getContainer(own.container).kill();
    await Promise.allSettled([kill]);
    await node[Symbol.asyncDispose]();
    assert.deepEqual(await whatIsLeft(own), []);
  });

  it('installs extra languages in its sandboxes on request', async () => {
    await using node = await createDockerNode({ env: process.env, languages: ['cpp', 'go'] });
    await using sandbox = await node.start(bareSpec());
    const program = 'int main(void) { return 7; }';
    const text = `cd /tmp && echo '${program}' > a.c && gcc a.c -o a; ./a; echo $?; go env GOOS; clangd-19 --version`;
    assert.match(await says(sandbox, text), /^7\nlinux\nDebian clangd version 19/);
  });

  it('lists the checkpoints of all containers, the oldest first', async () => {
    await using older = await createDockerNode();
    await using younger = await createDockerNode();
    await using first = await older.start(bareSpec());
    await using second = await younger.start(bareSpec());
    const taken: string[] = [];
    for (const sandbox of [first, second, first]) taken.push((await sandbox.checkpoint({ kind: 'disk' })).id);
    for (const node of [older, younger]) {
      const ids = (await node.checkpoints()).map(({ id }) => id);
      assert.deepEqual(
        ids.filter((id) => taken.includes(id)),
        taken,
      );
    }
  });

  it('reports which engine it cannot use and what to do', async () => {
    const tells = (env: NodeJS.ProcessEnv, code: string) =>
      assert.rejects(connectEngine(env, 500), (error: PwpError) => {
        assert.equal(error.code, code);
        assert.ok(error.help);
        return true;
      });
    await tells({ DOCKER_HOST: 'unix:///nowhere/docker.sock' }, 'docker-missing');
    await tells({ DOCKER_HOST: 'tcp://127.0.0.1:1' }, 'docker-missing');
    await tells({ DOCKER_HOST: 'tcp://192.0.2.1:2375' }, 'docker-remote');
    await tells({ DOCKER_HOST: 'ssh://user@elsewhere.test' }, 'docker-remote');
    await tells({ DOCKER_HOST: 'nonsense' }, 'docker-context');
    await tells({ DOCKER_CONTEXT: 'none', HOME: '/nowhere' }, 'docker-context');
  });
});
