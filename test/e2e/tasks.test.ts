import assert from 'node:assert/strict';
import * as z from 'zod';
import { Cli, type CliResult } from '../support/cli.ts';
import { slowIt } from '../support/slow.ts';

const findings = z.array(
  z.object({
    task: z.string(),
    run: z.string(),
    expected: z.number(),
    reward: z.number().nullable(),
    holds: z.boolean(),
    why: z.string(),
  }),
);

/** All others are checked by hand with the same command; parts that need no desktop are tested with grading. */
const proven = ['tasks/vscode/autosave-500', 'tasks/general-swe/timeline-find-value'];

// The kind of node makes no difference: no node is opened.
describe('pwp tasks', () => {
  const cli = new Cli('local');

  it('lists the tasks of a folder', async () => {
    const tasks = z
      .array(z.object({ id: z.string() }))
      .parse(await cli.json('tasks', 'list', 'tasks/vscode', 'tasks/general-swe'));
    const ids = tasks.map(({ id }) => id);
    assert.ok(ids.includes('vscode/autosave-500') && ids.includes('general-swe/timeline-find-value'));
  });

  it('names the file, the field and what was expected in a broken task', async () => {
    const { code, stderr } = await cli.pwp('tasks', 'list', 'test/support/broken-task');
    assert.equal(code, 1);
    assert.match(stderr, /task\.toml/);
    assert.match(stderr, /agent\.timeout_sec/);
    assert.match(stderr, /number/);
  });
});

describe('pwp tasks check', () => {
  const cli = new Cli('local');
  const read = ({ stdout, stderr }: CliResult) => {
    assert.notEqual(stdout, '', stderr);
    return findings.parse(JSON.parse(stdout));
  };

  slowIt('proves each: null 0, every solution 1, every false solution 0', async function () {
    this.timeout(900_000);
    const found = read(await cli.pwp('tasks', 'check', ...proven, '--json'));
    assert.deepEqual(
      found.filter(({ holds }) => !holds),
      [],
    );
    for (const task of new Set(found.map((finding) => finding.task))) {
      const runs = found.filter((finding) => finding.task === task).map(({ run }) => run);
      for (const run of ['leaks', 'complete', 'null', 'solution gui', 'solution solve']) {
        assert.ok(runs.includes(run), `${task}: no run "${run}" among ${runs.join(', ')}`);
      }
      assert.ok(runs.filter((run) => run.startsWith('false ')).length >= 2, `${task}: two false solutions`);
    }
  });
});

describe('pwp tasks check of a task that is wrong in every part', () => {
  slowIt('names tests that pass on nothing, tests that fail, and readable answers', async function () {
    this.timeout(300_000);
    const { code, stdout, stderr } = await new Cli('local').pwp('tasks', 'check', 'test/support/unsound');
    assert.equal(code, 1, stderr);
    assert.match(stdout, /unsound\/all-wrong +\d+ .*INVALID/);
    assert.match(
      stdout,
      /leaks, round 1: scores 0, expected 1: 100 % of tests\/answer\.txt in \/workspace\/notes\.md/,
    );
    assert.match(stdout, /null at 1920x1080, round 1: scores 1, expected 0/);
    assert.match(stdout, /solution solve at 1920x1080, round 1: scores 0, expected 1/);
    assert.match(stdout, /false nothing at 1920x1080, round 1: scores 1, expected 0/);
    assert.match(stdout, /0 of 1 valid/);
  });
});
