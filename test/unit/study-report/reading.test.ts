import assert from 'node:assert/strict';
import { appendFile, cp, mkdir, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PwpError } from '../../../bridge/lib/index.ts';
import { writeStudyReport } from '../../../host/doors/report/index.ts';
import { readStudyRows, type StudyRows } from '../../../host/read/index.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/folder.ts';
import { attemptFolder, writeMadeUpStudy } from '../../support/made-up-study.ts';

describe('reading studies', () => {
  let folder: TemporaryFolder;
  let whole: string;
  before(async () => {
    folder = await temporaryFolder();
    whole = folder.file('whole');
    await writeMadeUpStudy(whole, { isOver: ({ family, task }) => family === 'alpha' && task === 0 });
  });
  after(() => folder[Symbol.asyncDispose]());

  const first = attemptFolder({ family: 'alpha', task: 0, agent: 'ace', number: 1 });
  const events = join(first, 'try-1', 'events.jsonl');
  let copies = 0;

  /** Reads a changed copy. */
  async function readChanged(change: (study: string) => Promise<void>): Promise<StudyRows> {
    const study = folder.file(`copy-${(copies += 1)}`);
    await cp(whole, study, { recursive: true });
    await change(study);
    return readStudyRows([study]);
  }

  function problemsIn({ problems }: StudyRows, place: string): string[] {
    assert.ok(
      problems.every(({ where }) => where.includes(place)),
      JSON.stringify(problems),
    );
    return problems.map(({ what }) => what);
  }

  it('reports attempts that are not over', async () => {
    const read = await readChanged((study) => rm(join(study, first, 'attempt.json')));
    assert.deepEqual([read.rows.length, read.studies[0]?.planned], [14, 600]);
    assert.deepEqual(problemsIn(read, first), ['it is not over']);
  });

  it('leaves out a truncated attempt.json, and one of another version', async () => {
    for (const text of ['{"task": "al', '{"task": "alpha/t0", "format": 7}']) {
      const read = await readChanged((study) => writeFile(join(study, first, 'attempt.json'), text));
      assert.equal(read.rows.length, 14);
      assert.match(problemsIn(read, first).join(), /can't be read/);
    }
  });

  it('reads a record up to where it was cut off', async () => {
    const read = await readChanged(async (study) => {
      const path = join(study, events);
      await truncate(path, (await readFile(path)).length - 400);
    });
    assert.deepEqual([read.rows.length, read.problems], [15, []]);
    assert.equal(read.rows[0]?.figures?.how, null);
  });

  it('continues after unreadable lines, and lists three of them', async () => {
    const read = await readChanged((study) => appendFile(join(study, events), 'not JSON\n'.repeat(10)));
    assert.equal(read.rows[0]?.figures?.steps, 5);
    const problems = problemsIn(read, 'try-1');
    assert.deepEqual([problems.length, problems.at(-1)], [4, "7 more lines can't be read"]);
  });

  it('keeps the score of an attempt whose record is gone, empty, or of an older version', async () => {
    const changes: ((study: string) => Promise<void>)[] = [
      (study) => rm(join(study, first, 'try-1'), { recursive: true }),
      async (study) => {
        const path = join(study, events);
        await writeFile(path, (await readFile(path, 'utf8')).replace('"record":1', '"record":0'));
      },
    ];
    for (const change of changes) {
      const read = await readChanged(change);
      assert.deepEqual([read.rows.length, read.rows[0]?.reward, read.rows[0]?.figures], [15, 1, null]);
      assert.ok(problemsIn(read, first).length > 0);
    }
    const empty = await readChanged((study) => writeFile(join(study, events), ''));
    assert.deepEqual([empty.rows[0]?.reward, empty.rows[0]?.figures], [1, null]);
    assert.match(problemsIn(empty, first).join(), /is empty/);
  });

  it('follows no path out of an attempt', async () => {
    const read = await readChanged(async (study) => {
      const path = join(study, first, 'attempt.json');
      await writeFile(
        path,
        (await readFile(path, 'utf8')).replace('"record": "try-1"', '"record": "../2/try-1"'),
      );
    });
    assert.equal(read.rows[0]?.figures, null);
    assert.deepEqual(problemsIn(read, first), ['its record is not in its folder']);
  });

  it('reads a study whose study.json is damaged', async () => {
    const read = await readChanged((study) => writeFile(join(study, 'study.json'), '{'));
    assert.deepEqual([read.rows.length, read.studies[0]?.planned], [15, null]);
    assert.match(problemsIn(read, '').join(), /study\.json/);
  });

  it('keeps equally named agents of two studies apart, and names such studies by path', async () => {
    const other = folder.file('other/whole');
    await cp(whole, other, { recursive: true });
    const { rows, studies } = await readStudyRows([whole, other]);
    assert.equal(rows.length, 30);
    assert.equal(new Set(rows.map(({ agent }) => agent)).size, 6);
    assert.deepEqual(
      studies.map(({ name }) => name),
      [whole, other],
    );
  });

  it('changes nothing in a study', async () => {
    const study = folder.file('untouched');
    await cp(whole, study, { recursive: true });
    await rm(join(study, first, 'attempt.json'));
    const before = await readdir(study, { recursive: true });
    await readStudyRows([study]);
    assert.deepEqual(await readdir(study, { recursive: true }), before);
  });

  it('refuses to write a report into one', async () => {
    for (const out of [whole, join(whole, 'report')])
      await assert.rejects(writeStudyReport([whole], { out }), (error) => {
        return error instanceof PwpError && error.code === 'usage';
      });
    assert.ok(!(await readdir(whole)).includes('report'));
  });

  it('refuses a folder that is not a study', async () => {
    await mkdir(folder.file('empty'));
    for (const path of [folder.file('empty'), folder.file('missing')])
      await assert.rejects(readStudyRows([path]), (error) => {
        return error instanceof PwpError && error.code === 'bad-study';
      });
  });

  it('ends when it is cancelled', async () => {
    const reason = new PwpError('cancelled', 'stopped');
    await assert.rejects(readStudyRows([whole], { signal: AbortSignal.abort(reason) }), reason);
  });
});
