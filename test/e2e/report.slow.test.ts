import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { appendFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod';
import { readRecord, recordFiles } from '../../host/run/index.ts';
import { formatEvent } from '../../host/run/record/record-lines.ts';
import { cliPath } from '../support/cli.ts';
import { temporaryFolder, type TemporaryFolder } from '../support/folder.ts';
import { attemptFolder, madeUpAttempts, writeMadeUpStudy } from '../support/made-up-study.ts';

const printed = z.object({
  attempts: z.number(),
  problems: z.array(z.object({ where: z.string(), what: z.string() })),
  files: z.array(z.string()),
});

describe('pwp report', () => {
  let folder: TemporaryFolder;
  let study: string;
  before(async () => {
    folder = await temporaryFolder();
    study = folder.file('study');
    await writeMadeUpStudy(study);
  });
  after(() => folder[Symbol.asyncDispose]());

  /** Runs it with this much memory for objects, in MB. */
  async function report(heap: number, ...args: string[]): Promise<string> {
    const options = { cwd: folder.path, maxBuffer: 64 * 1024 * 1024 };
    const all = [`--max-old-space-size=${heap}`, cliPath, 'report', ...args];
    return (await promisify(execFile)(process.execPath, all, options)).stdout;
  }

  it('prints the scores and where to find the rest', async () => {
    const text = await report(256, study, '--out', folder.file('first'));
    assert.match(text, /^ace +62\.0 \[/m);
    assert.match(text, /study: 600 of 600 attempts are over/);
  });

  it('writes the requested formats', async () => {
    const out = folder.file('some');
    const { files } = printed.parse(
      JSON.parse(await report(256, study, '--out', out, '--format', 'html,md', '--json')),
    );
    assert.deepEqual(files, [join(out, 'report.html'), join(out, 'report.md')]);
    assert.deepEqual((await readdir(out)).toSorted(), ['report.html', 'report.md']);
  });

  it('refuses a folder that is not a study and an unknown format', async () => {
    await assert.rejects(report(256, folder.path), /is not a study folder/);
    await assert.rejects(report(256, study, '--format', 'pdf'), /html,csv,md,latex/);
  });

  it('reads 10,200 attempts, one of them of 50,000 steps, within 200 MB', async () => {
    await multiply(study, 17);
    await lengthen(join(study, attemptFolder({ family: 'alpha', task: 0, agent: 'mid', number: 1 })), 50_000);
    const out = folder.file('many');
    const { attempts, problems } = printed.parse(
      JSON.parse(await report(200, study, '--out', out, '--json')),
    );
    assert.deepEqual([attempts, problems], [10_200, []]);
  });
});

/** Writes all attempts again, at tasks with other names. */
async function multiply(study: string, times: number): Promise<void> {
  for (const attempt of madeUpAttempts()) {
    const from = join(study, attemptFolder(attempt));
    const files = (await readdir(from, { recursive: true })).filter((name) => /\.jsonl?$/.test(name));
    const texts = await Promise.all(files.map((name) => readFile(join(from, name), 'utf8')));
    const task = `${attempt.family}/t${attempt.task}`;
    for (let i = 1; i < times; i += 1) {
      const to = join(study, attemptFolder({ ...attempt, family: `${attempt.family}-${i}` }));
      for (const [j, name] of files.entries()) {
        await mkdir(dirname(join(to, name)), { recursive: true });
        await writeFile(join(to, name), texts[j]?.replaceAll(`"${task}"`, `"${task}-${i}"`) ?? '');
      }
    }
  }
}

/** Writes the first step of a record again and again. */
async function lengthen(attempt: string, steps: number): Promise<void> {
  const record = join(attempt, 'try-1');
  const [step] = (await readRecord(record)).steps;
  assert.ok(step);
  await appendFile(join(record, recordFiles.events), `${formatEvent(step)}\n`.repeat(steps));
}
