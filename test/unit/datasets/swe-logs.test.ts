import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chooseLogParser } from '../../../host/tasks/datasets/swe-bench/log-parsers.ts';
import { gradeLog, reportTests } from '../../../host/tasks/datasets/swe-bench/swe-bench-logs.ts';
import { gradeRecordedLogs } from '../../../host/tasks/index.ts';
import { sampleOf } from '../../support/datasets.ts';

/** By repository: lines as its runner prints them, and the statuses in them. */
const logs: readonly (readonly [repo: string, log: string, says: Record<string, string>])[] = [
  [
    'pallets/flask',
    'PASSED tests/a.py::b\nFAILED tests/a.py::c - assert 1 == 2\nSKIPPED [1] tests/a.py:3: no\nXFAIL tests/a.py::d\nPASSEDNESS x\n',
    { 'tests/a.py::b': 'PASSED', 'tests/a.py::c': 'FAILED', 'tests/a.py::d': 'XFAIL' },
  ],
  [
    'psf/requests',
    'PASSED t.py::a[/tmp/x/y]\nPASSED t.py::a[//z]',
    { 't.py::a[/y]': 'PASSED', 't.py::a[//z]': 'PASSED' },
  ],
  [
    'astropy/astropy',
    'PASSED t.py::a[x y]\nt.py::old FAILED\nFAILED t.py::c - b - d',
    {
      't.py::a[x y]': 'PASSED',
      't.py::old': 'FAILED',
      't.py::c': 'FAILED',
    },
  ],
  ['matplotlib/matplotlib', 'PASSED t.py::a[MouseButton.LEFT]', { 't.py::a[1]': 'PASSED' }],
  [
    'mwaskom/seaborn',
    'FAILED t.py::a - no\nt.py::b PASSED [ 3%]\nPASSED t.py::c',
    {
      't.py::a': 'FAILED',
      't.py::b': 'PASSED',
      't.py::c': 'PASSED',
    },
  ],
  [
    'django/django',
    "test_a (m.C) ... ok\ntest_b (m.C) ... skipped 'why'\ntest_c (m.C) ... FAIL\ntest_d (m.C) ... noise\nok\nERROR: test_e (m.C)\n",
    {
      'test_a (m.C)': 'PASSED',
      'test_b (m.C)': 'SKIPPED',
      'test_c (m.C)': 'FAILED',
      'test_d (m.C)': 'PASSED',
      test_e: 'ERROR',
    },
  ],
  [
    'sympy/sympy',
    'test_a ok\ntest_b F\ntest_c E\n____ sympy/x.py:test_d ____',
    {
      'sympy/x.py:test_d': 'FAILED',
      test_a: 'PASSED',
      test_b: 'FAILED',
      test_c: 'ERROR',
    },
  ],
  [
    'google/gson',
    '+ mvn -Dtest=A#b\n+ mvn -Dtest=C#d\n[INFO] BUILD SUCCESS\n[INFO] BUILD FAILURE\n',
    {
      'A#b': 'PASSED',
      'C#d': 'FAILED',
    },
  ],
  [
    'apache/lucene',
    'TestA > testB PASSED\nTestC > testD\nFAILED\n',
    { 'TestA > testB': 'PASSED', 'TestC > testD': 'FAILED' },
  ],
  ['projectlombok/lombok', '    [junit] [PASS] a b\n    [junit] [ERR] c', { 'a b': 'PASSED', c: 'FAILED' }],
  [
    'gin-gonic/gin',
    '    --- PASS: TestA/b (0.01s)\n--- SKIP: TestC (0.00s)',
    { 'TestA/b': 'PASSED', TestC: 'SKIPPED' },
  ],
  [
    'tokio-rs/tokio',
    'test a::b ... ok\ntest c ... FAILED\ntest d ... ignored',
    { 'a::b': 'PASSED', c: 'FAILED' },
  ],
  [
    'fmtlib/fmt',
    '1: [       OK ] a.b (0 ms)\n1: [  FAILED  ] c.d (1 ms)',
    { 'a.b': 'PASSED', 'c.d': 'FAILED' },
  ],
  [
    'redis/redis',
    '[ok]: a b (3 ms)\n[err]: c d in tests/x.tcl\n[skip]: e',
    { 'a b': 'PASSED', 'c d': 'FAILED', e: 'SKIPPED' },
  ],
  [
    'laravel/framework',
    'Some Suite (Tests\\Some)\n ✔ Does this\n ✘ Does that',
    {
      'Some Suite > Does this': 'PASSED',
      'Some Suite > Does that': 'FAILED',
    },
  ],
  [
    'babel/babel',
    '  ✓ adds (3 ms)\n  ✕ breaks\n  ○ skipped',
    { adds: 'PASSED', breaks: 'FAILED', skipped: 'SKIPPED' },
  ],
  ['vuejs/core', ' ✓ a > b 12ms\n × c > d', { 'a > b': 'PASSED', 'c > d': 'FAILED' }],
  ['axios/axios', 'ok 1 a b\nnot ok 2 c', { 'a b': 'PASSED', c: 'FAILED' }],
  [
    'prettier/prettier',
    'PASS tests/a.js (5.1s)\nFAIL tests/b.js',
    { 'tests/a.js': 'PASSED', 'tests/b.js': 'FAILED' },
  ],
  [
    'chartjs/Chart.js',
    'Chrome 98.0.4758 (Linux x86_64) Legend leaves the canvas FAILED\n\u001b[31mChrome 98.0 (Linux) b FAILED\u001b[39m',
    { 'Legend leaves the canvas ': 'FAILED', 'b ': 'FAILED' },
  ],
  ['markedjs/marked', '1) a b \n2) c', { 'a b': 'FAILED', c: 'FAILED' }],
  [
    'preactjs/preact',
    'Starting browser Chrome\n  a\n    b\n      ✔ c\n      ✖ d\n  e\n    ✔ f\nSUMMARY:\n✔ 2 tests',
    { 'a > b > c': 'PASSED', 'a > b > d': 'FAILED', 'a > f': 'PASSED' },
  ],
  ['rubocop/rubocop', 'a b - passed\nc - failed', { 'a b': 'PASSED', c: 'FAILED' }],
];

describe('logs of the SWE-bench family', () => {
  for (const [repo, log, says] of logs)
    it(`of ${repo} are read`, () => {
      const read = chooseLogParser({ repo, instance_id: 'x-1', FAIL_TO_PASS: [] })?.read;
      assert.ok(read);
      assert.deepEqual(Object.fromEntries(read(log)), says);
    });

  it("are read by the parser that the record names, before its repository's", () => {
    const record = { repo: 'jekyll/jekyll', instance_id: 'jekyll__jekyll-8047', FAIL_TO_PASS: [] };
    const read = (more: object, log: string) =>
      Object.fromEntries(chooseLogParser({ ...record, ...more })?.read(log) ?? []);
    assert.deepEqual(read({}, 'TestA#b. = 0.00 s = .'), { 'TestA#b': 'PASSED' });
    assert.deepEqual(read({ instance_id: 'jekyll__jekyll-8771' }, 'features/a.feature ....F'), {
      'features/a.feature': 'FAILED',
    });
    assert.equal(chooseLogParser({ ...record, instance_id: 'jekyll__jekyll-1' }), undefined);
    assert.deepEqual(read({ log_parser: 'parse_log_cargo' }, 'test a ... ok'), { a: 'PASSED' });
    assert.equal(chooseLogParser({ ...record, log_parser: 'parse_log_unheard_of' }), undefined);
    const immutable = { repo: 'immutable-js/immutable-js', log_parser: 'parse_log_immutable_js' };
    assert.deepEqual(read({ ...immutable, instance_id: 'i-2006' }, '  ✓ a'), { a: 'PASSED' });
    assert.deepEqual(read({ ...immutable, instance_id: 'i-2005' }, '[PASSED] a'), { a: 'PASSED' });
  });

  it('have only failures if the record says so', () => {
    const record = { repo: 'x/y', instance_id: 'x', FAIL_TO_PASS: [], log_parser: 'parse_log_tap' };
    assert.equal(chooseLogParser(record)?.failuresOnly, undefined);
    assert.equal(chooseLogParser({ ...record, eval_type: 'fail_only' })?.failuresOnly, true);
    const marked = { ...record, log_parser: 'parse_log_marked' };
    assert.equal(chooseLogParser(marked)?.failuresOnly, true);
    assert.equal(chooseLogParser({ ...marked, eval_type: 'pass_and_fail' })?.failuresOnly, undefined);
  });

  it("do not resolve a record if a failed test's name ends in a space", () => {
    const record = { repo: 'chartjs/Chart.js', instance_id: 'c-1', FAIL_TO_PASS: ['a b '], PASS_TO_PASS: [] };
    const log = (text: string) =>
      gradeLog(record as never, `>>>>> Start Test Output\n${text}\nTOTAL: 1 FAILED\n>>>>> End Test Output`);
    assert.equal(log('Chrome 98.0 (Linux) a b FAILED').resolved, false);
    assert.equal(log('Chrome 98.0 (Linux) other FAILED').resolved, true);
  });

  it("resolve by the owners' rule", () => {
    const record = { FAIL_TO_PASS: ['a', 'b'], PASS_TO_PASS: ['c', 'd[x'] };
    const all = { a: 'PASSED', b: 'XFAIL', c: 'SKIPPED', 'd[x y]': 'PASSED' } as const;
    const report = (changed: Record<string, unknown>) =>
      reportTests(record, new Map(Object.entries({ ...all, ...changed }))).resolved;
    assert.equal(report({}), true);
    assert.equal(report({ a: 'SKIPPED' }), false);
    assert.equal(report({ b: 'FAILED' }), false);
    assert.equal(report({ c: 'ERROR' }), false);
    assert.equal(report({ 'd[x z]': 'FAILED' }), false);
    assert.equal(reportTests(record, new Map()).resolved, false);
    assert.equal(reportTests(record, new Map([['c', 'FAILED']]), { failuresOnly: true }).resolved, false);
    assert.equal(reportTests(record, new Map(), { failuresOnly: true }).resolved, true);
  });

  it('count only if the tests ran to their end, and the exit code agrees', () => {
    const record = {
      repo: 'pallets/flask',
      instance_id: 'x',
      FAIL_TO_PASS: ['t.py::a'],
      PASS_TO_PASS: [],
    } as never;
    const between = (text: string) => `>>>>> Start Test Output\n${text}\n>>>>> End Test Output\n`;
    const passed = between('PASSED t.py::a');
    assert.equal(gradeLog(record, passed).resolved, true);
    assert.match(gradeLog(record, 'PASSED t.py::a').invalid ?? '', /not run to their end/);
    assert.match(gradeLog(record, `${passed}>>>>> Tests Timed Out`).invalid ?? '', /Timed Out/);
    assert.match(gradeLog(record, `${passed}>>>>> Test Exit Code: 1`).invalid ?? '', /exit code 1/);
    assert.match(gradeLog(record, between('nothing')).invalid ?? '', /no test/);
    assert.equal(gradeLog(record, undefined).unavailable, 'there is no log');
  });

  it("are graded in the owners' layout, and never as 0 without a log or parser", async () => {
    const folder = await mkdtemp(join(tmpdir(), 'pwp-logs-'));
    try {
      await mkdir(join(folder, 'pwp__ledger-1'));
      const names = ['test_spending', 'test_empty', 'test_sum'].map(
        (name) => `PASSED tests/test_book.py::${name}`,
      );
      const text = `>>>>> Start Test Output\n${names.join('\n')}\n>>>>> End Test Output\n`;
      await writeFile(join(folder, 'pwp__ledger-1', 'test_output.txt'), text);
      const reports = await gradeRecordedLogs('swe-bench', sampleOf('swe-bench'), folder);
      assert.deepEqual(
        reports.map(({ resolved, unavailable }) => unavailable ?? resolved),
        [true, ...Array<string>(5).fill('there is no log')],
      );
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
