import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { ide } from '../../../bridge/protocol/index.ts';
import { Environment } from '../../../host/run/index.ts';
import { makeTextEntry } from '../../../host/tasks/format/archive.ts';
import { makeTask } from '../../../host/tasks/format/made-task.ts';
import type { Task } from '../../../host/tasks/index.ts';
import { openBooting } from '../../support/each-node.ts';

const png = 'tasks/general-swe/mockup-services/environment/workspace/mockup.png';

async function taskOf(): Promise<Task> {
  return makeTask({
    id: 'test/start-files',
    path: '/nowhere',
    instruction: 'Look.',
    config: {
      version: '1.0',
      metadata: { author_name: 'a', author_email: 'a', difficulty: 'easy', category: 'test' },
      agent: { timeout_sec: 60 },
      verifier: { timeout_sec: 60 },
      pwp: { features: ['text-editing'], open: ['a.txt', 'picture.png'] },
    },
    workspace: [
      makeTextEntry('a.txt', 'a\n'),
      { kind: 'file', path: 'picture.png', content: await readFile(png), executable: false },
    ],
    tests: [makeTextEntry('test.sh', 'exit 1\n')],
    solutions: [],
    falseSolutions: [],
  });
}

describe('the files that a task opens at its start', () => {
  it("are in VS Code's editors for their types, the last one in front", async () => {
    await using opened = await openBooting();
    await using env = new Environment({ node: opened.node, task: await taskOf(), cold: true });
    const [, { sandbox: id }] = await env.reset({ signal: AbortSignal.timeout(120_000) });
    const sandbox = await opened.node.open(id, { signal: AbortSignal.timeout(20_000) });
    const { groups } = await sandbox.call(ide.tabs, {}, { signal: AbortSignal.timeout(20_000) });
    const tabs = groups.flatMap((group) =>
      group.tabs.map(({ label, kind, active }) => [label, kind, active]),
    );
    assert.deepEqual(tabs, [
      ['a.txt', 'text', false],
      ['picture.png', 'custom', true],
    ]);
  });
});
