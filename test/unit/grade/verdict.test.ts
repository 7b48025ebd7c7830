import assert from 'node:assert/strict';
import { readVerdict } from '../../../host/tasks/grade/verdict.ts';

/** Reads from a table of files like from a sandbox. */
function verdict(files: Readonly<Record<string, string>>) {
  const readFile = (path: string) => {
    const text = files[path.replace('/logs/verifier/', '')];
    return Promise.resolve(text === undefined ? null : Buffer.from(text));
  };
  return readVerdict({ readFile }, 'the log');
}

const fails = (files: Readonly<Record<string, string>>, message: RegExp) =>
  assert.rejects(verdict(files), { code: 'grading-failed', message });

describe('the verdict of a test', () => {
  it('is the number in reward.txt', async () => {
    for (const [text, reward] of [
      ['1\n', 1],
      ['0', 0],
      [' 0.25 ', 0.25],
      ['.5', 0.5],
      ['1.0', 1],
    ] as const) {
      assert.deepEqual(await verdict({ 'reward.txt': text }), { reward, checks: [] });
    }
  });

  it('is the reward in reward.json', async () => {
    assert.equal((await verdict({ 'reward.json': '{"reward": 0.5, "speed": 3}' })).reward, 0.5);
    assert.equal((await verdict({ 'reward.json': '{"accuracy": 1}' })).reward, 1);
  });

  it('is a number in any form that programs print', async () => {
    for (const [text, reward] of [
      ['1e-05', 0.00001],
      ['1.', 1],
      ['.5', 0.5],
      ['+1', 1],
      ['1E0', 1],
    ] as const)
      assert.equal((await verdict({ 'reward.txt': text })).reward, reward);
  });

  it('comes with its checks', async () => {
    const checks = [true, false, null].map((passed) => ({ name: 'a', passed, why: 'b' }));
    assert.deepEqual(
      (await verdict({ 'reward.txt': '1', 'checks.json': JSON.stringify(checks) })).checks,
      checks,
    );
  });

  it('is never a pass without a reward', async () => {
    await fails({}, /ended without a reward in \/logs\/verifier\nthe log/);
  });

  it('is never a pass when it is invalid', async () => {
    for (const text of [
      '',
      '\n',
      'yes',
      '2',
      '-1',
      '1 1',
      '0x1',
      '1e',
      '.',
      'NaN',
      'Infinity',
      'true',
      '1,0',
    ]) {
      await fails({ 'reward.txt': text }, /reward\.txt: expected a number from 0 to 1/);
    }
    for (const text of ['', '{}', '[1]', '1', '{"reward": "1"}', '{"reward": 2}', '{"a": 1, "b": 1}']) {
      await fails({ 'reward.json': text }, /reward\.json: expected an object/);
    }
    await fails({ 'reward.txt': 'rubbish', 'reward.json': '{"reward": 1}' }, /reward\.txt/);
    for (const text of ['', '{}', '[{"name": "a"}]', '[{"name": "a", "passed": "no", "why": ""}]']) {
      await fails({ 'reward.txt': '1', 'checks.json': text }, /checks\.json: expected a list/);
    }
  });
});
