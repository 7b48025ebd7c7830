import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DockerNode } from '../../../host/node/docker/docker-node.ts';
import { connectEngine } from '../../../host/node/docker/engine.ts';
import { ensureNodeParts } from '../../../host/node/docker/node-image.ts';
import { silentProgress } from '../../../host/lib/index.ts';
import { createDockerNode } from '../../../host/node/index.ts';
import { type Agent, readRecord, runEpisode } from '../../../host/run/index.ts';
import { loadTask } from '../../../host/tasks/index.ts';
import { openEngine } from '../../support/docker-engine.ts';
import { type Dockerd, startDockerd } from '../../support/dockerd.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { bareSpec, says } from '../../support/node-sandbox.ts';

describe('starts of a Docker node that wait for the same container', function () {
  this.timeout(300_000);
  before(openEngine);

  it('do not fail when the first of them gives up', async () => {
    await using node = await createDockerNode();
    const stop = new AbortController();
    const first = assert.rejects(node.start(bareSpec({ name: 'first' }), { signal: stop.signal }), /enough/);
    const second = node.start(bareSpec({ name: 'second' }));
    stop.abort(new Error('enough'));
    await first;
    await using sandbox = await second;
    assert.equal(await says(sandbox, 'echo alive'), 'alive');
    assert.deepEqual(
      (await node.list()).filter(({ owner }) => owner.pid === process.pid).map(({ id }) => id),
      [sandbox.id],
    );
  });

  it('leave no container when all give up', async () => {
    await using node = await createDockerNode();
    for (const ms of [0, 50, 200, 400]) {
      const stop = AbortSignal.timeout(ms);
      await assert.rejects(
        node.start(bareSpec(), { signal: stop }).then(async (sandbox) => {
          await sandbox.stop();
          throw stop.reason;
        }),
      );
    }
    await using sandbox = await node.start(bareSpec());
    assert.equal(await says(sandbox, 'echo alive'), 'alive');
  });
});

describe('an engine that is restarted in the middle of an episode', function () {
  this.timeout(300_000);
  let dockerd: Dockerd;
  let node: DockerNode;
  before(async () => {
    await openEngine();
    dockerd = await startDockerd({
      args: ['--bridge=none', '--iptables=false', '--ip6tables=false'],
    });
    const [engine, own] = [await connectEngine(), await connectEngine({ DOCKER_HOST: dockerd.host })];
    const signal = AbortSignal.timeout(300_000);
    const { tag } = await ensureNodeParts(engine, { languages: [], progress: silentProgress, signal });
    // The image is copied from the other engine instead of built again.
    const loading = await own.loadImage(await engine.getImage(tag).get());
    await new Promise((resolve, reject) => loading.on('end', resolve).on('error', reject).resume());
    node = new DockerNode(own, {});
  });
  after(async () => {
    await node[Symbol.asyncDispose]();
    await dockerd[Symbol.asyncDispose]();
  });

  it('ends it without a score, says why, and the next one runs', async () => {
    await using folder = await temporaryFolder();
    const task = await loadTask('tasks/vscode/swap-text-test');
    const agentOf = (...turns: (() => Promise<void>)[]): Agent => ({
      name: 'test',
      async decide() {
        const turn = turns.shift();
        await turn?.();
        return turn ? { actions: ['xdotool key Right'] } : null;
      },
    });
    const restart = async () => {
      await dockerd.stop();
      await dockerd.start();
    };
    const run = (name: string, agent: Agent) =>
      runEpisode({ node, task, agent, folder: join(folder.path, name) });

    const first = await run('restarted', agentOf(restart));
    assert.deepEqual([first.end, first.reward], ['infrastructure-error', null]);
    assert.match(first.error ?? '', /node that the sandbox is on has ended/);
    const { result } = await readRecord(join(folder.path, 'restarted'));
    assert.equal(result.ended?.how, 'infrastructure-error');

    const second = await run(
      'next',
      agentOf(() => Promise.resolve()),
    );
    assert.deepEqual([second.end, second.reward, second.error], ['finished', 0, null]);
  });
});
