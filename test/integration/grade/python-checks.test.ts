import assert from 'node:assert/strict';
import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { packageFolder } from '../../../host/lib/index.ts';
import { temporaryFolder } from '../../support/folder.ts';

interface Check {
  readonly passed: boolean;
  readonly why: string;
}

const library = join(packageFolder(), 'host/tasks/grade/checks-python');

/** The result of the library's `check` for an expression about `left`, the agent's files. */
async function checked(root: string, expression: string): Promise<Check> {
  const code = `import json, sys
sys.path.insert(0, ${JSON.stringify(library)})
sys.dont_write_bytecode = True
from pwp_checks import *
left = Left(${JSON.stringify(root)})
print(json.dumps(check("it", lambda: ${expression})))`;
  const { stdout } = await execa('python3', ['-I', '-S', '-c', code]);
  return JSON.parse(stdout) as Check;
}

describe('checks of Python code', () => {
  async function ofFile(text: string, expression: string): Promise<Check> {
    await using folder = await temporaryFolder();
    await writeFile(folder.file('a.py'), text);
    return await checked(folder.path, expression);
  }

  async function refused(text: string, expression: string, why: RegExp): Promise<void> {
    const check = await ofFile(text, expression);
    assert.equal(check.passed, false, check.why);
    assert.match(check.why, why);
  }

  const same = (expected: string) => `same_tokens(left, "a.py", ${JSON.stringify(expected)})`;

  it('compare tokens: layout may differ, comments, strings and blocks may not', async () => {
    assert.ok((await ofFile('a = (1,\n     2)\n\n', same('a = (1, 2)\n'))).passed);
    await refused('a = 1\nb = a\n', same('a = 1\nb = c\n'), /line 2: expected c, found a/);
    await refused('a = 1  # one\n', same('a = 1  # two\n'), /# two/);
    await refused('a = 1\n', same('a = 1\nb = 2\n'), /expected 6 tokens, found 3/);
    await refused('if a:\n    b\nc\n', same('if a:\n    b\n    c\n'), /nested/);
  });

  it('report a file that is not Python, not text or not a plain file as a failure with a reason', async () => {
    await refused('def (:\n', same('a\n'), /a\.py is not Python/);
    await refused('\0', same('a\n'), /not Python/);
    await refused('a\n', 'left.read("none.py")', /No such file/);
    await using folder = await temporaryFolder();
    await symlink('/etc/passwd', folder.file('link.py'));
    await writeFile(folder.file('odd.py'), Uint8Array.of(0xff, 0xfe, 0x41));
    await writeFile(folder.file('large.py'), ' '.repeat(1_000_001));
    await execa('mkfifo', [folder.file('pipe.py')]);
    const why = async (path: string) => (await checked(folder.path, `left.read("${path}")`)).why;
    assert.match(await why('link.py'), /leads out/);
    assert.match(await why('../a.py'), /leads out/);
    assert.match(await why('odd.py'), /not UTF-8/);
    assert.match(await why('large.py'), /more than/);
    assert.match(await why('pipe.py'), /not an ordinary file/);
  });

  it('pass code that swallows no errors', async () => {
    const keeps = 'swallows_nothing(left.read("a.py"), "a.py")';
    assert.ok((await ofFile('import math\n\ndef f(x):\n    return math.sqrt(x)\n', keeps)).passed);
    await refused('try:\n    a\nexcept Exception:\n    pass\n', keeps, /^line 1 of a\.py swallows errors/);
    await refused('with contextlib.suppress(Exception):\n    a\n', keeps, /swallows errors/);
  });

  it('fail an answer that is nested too deep to check', async () => {
    const deep = '__import__("functools").reduce(lambda inner, _: [inner], range(100_000), 0)';
    const { passed, why } = await ofFile('', `same_answers([${deep}], [1], [0])`);
    assert.deepEqual([passed, /RecursionError/.test(why)], [false, true], why);
  });

  it('accept only numbers that are close to the expected one', async () => {
    const close = async (found: string, wanted: string) =>
      (await ofFile('', `same_answers([json.loads(${JSON.stringify(found)})], [${wanted}], [0])`)).passed;
    assert.ok(await close('2.0000000000001', '2'));
    assert.ok(await close('{"a": [1, 2.0]}', '{"a": [1, 2]}'));
    for (const found of [
      '1e999',
      '-1e999',
      'NaN',
      `1${'0'.repeat(400)}`,
      'true',
      '"2"',
      '[2]',
      'null',
      '2.001',
    ])
      assert.equal(await close(found, '2.5'), false, found);
    assert.equal(await close('1', 'True'), false);
    assert.equal(await close('1e999', '10.0**300'), false);
    assert.equal(await close('5.0', 'float("inf")'), false);
  });
});
