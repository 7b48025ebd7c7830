import assert from 'node:assert/strict';
import { Environment } from '../../../host/run/index.ts';
import { loadTask } from '../../../host/tasks/index.ts';
import { onEachNode, type OpenedNode } from '../../support/each-node.ts';
import { slowIt } from '../../support/slow.ts';
import { solutionSteps } from '../../support/solution-steps.ts';

onEachNode('an IDE with the extension gallery', (open) => {
  let opened: OpenedNode;
  let env: Environment;
  let steps: string[];
  before(async () => {
    opened = await open();
    const task = await loadTask('tasks/vscode/install-pylance');
    steps = await solutionSteps(task, 'gui');
    env = new Environment({ node: opened.node, task, cold: true });
    await env.reset();
  });
  after(async () => {
    await env.close();
    await opened[Symbol.asyncDispose]();
  });

  const run = async (command: string): Promise<string> => {
    const call = { kind: 'tool', name: 'shell', arguments: { command } } as const;
    const [, , , , info] = await env.step([call]);
    return info.outcomes[0]?.output ?? '';
  };

  it('reaches the gallery and nothing else', async () => {
    const ask = (url: string) =>
      `node -e "fetch('${url}').then(async (r) => console.log(r.status, (await r.text()).length > 100), (e) => console.log(e.cause.code))"`;
    assert.match(await run(ask('http://127.0.0.1:8080/proxy/3129/latest/ms-python/python')), /200 true/);
    assert.match(await run(ask('http://1.1.1.1/')), /ENETUNREACH/);
    assert.equal((await run('ls /sys/class/net')).trim(), 'exit code 0\nlo');
  });

  slowIt('installs by mouse and keyboard, and again after restoring an earlier checkpoint', async () => {
    // The search has found it already; the install goes through the gallery that was opened again.
    const found = steps.findIndex((step) => step.includes('click 1'));
    for (const step of steps.slice(0, found)) await env.step(step);
    const { id } = await env.checkpoint();
    try {
      await install();
      await env.restore(id);
      assert.equal((await env.grade()).reward, 0);
      await install();
    } finally {
      await opened.node.deleteCheckpoint(id);
    }

    async function install(): Promise<void> {
      for (const step of steps.slice(found)) await env.step(step);
      const { reward, log } = await env.grade();
      assert.equal(reward, 1, log);
    }
  });
});
