import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { failed, passed, report, type Check } from '../../../host/grade/checks/index.ts';
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

describe('a report', () => {
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

  it('of nothing is an error', async () => {
    await using folder = await tempFolder();
    await assert.rejects(report([], folder.path), /nothing was checked/);
  });
});
