import assert from 'node:assert/strict';
import { samePython } from '../../../host/tasks/grade/checks/file-checks.ts';
import { left } from './left.ts';

const expected = 'import os\n\n\ndef a(x):\n    return x + 1\n\n\ndef b():\n    return "b"\n';

async function check(text: string) {
  await using folder = await left({ 'workspace/a.py': text });
  return await samePython(folder.files, '/workspace/a.py', expected);
}

describe('a program in Python', () => {
  it('is the same with other comments and layout', async () => {
    const found = await check(`# new\n${expected.replace('x + 1', '(x+1)  # one more')}\n\n`);
    assert.deepEqual(found, { name: '/workspace/a.py', passed: true, why: 'means what is expected' });
  });

  const wrong: Record<string, [string, RegExp]> = {
    'a function differs': [expected.replace('x + 1', 'x + 2'), /^a differs from what is expected: a$/],
    'a function is missing': [
      expected.slice(0, expected.indexOf('def b')),
      /^the end of the file differs from what is expected: b$/,
    ],
    'there is more': [
      `${expected}\nprint(1)\n`,
      /^the code in line 11 differs from what is expected: the end of the file$/,
    ],
    'it is not Python': ['def a(:\n', /is not Python: .* in line 1/],
    'it has null bytes': ['a = "\0"', /is not Python|can't be read as Python/],
    'it is nested too deeply': [`a = ${'('.repeat(50_000)}1`, /is not Python|can't be read as Python/],
  };
  for (const [what, [text, why]] of Object.entries(wrong)) {
    it(`fails when ${what}`, async () => {
      const found = await check(text);
      assert.equal(found.passed, false);
      assert.match(found.why, why);
    });
  }

  it('fails when it does not exist', async () => {
    await using folder = await left({});
    assert.match((await samePython(folder.files, '/workspace/a.py', expected)).why, /does not exist/);
  });
});
