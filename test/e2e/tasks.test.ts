import assert from 'node:assert/strict';
import * as z from 'zod';
import { Cli } from '../support/cli.ts';
import { onEachNode } from '../support/each-node.ts';

const findings = z.array(
  z.object({
    task: z.string(),
    run: z.string(),
    expected: z.number(),
    reward: z.number().nullable(),
    why: z.string(),
  }),
);

// Which node it would be makes no difference: none is opened.
describe('pwp tasks', () => {
  const cli = new Cli('local');

  it('lists the six tasks', async () => {
    const tasks = z
      .array(z.object({ id: z.string() }))
      .parse(await cli.json('tasks', 'list', 'tasks/vscode'));
    assert.equal(tasks.length, 6);
  });

  it('names file, field and what was expected in a broken task', async () => {
    const { code, stderr } = await cli.pwp('tasks', 'list', 'test/support/broken-task');
    assert.equal(code, 1);
    assert.match(stderr, /task\.toml/);
    assert.match(stderr, /agent\.timeout_sec/);
    assert.match(stderr, /number/);
  });
});

onEachNode('pwp tasks check', (_, kind) => {
  const cli = new Cli(kind);

  it('proves each: null 0, every solution 1, every false solution 0', async function () {
    this.timeout(1_800_000);
    // All of them once; in Docker one that edits a file, since only the way of the files differs there.
    const tasks = kind === 'local' ? 'tasks/vscode' : 'tasks/vscode/swap-text-test';
    const { stdout, stderr } = await cli.pwp('tasks', 'check', tasks, '--json');
    assert.notEqual(stdout, '', stderr);
    const found = findings.parse(JSON.parse(stdout));
    const wrong = found.filter(({ reward, expected }) => reward !== expected);
    assert.deepEqual(wrong, []);
    for (const task of new Set(found.map((finding) => finding.task))) {
      const runs = found.filter((finding) => finding.task === task).map(({ run }) => run);
      for (const run of ['null', 'solution gui', 'solution solve']) {
        assert.ok(runs.includes(run), `${task}: no run "${run}" among ${runs.join(', ')}`);
      }
      assert.ok(runs.filter((run) => run.startsWith('false ')).length >= 2, `${task}: two false solutions`);
    }
  });
});
