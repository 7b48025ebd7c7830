import assert from 'node:assert/strict';
import { makeTextEntry } from '../../../host/tasks/format/archive.ts';
import { makeTask } from '../../../host/tasks/format/made-task.ts';
import type { RawTaskConfig } from '../../../host/tasks/format/task-config.ts';
import { explainTrust } from '../../../host/tasks/grade/verdict.ts';
import { datasets, type Task } from '../../../host/tasks/index.ts';

type AgentCode = RawTaskConfig['pwp']['agent_code'];

function taskOf(script: string, agentCode?: AgentCode): Task {
  return makeTask({
    id: 'res-q/0_1',
    path: '/nonexistent',
    instruction: 'x',
    config: {
      version: '1.0',
      metadata: { author_name: 'A', author_email: 'a@example.org', difficulty: 'easy', category: 'test' },
      agent: { timeout_sec: 60 },
      verifier: { timeout_sec: 60 },
      pwp: { features: ['settings'], ...(agentCode && { agent_code: agentCode }) },
    },
    workspace: [],
    tests: [makeTextEntry('test.sh', script)],
    solutions: [],
    falseSolutions: [],
  });
}

const runs = 'cd /workspace\npytest -q\n';

describe('the note that a pass can be forged', () => {
  it('exists if a task says that its tests run the agent’s code beside them', async () => {
    const note = await explainTrust(taskOf('true\n', 'beside'));
    assert.equal(note, "tests of res-q run the agent's code beside them, which can forge a pass");
  });

  it('does not exist if it says that they don’t', async () => {
    for (const where of ['apart', 'nowhere'] as const)
      assert.equal(await explainTrust(taskOf(runs, where)), undefined);
  });

  it('is derived from the tests of a task that says nothing', async () => {
    assert.match(
      (await explainTrust(taskOf(runs))) ?? '',
      /seem to run .* \(tests\/test\.sh:2: pytest -q\)$/,
    );
    assert.equal(await explainTrust(taskOf('exec /usr/bin/python3 -I -S /tests/check.py\n')), undefined);
  });

  it("is for datasets whose tests import or start the agent's files", () => {
    const beside = datasets
      .filter(({ about }) => about.agentCode === 'beside')
      .map(({ about }) => about.name);
    assert.deepEqual(beside.filter((name) => !name.startsWith('swe-bench')).toSorted(), [
      'canitedit',
      'gym-anything',
      'harbor',
      'ide-bench',
      'pwp-folder',
      'res-q',
      'swt-bench',
    ]);
  });
});
