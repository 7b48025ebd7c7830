import assert from 'node:assert/strict';
import type { Grade } from '../../../host/grade/index.ts';
import type { Node } from '../../../host/node/index.ts';
import type { Task } from '../../../host/tasks/index.ts';
import { agentSandbox, gradeOf } from '../grade/fixture.ts';

const env = { PATH: '/opt/node/bin:/usr/bin:/bin', HOME: '/root' };

/** The score of a script that is run in the task's initial state, in a sandbox without an IDE. */
export async function scoreOf(node: Node, task: Task, script: string): Promise<Grade> {
  await using sandbox = await agentSandbox(node, task);
  for (const text of [task.config.pwp.setup ?? 'true', script]) {
    const argv = ['/bin/bash', '-e', '-c', text];
    const ran = await sandbox.exec({
      argv,
      cwd: '/workspace',
      env,
      timeoutMs: 60_000,
      maxOutputBytes: 100_000,
    });
    assert.equal(ran.exitCode, 0, ran.stderr);
  }
  return await gradeOf(node, sandbox, task);
}

/** Nothing scores 0, each solution 1, each false one 0. */
export async function assertBaselines(node: Node, task: Task): Promise<void> {
  const nothing = await scoreOf(node, task, 'true');
  assert.equal(nothing.reward, 0, nothing.log);
  const solutions = await task.solutions();
  assert.equal(solutions.length, 1);
  for (const { text } of solutions) {
    const { reward, log } = await scoreOf(node, task, text);
    assert.equal(reward, 1, log);
  }
  for (const { name, text } of await task.falseSolutions()) {
    const { reward, log } = await scoreOf(node, task, text);
    assert.equal(reward, 0, `${name}: ${log}`);
  }
}
