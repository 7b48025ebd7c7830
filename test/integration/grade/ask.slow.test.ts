import assert from 'node:assert/strict';
import type { Action } from '../../../host/ide/index.ts';
import { Environment } from '../../../host/run/index.ts';
import { loadTask } from '../../../host/tasks/index.ts';
import { type OpenedNode, openLocal } from '../../support/each-node.ts';

const tool = (name: string, given: Record<string, unknown>): Action => ({
  kind: 'tool',
  name,
  arguments: given,
});

describe('grading that asks an IDE, on local', function () {
  this.timeout(600_000);
  let test: OpenedNode;
  before(async () => {
    test = await openLocal();
  });
  after(() => test[Symbol.asyncDispose]());

  it('finds the breakpoint that the agent set, despite broken settings, and none after it is removed', async () => {
    const task = await loadTask('tasks/vscode/conditional-breakpoint');
    await using env = new Environment({ node: test.node, task, cold: true });
    await env.reset();
    const where = { path: 'client.py', line: 45, condition: '3 < retry_count' };
    const broken = 'echo broken > /ide/data/User/settings.json';
    await env.step([tool('set_breakpoint', where), tool('shell', { command: broken })]);
    const found = await env.grade();
    assert.equal(found.reward, 1, JSON.stringify(found.checks));
    const gone = 'echo >> /workspace/client.py';
    await env.step([tool('remove_breakpoints', {}), tool('shell', { command: gone })]);
    const { reward, checks } = await env.grade();
    assert.equal(reward, 0);
    assert.ok(
      checks.every(({ passed }) => !passed),
      JSON.stringify(checks),
    );
  });
});
