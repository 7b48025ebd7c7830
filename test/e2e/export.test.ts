import assert from 'node:assert/strict';
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Cli } from '../support/cli.ts';
import { writeEpisode } from '../support/episode-fixture.ts';
import { temporaryFolder, type TemporaryFolder } from '../support/folder.ts';

// Nothing of this opens a node.
describe('pwp export ide-bench', () => {
  const cli = new Cli('local');
  let folder: TemporaryFolder;
  before(async () => {
    folder = await temporaryFolder();
    await writeEpisode(folder.file('runs/one'));
    await writeEpisode(folder.file('runs/deep/er/two'));
  });
  after(() => folder[Symbol.asyncDispose]());

  it('has a line for each record below the folders, each once', async () => {
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

  it('leaves nothing half written where a record is damaged', async () => {
    await mkdir(folder.file('bad'));
    await writeFile(folder.file('bad/events.jsonl'), '{"event": "start"}\n');
    const out = folder.file('none');
    const { code, stderr } = await cli.pwp('export', 'ide-bench', folder.file('bad'), '--out', out);
    assert.notEqual(code, 0);
    assert.match(stderr, /events\.jsonl:1/);
    assert.deepEqual(await readdir(out), []);
  });

  it('says where there is no record', async () => {
    await mkdir(folder.file('empty'));
    const { code, stderr } = await cli.pwp(
      'export',
      'ide-bench',
      folder.file('empty'),
      '--out',
      folder.file('x'),
    );
    assert.notEqual(code, 0);
    assert.match(stderr, /holds no record/);
  });
});
