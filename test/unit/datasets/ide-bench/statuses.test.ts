import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';

const folders = ['host/tasks/grade/checks-python', 'host/tasks/datasets/ide-bench/grader'];

/** The value that the grader's Python prints as JSON. */
function python(expression: string, given: unknown): unknown {
  const code = `import json, sys
sys.path[:0] = ${JSON.stringify(folders)}
import names, statuses
given = json.load(sys.stdin)
def tried(text):
    try:
        return statuses.of_junit(text.encode())
    except Exception as error:
        return type(error).__name__
print(json.dumps(${expression}))`;
  const input = JSON.stringify(given);
  return JSON.parse(execFileSync('python3', ['-I', '-S', '-B', '-c', code], { input, encoding: 'utf8' }));
}

const statusesOf = (kind: string, text: string) => python(`[list(one) for one in statuses.${kind}]`, text);

describe('statuses of tests', () => {
  it('are read from JUnit XML, the worst one if a test is reported twice', () => {
    const text = `<?xml version="1.0"?><testsuites><testsuite>
      <testcase classname="t" name="test_a[x ] - y]" file="t.py"/>
      <testcase classname="t" name="test_b" file="t.py"><failure message="m">FAILED</failure></testcase>
      <testcase classname="t" name="test_c" file="t.py"><skipped type="pytest.xfail" message=""/></testcase>
      <testcase classname="t" name="test_d" file="t.py"><skipped type="pytest.skip" message=""/></testcase>
      <testcase classname="t" name="test_e" file="t.py"/>
      <testcase classname="t" name="test_e" file="t.py"><error message="at its end"/></testcase>
      </testsuite></testsuites>`;
    assert.deepEqual(statusesOf('of_junit(given.encode())', text), [
      ['t.py', 't', 'test_a[x ] - y]', 'PASSED'],
      ['t.py', 't', 'test_b', 'FAILED'],
      ['t.py', 't', 'test_c', 'XFAIL'],
      ['t.py', 't', 'test_d', 'SKIPPED'],
      ['t.py', 't', 'test_e', 'ERROR'],
    ]);
  });

  it('are read from several reports of Maven, one after the other', () => {
    const report = (name: string, inner: string) =>
      `<?xml version="1.0" encoding="UTF-8"?><testsuite><testcase classname="p.${name}" name="works">${inner}</testcase></testsuite>`;
    assert.deepEqual(statusesOf('of_junit(given.encode())', report('A', '') + report('B', '<skipped/>')), [
      ['', 'p.A', 'works', 'PASSED'],
      ['', 'p.B', 'works', 'SKIPPED'],
    ]);
  });

  it("are read from Jest's JSON, with a file that does not run as an error", () => {
    const report = {
      testResults: [
        {
          name: '/app/a.test.js',
          status: 'failed',
          assertionResults: [
            { ancestorTitles: ['outer', 'inner'], title: 'works (5 ms)', status: 'passed' },
            { ancestorTitles: [], title: 'fails', status: 'failed' },
            { ancestorTitles: [], title: 'later', status: 'todo' },
          ],
        },
        { name: '/app/b.test.js', status: 'failed', assertionResults: [] },
      ],
    };
    assert.deepEqual(statusesOf('of_jest(given)', JSON.stringify(report)), [
      ['/app/a.test.js', 'outer > inner', 'works (5 ms)', 'PASSED'],
      ['/app/a.test.js', '', 'fails', 'FAILED'],
      ['/app/a.test.js', '', 'later', 'SKIPPED'],
      ['/app/b.test.js', '', 'the file itself', 'ERROR'],
    ]);
  });

  it("are read only from pytest's last summary, regardless of what tests print before", () => {
    const text = `===== short test summary info =====
PASSED t.py::test_printed
---- Captured stdout ----
PASSED t.py::test_imitated
\u001b[36m=========================== short test summary info ============================\u001b[0m
\u001b[32mPASSED\u001b[0m t.py::Class::test_a[one [EUR] - in yen]
FAILED t.py::test_b[a::b - c] - AssertionError: assert [1] - 2
ERROR t.py - ImportError: no [x]
XFAIL t.py::test_c - not yet
XPASS t.py::test_d
SKIPPED [1] t.py:3: no network
=========== 1 failed, 2 passed in 0.01s ===========
PASSED t.py::test_after`;
    assert.deepEqual(statusesOf('of_text(given, "pytest")', text), [
      ['t.py', 'Class', 'test_a[one [EUR] - in yen]', 'PASSED'],
      ['t.py', '', 'test_b[a::b - c]', 'FAILED'],
      ['t.py', '', 'the file itself', 'ERROR'],
      ['t.py', '', 'test_c', 'XFAIL'],
      ['t.py', '', 'test_d', 'XPASS'],
    ]);
  });

  it("are read from Jest's text with the enclosing titles, and from Maven's by class", () => {
    const jest = `PASS lib/a.test.js (5.2 s)
  outer
    inner
      ✓ keeps (a) (12 ms)
    ✕ drops b
  ○ skipped c
Tests:       1 failed, 1 skipped, 1 passed, 3 total`;
    assert.deepEqual(statusesOf('of_text(given, "jest")', jest), [
      ['lib/a.test.js', 'outer > inner', 'keeps (a)', 'PASSED'],
      ['lib/a.test.js', 'outer', 'drops b', 'FAILED'],
      ['lib/a.test.js', '', 'c', 'SKIPPED'],
    ]);
    const maven = `[INFO] Tests run: 2, Failures: 1, Errors: 0, Skipped: 0, Time elapsed: 0.1 s <<< FAILURE! - in p.ATest
[ERROR] Tests run: 2, Failures: 1, Errors: 0, Skipped: 0`;
    assert.deepEqual(statusesOf('of_text(given, "maven")', maven), [
      ['', 'p.ATest', 'test FAILED 1', 'FAILED'],
      ['', 'p.ATest', 'test PASSED 1', 'PASSED'],
    ]);
  });

  it('are not read from a report that declares entities, is cut, or is empty', () => {
    const texts = ['<!DOCTYPE a [<!ENTITY b "c">]><testsuite/>', '<testsuite><testcase', '', 'no XML'];
    const found = python('[tried(text) for text in given]', texts);
    assert.deepEqual(found, ['ValueError', 'ValueError', 'ValueError', 'ValueError']);
  });
});

describe('the tests that a file must have run', () => {
  const namesOf = (text: string, runner: string) =>
    python(`sorted(names.expected(given, "${runner}"))`, text);

  it('are functions and methods of Python that pytest collects', () => {
    const text = `import pytest, unittest
@pytest.fixture
def test_data(): pass
def test_a(): pass
async def test_b(): pass
def helper(): pass
class TestC:
    def test_c(self): pass
class TestWithInit:
    def __init__(self): pass
    def test_no(self): pass
class Others(unittest.TestCase):
    def test_d(self): pass
class Unused:
    def test_no(self): pass
`;
    assert.deepEqual(namesOf(text, 'pytest'), ['test_a', 'test_b', 'test_c', 'test_d']);
  });

  it('are literal titles of Jest and methods of JUnit', () => {
    const js =
      "test('a (b)', () => {});\n  it(\"it's\", f);\ntest(`n ${x}`, f);\ntest.each([1])('each %i', f);\ntest('it\\'s', f)";
    assert.deepEqual(namesOf(js, 'jest'), ['a (b)', "it's"]);
    const java =
      '@Test\n void one() {}\n @Test(timeout = 5) public void two() throws E {}\n void helper() {}';
    assert.deepEqual(namesOf(java, 'maven'), ['one', 'two']);
  });

  it('can include a failing one, under a name that is new each time', () => {
    const made = python(
      '[names.with_failing(given, "pytest") for _ in range(2)]',
      'def test_a(): pass\n',
    ) as string[][];
    const [[one, text] = [], [other] = []] = made;
    assert.notEqual(one, other);
    assert.match(text ?? '', /^def test_a\(\): pass\n\n\n\ndef test_\w+\(\):\n {4}assert \d+ == \d+\n$/);
  });
});
