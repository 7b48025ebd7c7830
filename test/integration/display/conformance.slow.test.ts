import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describeError } from '../../../bridge/lib/index.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/folder.ts';
import { startXvfb } from '../../support/xvfb.ts';

const run = promisify(execFile);
const suite = ['cua-auto-harness==0.5.0', 'python-xlib==0.33'];
const adapter = new URL('../../support/conformance/vocabularies.py', import.meta.url).pathname;
const player = new URL('../../programs/conformance-player.ts', import.meta.url).pathname;

interface Report {
  readonly entries: readonly { readonly entry_id: string; readonly final: string }[];
  readonly not_measurable: readonly unknown[];
}

/** Caps Lock is for keys here: a typed text has its own capitals, even if an earlier action left the lock on. */
const departures = ['caps_lock_roundtrip'];
/** How many of the suite's 100 inputs each vocabulary lacks a word for: right and middle drags, other held buttons. */
const wordless: Readonly<Record<string, number>> = { xdotool: 0, anthropic: 5, openai: 4, gemini: 5 };

/** A suite from PyPI that reads the events that the X server delivered, and an application's view of them. */
describe('the conformance suite cua-auto-harness', () => {
  let folder: TemporaryFolder;
  before(async function () {
    this.timeout(600_000);
    folder = await temporaryFolder();
    try {
      await run('python3', ['-c', 'import tkinter']);
      await run('python3', ['-m', 'venv', folder.file('venv')]);
      await run(folder.file('venv/bin/pip'), ['install', '--quiet', ...suite], { timeout: 300_000 });
    } catch (error) {
      console.log(
        `      needs python3 with tkinter and venv, and PyPI: ${describeError(error).slice(0, 200)}`,
      );
      this.skip();
    }
  });
  after(() => folder[Symbol.asyncDispose]());

  for (const [words, without] of Object.entries(wordless))
    it(`passes in the words of ${words}, except ${without} inputs that it has no word for`, async function () {
      this.timeout(1_800_000);
      await using x = await startXvfb();
      const out = folder.file(words);
      const options = ['--adapter', `${adapter}:pwp`, '--no-tui', '--reps', '1', '--out', out];
      const env = {
        ...process.env,
        ...{ DISPLAY: x.name, PWP_VOCABULARY: words },
        PWP_PLAYER: `${process.execPath} ${player} ${x.socket}`,
      };
      const program = folder.file('venv/bin/autoharness');
      const said = await run(program, ['test', ...options], { env, timeout: 1_500_000 }).then(
        ({ stdout }) => stdout,
        (error: unknown) => describeError(error),
      );
      const report = JSON.parse(await readFile(join(out, 'report.json'), 'utf8')) as Report;
      const { entries, not_measurable: wordlessEntries } = report;
      const others = entries.filter(({ final }) => final !== 'pass').map(({ entry_id: id }) => id);
      assert.deepEqual(others, departures, said.slice(-4000));
      assert.equal(wordlessEntries.length, without);
      assert.equal(entries.length + without, 100);
    });
});
