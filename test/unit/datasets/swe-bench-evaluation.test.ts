import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import {
  evalCommands,
  explainUngradable,
  judgeInImage,
  requireEvalRecord,
  scoreOwnersVerdict,
  sweRecordSchema,
} from '../../../host/tasks/datasets/swe-bench/index.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/folder.ts';

const script = `#!/bin/bash
set -uxo pipefail
cd /testbed
: '>>>>> Start Test Output'
pytest -rA tests/test_book.py
: '>>>>> End Test Output'
git checkout abc1234 tests/test_book.py
`;
const raw = {
  repo: 'pwp/ledger',
  instance_id: 'pwp__ledger-1',
  base_commit: 'abc1234',
  patch: 'diff',
  test_patch: 'diff',
  problem_statement: 'The balance ignores the sign.',
  FAIL_TO_PASS: '["tests/test_book.py::test_spending"]',
  PASS_TO_PASS: ['tests/test_book.py::test_sum'],
  version: 0.1,
  eval_script: script,
  eval_type: 'pass_and_fail',
  log_parser: 'parse_log_pytest',
  image: 'pwp/sweb.eval.x86_64.pwp_1776_ledger-1:latest',
};
const read = (changed: object = {}) => sweRecordSchema.parse({ ...raw, ...changed });
const missing = { ran: false, infraFailure: false, why: 'nothing was reported' } as const;
const unwell = { ran: false, infraFailure: true, why: 'out_of_memory' } as const;
const test = (name: string, status: string, holds: boolean | null) => ({ name, status, holds });
const resolved = {
  ran: true,
  resolved: true,
  tests: { FAIL_TO_PASS: [test('a', 'PASSED', true)], PASS_TO_PASS: [test('b', 'SKIPPED', true)] },
} as const;

describe('a record of SWE-bench', () => {
  it('of version 5 has what its tests need in its image, with lists as lists and as JSON', () => {
    const record = requireEvalRecord(read());
    assert.deepEqual(record.FAIL_TO_PASS, ['tests/test_book.py::test_spending']);
    assert.deepEqual(record.PASS_TO_PASS, ['tests/test_book.py::test_sum']);
    assert.equal(record.version, '0.1');
    assert.equal(record.eval_script, script);
  });

  for (const [what, changed, why] of [
    [
      'of SWE-bench 4',
      { eval_script: undefined, eval_type: null },
      /has no eval_script, eval_type: it is of/,
    ],
    ['without a parser', { log_parser: '' }, /has no log_parser/],
    ['without tests that must pass', { FAIL_TO_PASS: [] }, /no FAIL_TO_PASS tests/],
    [
      'whose tests need pictures that it only links to',
      { image_assets: JSON.stringify({ test_patch: [{ path: 'a.png' }, { path: 'b.png' }], patch: [] }) },
      /only links to: a\.png and 1 more/,
    ],
  ] as const)
    it(`${what} can't be graded in its image, and says why`, () => {
      assert.match(explainUngradable(read(changed)) ?? '', why);
      assert.throws(() => requireEvalRecord(read(changed)), {
        code: 'bad-data',
        message: /^pwp__ledger-1: /,
      });
    });

  it('whose problem alone has pictures can be graded there', () => {
    const assets = { problem_statement: ['https://example.org/a.png'], patch: [], test_patch: [] };
    const record = read({ image_assets: assets });
    assert.equal(explainUngradable(record), undefined);
    assert.deepEqual(record.image_assets?.pictures, ['https://example.org/a.png']);
  });
});

describe("a record's script", () => {
  it('is run with the exit code of the tests behind the marker of their end', () => {
    const [file] = evalCommands({ eval_script: script }, '').files;
    assert.equal(file?.kind === 'file' && file.path, 'eval.sh');
    const text = file?.kind === 'file' ? Buffer.from(file.content).toString() : '';
    assert.equal(
      text,
      script
        .replace(": '>>>>> End", "SWEBENCH_TEST_EXIT_CODE=$?\n: '>>>>> End")
        .replace('\ngit checkout', '\necho ">>>>> Test Exit Code: $SWEBENCH_TEST_EXIT_CODE"\ngit checkout'),
    );
  });

  it('is run as it is if it has no such marker', () => {
    const [file] = evalCommands({ eval_script: 'make check' }, '').files;
    const text = file?.kind === 'file' ? Buffer.from(file.content).toString() : '';
    assert.equal(text, '#!/bin/bash\nset -uxo pipefail\nmake check\n');
  });
});

describe("an agent's patch in a record's image", () => {
  let folder: TemporaryFolder;
  beforeEach(async () => {
    folder = await temporaryFolder();
    await mkdir(folder.file('testbed'));
    await git('init', '--quiet');
    await writeFile(folder.file('testbed/a.txt'), lines('one', 'two', 'three', 'four', 'five'));
    await git('add', '.');
    await git('-c', 'user.name=a', '-c', 'user.email=a@example.org', 'commit', '--quiet', '-m', 'Base');
  });
  afterEach(() => folder[Symbol.asyncDispose]());

  const lines = (...texts: readonly string[]) => texts.map((text) => `${text}\n`).join('');
  const git = (...args: readonly string[]) => execa('git', ['-C', folder.file('testbed'), ...args]);
  const content = () => readFile(folder.file('testbed/a.txt'), 'utf8');
  const patchOf = (before: string, after: string) =>
    `diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n one\n-${before}\n+${after}\n three\n`;

  /** The commands as they are, in a folder in place of the image's root. */
  async function apply(patch: string) {
    const { apply: argv, files } = evalCommands({ eval_script: script }, patch);
    assert.ok(argv);
    await mkdir(folder.file('tmp'), { recursive: true });
    for (const file of files)
      if (file.kind === 'file') await writeFile(join(folder.path, file.path), file.content);
    const [program = '', ...args] = argv.map((arg) =>
      arg
        .replaceAll('cd /testbed', `cd ${folder.file('testbed')}`)
        .replaceAll('=/tmp', `=${folder.file('tmp')}`),
    );
    return await execa(program, args, { reject: false });
  }

  it('is applied', async () => {
    assert.equal((await apply(patchOf('two', 'TWO'))).exitCode, 0);
    assert.equal(await content(), lines('one', 'TWO', 'three', 'four', 'five'));
  });

  it("is applied by patch if lines around it differ, after Git's attempts have left nothing", async () => {
    const { exitCode, stdout } = await apply(patchOf('two', 'TWO').replace(' three', ' 3'));
    assert.equal(exitCode, 0, stdout);
    assert.match(stdout, /with fuzz/);
    assert.equal(await content(), lines('one', 'TWO', 'three', 'four', 'five'));
  });

  it('counts as applied if all of it is there already', async () => {
    await writeFile(folder.file('testbed/a.txt'), lines('one', 'TWO', 'three', 'four', 'five'));
    await git('-c', 'user.name=a', '-c', 'user.email=a@example.org', 'commit', '--quiet', '-am', 'Same');
    assert.equal((await apply(patchOf('two', 'TWO'))).exitCode, 0);
  });

  it('is refused if it fits nowhere', async () => {
    const { exitCode, stdout } = await apply(patchOf('2', 'TWO'));
    assert.notEqual(exitCode, 0);
    assert.match(stdout, /patch does not apply/);
  });

  it('is not applied if it is empty', () => {
    const { apply: argv, files } = evalCommands({ eval_script: script }, ' \n');
    assert.equal(argv, null);
    assert.equal(files.length, 1);
  });
});

describe("a run in a record's image without a whole log", () => {
  const record = requireEvalRecord(read());
  const ended = { exitCode: 0, stdout: '', stderr: '', truncated: false, timedOut: false };
  const judge = (patch: string, ...results: readonly Partial<typeof ended>[]) => {
    const left = [...results];
    const exec = () => Promise.resolve({ ...ended, ...left.shift() });
    return judgeInImage(record, patch, { sandbox: { exec }, env: {} });
  };

  it('is a score of 0 if the patch does not fit or the tests do not end', async () => {
    const unfit = await judge('x', { exitCode: 1, stdout: 'error: corrupt patch' });
    assert.deepEqual(unfit.verdict, {
      ran: false,
      infraFailure: false,
      why: "the patch can't be applied: error: corrupt patch",
    });
    const late = await judge('x', {}, { timedOut: true });
    assert.match(late.verdict.ran ? '' : late.verdict.why, /took longer than 1800 s/);
    assert.equal(scoreOwnersVerdict(late.verdict).reward, 0);
  });

  it('is no score if the log is cut', async () => {
    const { verdict } = await judge('', { truncated: true });
    assert.equal(scoreOwnersVerdict(verdict).reward, null);
  });
});

describe("a verdict of SWE-bench's owners", () => {
  it('is 1 if they call the record resolved, with a check for each list and each test that had to be made pass', () => {
    assert.deepEqual(scoreOwnersVerdict(resolved), {
      reward: 1,
      checks: [
        { name: 'FAIL_TO_PASS', passed: true, why: '1 of 1' },
        { name: 'PASS_TO_PASS', passed: true, why: '1 of 1' },
        { name: 'a', passed: true, why: 'PASSED' },
      ],
    });
  });

  it('is 0 if not, and names the tests that failed', () => {
    const broken = [...Array(12).keys()].map((number) => test(`b${number}`, 'FAILED', false));
    const tests = { ...resolved.tests, PASS_TO_PASS: [...broken, test('c', 'FAILEDX', null)] };
    const { reward, checks } = scoreOwnersVerdict({ ran: true, resolved: false, tests });
    assert.equal(reward, 0);
    assert.equal(checks[0]?.passed, true);
    assert.match(checks[1]?.why ?? '', /^0 of 13; not: b0 FAILED, b1 FAILED.*b9 FAILED$/);
    assert.deepEqual(checks[3], { name: 'b0', passed: false, why: 'FAILED' });
    assert.deepEqual(checks.at(-1), { name: 'c', passed: null, why: 'FAILEDX' });
  });

  it('is 0 if no test was reported', () => {
    assert.deepEqual(scoreOwnersVerdict(missing), {
      reward: 0,
      checks: [{ name: 'tests', passed: false, why: 'nothing was reported' }],
    });
  });

  it("is no score if the log looks as if the machine were at fault, unless the owners' own patch is resolved", () => {
    assert.deepEqual(scoreOwnersVerdict(unwell), {
      reward: null,
      checks: [],
      why: "the tests can't be judged on this machine: tests: out_of_memory",
    });
    assert.equal(scoreOwnersVerdict(unwell, resolved).reward, 0);
  });

  it("is no score either if the owners' own patch is not resolved in the same image", () => {
    for (const gold of [unwell, missing])
      for (const verdict of [unwell, missing, { ...resolved, resolved: false }]) {
        const { reward, why } = scoreOwnersVerdict(verdict, gold);
        assert.equal(reward, null);
        assert.match(why ?? '', /^in this image, the owners' own patch is not resolved either: tests: /);
      }
    assert.equal(scoreOwnersVerdict(resolved, missing).reward, 1);
  });
});
