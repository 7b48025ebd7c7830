import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { describeError } from '../../../bridge/lib/index.ts';
import {
  ensureOwnersPackage,
  type JudgedRecord,
  type JudgeOptions,
  judgeSweBenchLog,
  sweBenchPackage,
} from '../../../host/tasks/datasets/owners/index.ts';
import { scoreOwnersVerdict } from '../../../host/tasks/datasets/swe-bench/index.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/folder.ts';

const record: JudgedRecord = {
  instance_id: 'pwp__ledger-1',
  repo: 'pwp/ledger',
  version: '0.1',
  FAIL_TO_PASS: ['tests/test_book.py::test_spending'],
  // The owners' lists have names that are cut at their first space.
  PASS_TO_PASS: ['tests/test_book.py::test_sum', 'tests/test_book.py::test_words[one'],
  log_parser: 'parse_log_pytest',
  eval_type: 'pass_and_fail',
};

/** A log as pytest writes it with -rA, and as the record's script frames it. */
const logOf = (exitCode: number, ...lines: readonly string[]) => `+ cd /testbed
+ : '>>>>> Start Test Output'
+ pytest -rA tests/test_book.py
============================= test session starts ==============================
=========================== short test summary info ============================
${lines.join('\n')}
+ SWEBENCH_TEST_EXIT_CODE=${exitCode}
+ : '>>>>> End Test Output'
>>>>> Test Exit Code: ${exitCode}
`;
const sum = 'PASSED tests/test_book.py::test_sum';
const words = 'PASSED tests/test_book.py::test_words[one two]';
const spending = 'tests/test_book.py::test_spending';

/** Logs, and the score of each with a part of its reasons. */
const logs: Readonly<Record<string, readonly [log: string, reward: 0 | 1 | null, why: RegExp]>> = {
  'of passed tests': [logOf(0, `PASSED ${spending}`, sum, words), 1, /1 of 1.*2 of 2/],
  'of an expected failure and a skipped test': [
    logOf(0, `XFAIL ${spending} - later`, sum, 'SKIPPED tests/test_book.py::test_words[one two]'),
    1,
    /1 of 1.*2 of 2/,
  ],
  'of a test that still fails': [
    logOf(1, `FAILED ${spending} - assert 130 == 70`, sum, words),
    0,
    /0 of 1; not: tests\/test_book.py::test_spending FAILED/,
  ],
  'of a test that is skipped and must pass': [logOf(0, `SKIPPED ${spending}`, sum, words), 0, /SKIPPED/],
  'of a test that fails now': [
    logOf(1, `PASSED ${spending}`, 'FAILED tests/test_book.py::test_sum - assert 1 == 2', words),
    0,
    /1 of 2; not: tests\/test_book.py::test_sum FAILED/,
  ],
  'without one of the tests': [logOf(0, `PASSED ${spending}`, sum), 0, /test_words\[one missing/],
  'of passed tests, from a program that failed': [logOf(2, `PASSED ${spending}`, sum, words), 0, /trusted/],
  'that ends before the tests': ["+ : '>>>>> Start Test Output'\n", 0, /trusted/],
  'of a machine without memory': ['+ cd /testbed\nKilled\n', null, /out_of_memory/],
  'without a network': ['Could not resolve host: example.org\n', null, /network_unreachable/],
  'of a module that is missing': ["ModuleNotFoundError: No module named 'x'\n", 0, /missing_module/],
  'with bytes that are no text': [
    logOf(0, `PASSED ${spending}`, sum, words, '\0 \ud800 \ufffd \r'),
    1,
    /1 of 1/,
  ],
};

describe("SWE-bench's own grading", () => {
  let folder: TemporaryFolder;
  let options: JudgeOptions;
  before(async function () {
    this.timeout(600_000);
    folder = await temporaryFolder();
    options = { home: folder.path };
    try {
      await ensureOwnersPackage(sweBenchPackage, options);
    } catch (error) {
      console.log(`      needs Python 3.10 with venv, and PyPI: ${describeError(error).slice(0, 300)}`);
      this.skip();
    }
  });
  after(() => folder[Symbol.asyncDispose]());

  for (const [what, [log, reward, why]] of Object.entries(logs))
    it(`scores ${reward ?? 'nothing'} for a log ${what}`, async () => {
      const score = scoreOwnersVerdict(await judgeSweBenchLog(record, 'diff', log, options));
      assert.equal(score.reward, reward);
      assert.match([...score.checks.map((check) => check.why), score.why ?? ''].join(' '), why);
    });

  it('knows of failed tests alone if the record says so', async () => {
    const only = { ...record, eval_type: 'fail_only' };
    const verdict = await judgeSweBenchLog(only, 'diff', logOf(0, sum, '3 passing'), options);
    assert.equal(scoreOwnersVerdict(verdict).reward, 1);
  });

  it('names a parser or a type that it does not know', async () => {
    for (const [field, value] of [
      ['log_parser', 'parse_log_of_mine'],
      ['eval_type', 'by_feeling'],
    ] as const)
      await assert.rejects(judgeSweBenchLog({ ...record, [field]: value }, 'diff', '', options), {
        code: 'bad-data',
        message: `pwp__ledger-1: ${field}: swebench has no ${value}`,
      });
  });

  it('does not wait for a log that is made to take forever', async () => {
    const endless = { ...record, log_parser: 'parse_log_sympy' };
    const log = logOf(0, '_ '.repeat(2_000_000));
    const verdict = await judgeSweBenchLog(endless, 'diff', log, { ...options, judgeMs: 5000 });
    assert.match(scoreOwnersVerdict(verdict).why ?? '', /longer than 5 s/);
    const signal = AbortSignal.timeout(2000);
    await assert.rejects(judgeSweBenchLog(endless, 'diff', log, { ...options, signal }), {
      name: 'TimeoutError',
    });
  });

  it('says what to do if its files are damaged', async () => {
    const python = await ensureOwnersPackage(sweBenchPackage, options);
    const find = 'import swebench, os; print(os.path.dirname(swebench.__file__))';
    const { stdout } = await execa(python, ['-I', '-c', find]);
    await rm(join(stdout, 'harness/grading.py'));
    await assert.rejects(
      judgeSweBenchLog(record, 'diff', '', options),
      (error: Error & { help?: string }) => {
        assert.match(error.message, /^swebench can't be loaded: /);
        assert.equal(
          error.help,
          `Remove ${join(folder.path, 'owners/swebench-5.0.2')}: it is then installed again.`,
        );
        return true;
      },
    );
  });
});
