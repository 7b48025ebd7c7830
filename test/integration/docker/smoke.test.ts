import assert from 'node:assert/strict';
import { createDockerNode, type Node } from '../../../host/node/index.ts';
import { Environment } from '../../../host/run/index.ts';
import { loadTask } from '../../../host/tasks/index.ts';
import { openEngine } from '../../support/docker-engine.ts';

/** One pass through a container; `npm run test:all` runs every test of sandboxes there. */
describe('an environment on a Docker node', function () {
  // The first node builds its image.
  this.timeout(900_000);
  let node: Node;
  let env: Environment;
  before(async () => {
    await openEngine();
    node = await createDockerNode();
    env = new Environment({ node, task: await loadTask('tasks/vscode/swap-text-test'), cold: true });
  });
  after(async () => {
    await env.close();
    await node[Symbol.asyncDispose]();
  });

  it('starts, steps, restores a checkpoint and is graded', async () => {
    const [first, began] = await env.reset();
    assert.equal(began.from, 'cold');
    assert.ok(first.marks.length > 10);
    const { id, kind } = await env.checkpoint();
    assert.equal(kind, (await node.checkpointSupport()).kind);
    const solved = (await env.task.solutions()).find((solution) => solution.kind === 'shell');
    assert.ok(solved);
    const action = { kind: 'tool', name: 'shell', arguments: { command: solved.text } } as const;
    const [, , , , info] = await env.step(action);
    assert.equal(info.outcomes[0]?.effect, 'confirmed', info.outcomes[0]?.evidence);
    assert.equal((await env.grade()).reward, 1);
    await env.restore(id);
    assert.equal((await env.grade()).reward, 0);
  });
});
