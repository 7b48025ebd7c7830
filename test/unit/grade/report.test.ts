import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Check,
  failed,
  notMeasured,
  passed,
  report,
} from '../../../host/tasks/grade/checks/check-result.ts';
import { tempFolder } from '../tasks/folder.ts';

async function reportOf(checks: readonly Check[]) {
  await using folder = await tempFolder();
  const lines: string[] = [];
  await report(checks, folder.path, (line) => lines.push(line));
  const read = (name: string) => readFile(join(folder.path, name), 'utf8');
  return {
    lines,
    reward: await read('reward.txt'),
    checks: JSON.parse(await read('checks.json')) as unknown,
  };
}

describe('a grading report', () => {
  it('scores 1 when every check passed and 0 when one failed', async () => {
    assert.equal((await reportOf([passed('a', 'is 1')])).reward, '1\n');
    const mixed = await reportOf([passed('a', 'is 1'), failed('b', 'is 2')]);
    assert.equal(mixed.reward, '0\n');
    assert.deepEqual(mixed.lines, ['pass a: is 1', 'FAIL b: is 2']);
    assert.deepEqual(mixed.checks, [
      { name: 'a', passed: true, why: 'is 1' },
      { name: 'b', passed: false, why: 'is 2' },
    ]);
  });

  it('leaves values that could not be measured out of the score, and says so', async () => {
    const away = notMeasured('b', 'there is no judge');
    const scored = await reportOf([passed('a', 'is 1'), away]);
    assert.equal(scored.reward, '1\n');
    assert.deepEqual(scored.lines, ['pass a: is 1', 'not measured b: there is no judge']);
    assert.deepEqual((scored.checks as Check[])[1], { name: 'b', passed: null, why: 'there is no judge' });
    assert.equal((await reportOf([failed('a', 'is 2'), away])).reward, '0\n');
  });

  for (const [what, checks] of [
    ['nothing', []],
    ['what could not be measured', [notMeasured('a', 'there is no judge')]],
  ] as const)
    it(`of ${what} is an error`, async () => {
      await using folder = await tempFolder();
      await assert.rejects(report(checks, folder.path), /nothing was checked/);
    });
});
