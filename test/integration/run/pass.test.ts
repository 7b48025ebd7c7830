import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { packageFolder } from '../../../host/lib/index.ts';
import { runPass } from '../../run/pass.ts';
import type { Summary } from '../../run/summary.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { never } from '../../support/node-sandbox.ts';
import { slowIt } from '../../support/slow.ts';

/** Runs a pass of these files, by name without extension. */
async function passOf(jobs: number, texts: Readonly<Record<string, string>>): Promise<Summary> {
  await using folder = await temporaryFolder();
  const files: string[] = [];
  for (const [name, text] of Object.entries(texts)) {
    files.push(folder.file(`${name}.test.mjs`));
    await writeFile(folder.file(`${name}.test.mjs`), text);
  }
  const pass = { title: 'a trial', jobs, files };
  const options = { project: packageFolder(), folder: folder.path, options: [], output: 'ignore' } as const;
  return await runPass(pass, { ...options, signal: never });
}

describe('a pass of mocha', function () {
  this.timeout(120_000);
  for (const jobs of [1, 2]) {
    const how = jobs > 1 ? 'side by side' : 'one after the other';

    it(`counts what passed and failed, hooks as well, ${how}`, async () => {
      const summary = await passOf(jobs, {
        good: "describe('good', () => { it('one', () => {}); it('two', () => {}); it.skip('three', () => {}); });",
        bad: "describe('bad', () => { it('fails', () => { throw new Error('no'); }); });",
        hook: "describe('hook', () => { before(() => { throw new Error('no'); }); it('never', () => {}); });",
      });
      const { passed, failed, pending, failures, files } = summary;
      assert.deepEqual([passed, failed, pending], [2, 2, 1]);
      assert.match(failures.join('\n'), /bad\.test\.mjs: bad › fails/);
      assert.match(failures.join('\n'), /hook\.test\.mjs: hook › "before all" hook/);
      assert.equal(Object.keys(files).length, 3);
    });
  }

  slowIt("fails if a file can't be read", async () => {
    const { failed, failures } = await passOf(2, { broken: 'this is no program' });
    assert.ok(failed > 0, failures.join());
  });

  it('fails if mocha ends before its tests', async () => {
    const { failed, failures } = await passOf(1, { exits: "it('ends all', () => process.exit(0));" });
    assert.equal(failed, 1);
    assert.match(failures.join(), /mocha ended by itself/);
  });
});
