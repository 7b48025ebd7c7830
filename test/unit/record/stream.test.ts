import assert from 'node:assert/strict';
import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PwpError } from '../../../bridge/lib/index.ts';
import { readRecord, streamRecord } from '../../../host/run/index.ts';
import type { StreamedLine } from '../../../host/run/record/record-lines.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/folder.ts';
import type { MadeUpAttempt } from '../../support/made-up-courses.ts';
import { attemptFolder, writeMadeUpStudy } from '../../support/made-up-study.ts';

describe('the lines of a record, one by one', () => {
  let folder: TemporaryFolder;
  let record: string;
  before(async () => {
    folder = await temporaryFolder();
    const name = { family: 'alpha', task: 0, agent: 'mid', number: 1 } as const;
    const isOver = (attempt: MadeUpAttempt) => attemptFolder(attempt) === attemptFolder(name);
    await writeMadeUpStudy(folder.path, { isOver });
    record = folder.file(join(attemptFolder(name), 'try-1'));
  });
  after(() => folder[Symbol.asyncDispose]());

  async function linesOf(path: string): Promise<StreamedLine[]> {
    const lines: StreamedLine[] = [];
    for await (const line of streamRecord(path)) lines.push(line);
    return lines;
  }

  it('are those of the complete record', async () => {
    const lines = await linesOf(record);
    const steps = lines.flatMap((line) =>
      'event' in line && line.event.event === 'step' ? [line.event] : [],
    );
    assert.deepEqual(steps, (await readRecord(record)).steps);
  });

  it("say which one can't be read, and continue; the last is left out while it is written", async () => {
    const before = (await linesOf(record)).length;
    await appendFile(join(record, 'events.jsonl'), 'no JSON\n{"at":1}\n{"at":');
    const lines = await linesOf(record);
    assert.equal(lines.length, before + 2);
    const problems = lines.flatMap((line) => ('problem' in line ? [line.problem] : []));
    assert.match(problems.join(), new RegExp(`events\\.jsonl:${before + 1} is not JSON`));
    assert.match(problems.join(), new RegExp(`events\\.jsonl:${before + 2}`));
  });

  it('fail without a record', async () => {
    await assert.rejects(linesOf(folder.file('missing')), (error) => {
      return error instanceof PwpError && error.code === 'no-record';
    });
  });

  it("end at one that a record can't have", async () => {
    const path = folder.file('endless');
    await mkdir(path);
    const file = join(path, 'events.jsonl');
    await writeFile(file, '');
    for (let i = 0; i < 66; i += 1) await appendFile(file, 'x'.repeat(1024 * 1024));
    await assert.rejects(linesOf(path), (error) => error instanceof PwpError && error.code === 'too-large');
  });
});
