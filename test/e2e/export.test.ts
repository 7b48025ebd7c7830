import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openRecord } from '../../host/run/index.ts';
import { Cli } from '../support/cli.ts';
import { writeEpisode } from '../support/episode-fixture.ts';
import { temporaryFolder, type TemporaryFolder } from '../support/folder.ts';
import { writeMadeUpStudy } from '../support/made-up-study.ts';
import { meta } from '../support/record-fixture.ts';

const tried = {
  ...{
    folder: 'try-1',
    end: 'scored',
    limit: null,
    reward: 1,
    rewardTrustworthy: true,
    trust: null,
    why: null,
  },
  ...{ costUsd: null, promptTokens: null, completionTokens: null, startedAt: null, totalMs: 1 },
};
const attemptOfStudy = {
  ...{ task: 'swe-bench-lite/o__n-1', agent: 'a', model: null, number: 1, tries: [tried] },
  ...{ end: 'scored', limit: null, reward: 1, rewardTrustworthy: true, trust: null, why: null, steps: 1 },
  ...{ promptTokens: null, completionTokens: null, cachedTokens: null, costUsd: null, record: 'try-1' },
  times: { totalMs: 1, startMs: null, modelMs: 0, stepsMs: 0, gradeMs: null },
};

/** A record of an attempt at a task that ended without a score, with what the agent changed. */
async function writeAttempt(folder: string, task: string, text: string | null): Promise<void> {
  await using record = await openRecord(folder, { ...meta, task });
  const counts = {
    added: 1,
    removed: 0,
    files: [{ path: 'a.py', change: 'added' as const }],
    leadOut: [],
    omitted: [],
  };
  await record.changes(text === null ? { problem: 'too many files' } : { text, ...counts });
  await record.end('grading-failed');
}

// None of these tests opens a node.
describe('pwp export ide-bench', () => {
  const cli = new Cli('local');
  let folder: TemporaryFolder;
  before(async () => {
    folder = await temporaryFolder();
    await writeEpisode(folder.file('runs/one'));
    await writeEpisode(folder.file('runs/deep/er/two'));
  });
  after(() => folder[Symbol.asyncDispose]());

  it('writes one line for each record in the folders', async () => {
    const out = folder.file('out');
    const runs = folder.file('runs');
    const { code, stdout, stderr } = await cli.pwp(
      'export',
      'ide-bench',
      runs,
      join(runs, 'one'),
      '--out',
      out,
    );
    assert.equal(code, 0, stderr);
    assert.match(stdout, /run_summary\.jsonl: 2 lines/);
    assert.deepEqual((await readdir(out)).sort(), [
      ...['edits.jsonl', 'run_summary.jsonl', 'tool_calls.jsonl', 'trajectory.jsonl'],
    ]);
    const lines = (await readFile(join(out, 'run_summary.jsonl'), 'utf8')).trim().split('\n');
    const summaries = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    assert.deepEqual(
      summaries.map(({ attempt, counts }) => [attempt, counts]),
      [
        [null, true],
        [null, true],
      ],
    );
  });

  it('keeps the arms of studies apart by their names', async () => {
    const arms = [
      ['first', 'with marks'],
      ['first', 'without'],
      ['second', 'with marks'],
    ] as const;
    for (const [study, agent] of arms) {
      const attempt = folder.file(`studies/${study}/attempts/t/${agent.replace(' ', '-')}/1`);
      await writeEpisode(join(attempt, 'try-1'));
      await writeFile(join(attempt, 'attempt.json'), JSON.stringify({ ...attemptOfStudy, agent }));
    }
    const out = folder.file('arms');
    const { code, stderr } = await cli.pwp('export', 'ide-bench', folder.file('studies'), '--out', out);
    assert.equal(code, 0, stderr);
    for (const name of ['run_summary.jsonl', 'tool_calls.jsonl', 'trajectory.jsonl']) {
      const lines = (await readFile(join(out, name), 'utf8')).trim().split('\n');
      const named = lines.map((line) => JSON.parse(line) as { study: string; agent: string });
      assert.deepEqual(
        [...new Set(named.map(({ study, agent }) => `${study} | ${agent}`))].toSorted(),
        ['first | first: with marks', 'first | without', 'second | second: with marks'],
        name,
      );
    }
  });

  it('leaves no half-written file if a record is damaged', async () => {
    await mkdir(folder.file('bad'));
    await writeFile(folder.file('bad/events.jsonl'), '{"event": "start"}\n');
    const out = folder.file('none');
    const { code, stderr } = await cli.pwp('export', 'ide-bench', folder.file('bad'), '--out', out);
    assert.notEqual(code, 0);
    assert.match(stderr, /events\.jsonl:1/);
    assert.deepEqual(await readdir(out), []);
  });

  it('fails if there is no record', async () => {
    await mkdir(folder.file('empty'));
    const { code, stderr } = await cli.pwp(
      'export',
      'ide-bench',
      folder.file('empty'),
      '--out',
      folder.file('x'),
    );
    assert.notEqual(code, 0);
    assert.match(stderr, /contains no record/);
  });
});

describe('pwp export swe-bench', () => {
  const cli = new Cli('local');
  let folder: TemporaryFolder;
  beforeEach(async () => {
    folder = await temporaryFolder();
  });
  afterEach(() => folder[Symbol.asyncDispose]());

  const patch =
    'diff --git a/a.py b/a.py\nnew file mode 100644\n--- /dev/null\n+++ b/a.py\n@@ -0,0 +1 @@\n+1\n';
  const binary =
    'diff --git a/x.bin b/x.bin\nnew file mode 100644\nBinary files /dev/null and b/x.bin differ\n';

  it('writes a file for each dataset, agent and attempt, with each record once, and says what is missing', async () => {
    await writeAttempt(folder.file('runs/1'), 'swe-bench-lite/o__n-1', patch + binary);
    await writeAttempt(folder.file('runs/2'), 'swe-bench-lite/o__n-2', '');
    await writeAttempt(folder.file('runs/3'), 'swe-bench-lite/o__n-1', patch);
    await writeAttempt(folder.file('runs/4'), 'swe-bench-lite/o__n-3', null);
    await writeAttempt(folder.file('runs/5'), 'vscode/word-wrap-on', patch);
    await writeAttempt(folder.file('runs/6'), 'swt-bench/o__n-1', patch);
    const out = folder.file('out');
    const { code, stdout, stderr } = await cli.pwp('export', 'swe-bench', folder.file('runs'), '--out', out);
    assert.equal(code, 0, stderr);
    assert.match(
      stdout,
      /lite-oracle-gui-1\.jsonl: 2 lines\n.*lite-oracle-gui-2\.jsonl: 1 line\n.*swt-bench-oracle-gui-1\.jsonl: 1 line$/m,
    );
    assert.match(stderr, /runs\/1: x\.bin is binary or too large, and left out/);
    assert.match(stderr, /runs\/4: too many files/);
    const lines = (await readFile(join(out, 'swe-bench-lite-oracle-gui-1.jsonl'), 'utf8')).trim().split('\n');
    const model = { model_name_or_path: 'swe-bench-lite-oracle-gui-1' };
    assert.deepEqual(
      lines.map((line) => JSON.parse(line) as unknown),
      [
        { instance_id: 'o__n-1', ...model, model_patch: patch },
        { instance_id: 'o__n-2', ...model, model_patch: '' },
      ],
    );
  });

  it('names the attempts of a study that left no record that counts, and exports none of their tries', async () => {
    const study = folder.file('study');
    await writeMadeUpStudy(study, {
      dress: (name) => (name === 'alpha' ? 'swe-bench-lite' : name),
      isOver: ({ family, task, agent, number }) =>
        family === 'alpha' && task === 0 && agent === 'dud' && number <= 3,
    });
    await rename(join(study, 'attempts/alpha-t0'), join(study, 'attempts/swe-bench-lite-t0'));
    const attempt = (number: number) => join(study, 'attempts/swe-bench-lite-t0/dud', String(number));
    await rm(join(attempt(2), 'attempt.json'));
    const file = join(attempt(3), 'attempt.json');
    const lost = { ...(JSON.parse(await readFile(file, 'utf8')) as object), record: null, why: 'disk full' };
    await writeFile(file, JSON.stringify(lost));
    await writeAttempt(folder.file('runs/1'), 'swe-bench-lite/o__n-1', patch);
    const out = folder.file('out');
    const { code, stdout, stderr } = await cli.pwp(
      'export',
      'swe-bench',
      ...[study, folder.file('runs'), '--out', out, '--json'],
    );
    assert.equal(code, 0, stderr);
    const { without } = JSON.parse(stdout) as { without: { record: string; problem: string }[] };
    assert.deepEqual(
      without.map(({ record, problem }) => [record, problem]),
      [
        [attempt(2), 'it is not over'],
        [attempt(3), 'disk full'],
        [study, '597 of its 600 attempts have not begun'],
        [join(attempt(1), 'try-1'), 'it has no changes: it was not graded, or is of an older version'],
      ],
    );
  });

  it('does not mix two studies with the same attempt', async () => {
    for (const name of ['one', 'two']) {
      const study = folder.file(name);
      await writeAttempt(join(study, 'attempts/t/a/1/try-1'), 'swe-bench-lite/o__n-1', patch);
      await writeFile(join(study, 'attempts/t/a/1/attempt.json'), JSON.stringify(attemptOfStudy));
    }
    const out = folder.file('out');
    const { code, stderr } = await cli.pwp('export', 'swe-bench', folder.path, '--out', out);
    assert.equal(code, 2, stderr);
    assert.match(stderr, /two\/attempts\S+ and \S+one\/attempts\S+ are both swe-bench-lite-a-1/);
    assert.match(stderr, /a folder of its own/);
  });

  it('fails if no record is of that benchmark, and writes nothing', async () => {
    await writeAttempt(folder.file('runs/1'), 'vscode/word-wrap-on', patch);
    const out = folder.file('out');
    const { code, stderr } = await cli.pwp('export', 'swe-bench', folder.file('runs'), '--out', out);
    assert.equal(code, 1);
    assert.match(stderr, /there is no prediction for SWE-bench's harness/);
    await assert.rejects(readdir(out), { code: 'ENOENT' });
  });
});
