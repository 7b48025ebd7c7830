import assert from 'node:assert/strict';
import { toolMethods } from '../../../bridge/protocol/index.ts';
import { specOf } from '../../../host/env/spec.ts';
import { loadTask } from '../../../host/tasks/index.ts';
import { openLocal, type OpenedNode } from '../../support/each-node.ts';
import { never, says } from '../../support/node-sandbox.ts';
import { gradeOf } from './fixture.ts';

describe('grading that asks an IDE, on local', function () {
  this.timeout(300_000);
  let test: OpenedNode;
  before(async () => {
    test = await openLocal();
  });
  after(() => test[Symbol.asyncDispose]());

  it('finds the breakpoint that the agent set, in an IDE that runs nothing of the agent', async () => {
    const task = await loadTask('tasks/vscode/conditional-breakpoint');
    await using sandbox = await test.node.start(await specOf(task, undefined), never);
    await sandbox.ready(never);
    const name = 'set_breakpoint';
    const where = { path: 'client.py', line: 45, condition: '3 < retry_count' };
    await sandbox.call(toolMethods.call, { name, arguments: where }, never);
    // The agent's settings are not read there.
    await says(sandbox, 'mkdir -p /workspace/.vscode && echo broken > /ide/data/User/settings.json');
    const { reward, checks } = await gradeOf(test.node, sandbox, task);
    assert.equal(reward, 1, JSON.stringify(checks));
    await says(sandbox, 'echo >> /workspace/client.py; rm -rf /ide/chromium');
    const after = await gradeOf(test.node, sandbox, task);
    assert.equal(after.reward, 0);
    assert.ok(
      after.checks.every(({ passed }) => !passed),
      JSON.stringify(after.checks),
    );
  });
});
