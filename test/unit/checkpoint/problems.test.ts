import assert from 'node:assert/strict';
import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { ProblemLog } from '../../../host/node/checkpoint/checkpoint-problems.ts';
import { temporaryFolder } from '../../support/folder.ts';

describe('the log of background problems with checkpoints', () => {
  it('is read by another process in the order written', async () => {
    await using folder = await temporaryFolder();
    await mkdir(folder.file('checkpoints'));
    const log = new ProblemLog(folder.path);
    assert.deepEqual(await log.list(), []);
    await log.add(new Error('no space'), 'packing ck-00000001');
    await log.add(new Error('gone\nfor good'), 'removing ck-00000002');
    const read = (await new ProblemLog(folder.path).list()).map(({ what, why }) => [what, why]);
    assert.deepEqual(read, [
      ['packing ck-00000001', 'no space'],
      ['removing ck-00000002', 'gone\nfor good'],
    ]);
  });

  it("skips lines that it can't read", async () => {
    await using folder = await temporaryFolder();
    await mkdir(folder.file('checkpoints'));
    const log = new ProblemLog(folder.path);
    await appendFile(folder.file('checkpoints/problems.jsonl'), 'half of a li\n{"at": 1}\n');
    await log.add(new Error('no space'), 'packing');
    assert.deepEqual(
      (await log.list()).map(({ why }) => why),
      ['no space'],
    );
  });

  it('does not grow without bound, and keeps the newest entries', async () => {
    await using folder = await temporaryFolder();
    await mkdir(folder.file('checkpoints'));
    const log = new ProblemLog(folder.path);
    for (let index = 0; index < 200; index += 1) await log.add(new Error('x'.repeat(9999)), `job ${index}`);
    const problems = await log.list();
    assert.equal(problems.at(-1)?.what, 'job 199');
    const files = ['problems.jsonl', 'problems.jsonl.old'].map((name) => folder.file(`checkpoints/${name}`));
    for (const file of files) assert.ok((await readFile(file)).length < 80_000, file);
  });
});
