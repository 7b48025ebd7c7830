import assert from 'node:assert/strict';
import { join } from 'node:path';
import { graderSays, sampleOf } from '../../support/datasets.ts';

describe('the values that graders compare', () => {
  it('survive the round trip, and values that are not plain data equal nothing', async () => {
    const code = `
from values import packed, unpacked
class Sly(int):
    __eq__ = lambda self, other: True
    __hash__ = int.__hash__
both = lambda value: unpacked(json.loads(json.dumps(packed(value))))
plain = [None, True, 1, 2.5, "ä", b"x", 1j, [1, (2,)], {"a": {1}}, {1: frozenset([2])}, 10**5000]
show([all(type(both(one)) is type(one) and both(one) == one for one in plain),
      both(Sly(3)) == 4, both(object()) == both(object()), both({object()}) == {1}])`;
    assert.deepEqual(await graderSays('humaneval', code), [true, false, false, false]);
  });
});

describe("NumPy's numbers and booleans among them", () => {
  it('equal what they equal in Python, and are not the same object', async () => {
    // Classes like NumPy's stand in for it, which not every machine has.
    const code = `
import types
from values import packed, unpacked
class Scalar:
    def __init__(self, value): self.value = value
    def item(self): return self.value
class Flag(Scalar): pass
class Integer(Scalar): pass
class Floating(Scalar): pass
sys.modules["numpy"] = types.SimpleNamespace(bool_=Flag, integer=Integer, floating=Floating)
both = lambda value: unpacked(json.loads(json.dumps(packed(value))))
yes, no = both(Flag(True)), both(Flag(False))
show([bool(yes), yes == True, yes is True, not no, no == True, yes == both(Flag(True)), yes == "x",
      both(Integer(6)) == 6, both(Integer(6)) is 6, both([Integer(1)]) == [1], both(Integer(6)) == 7,
      both(Floating(0.5)) == 0.5, both(Scalar(6)) == 6, both(Integer(object())) == 6])`;
    const [t, f] = [true, false];
    const expected = [t, t, f, t, f, t, f, t, f, t, f, t, f, f];
    assert.deepEqual(await graderSays('humaneval', code), expected);
  });
});

describe('the report of a grader', () => {
  const scored = (checks: string) =>
    graderSays(
      'humaneval',
      `import contextlib, os, tempfile
from pwp_checks import check, fail, not_measured, report
away = not_measured("judge", "not here")
with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(sys.stderr):
    try:
        report(${checks}, folder)
        found = [open(f"{folder}/reward.txt").read(), json.load(open(f"{folder}/checks.json"))[-1]["passed"]]
    except ValueError as error:
        found = str(error)
show(found)`,
    );

  it('leaves values that could not be measured out of the score', async () => {
    assert.deepEqual(await scored('[check("a", lambda: "is 1"), away]'), ['1\n', null]);
    assert.deepEqual(await scored('[check("a", lambda: fail("is 2")), away]'), ['0\n', null]);
    assert.equal(await scored('[away]'), 'nothing was checked');
  });
});

describe('the grader of HumanEval', () => {
  const record = {
    prompt: 'def double(x):\n',
    canonical_solution: '    return 2 * x\n',
    entry_point: 'double',
    test: 'def check(candidate):\n    assert candidate(2) == 4\n    assert candidate(-1) == -2\n',
  };
  const passes = (answers: unknown) =>
    graderSays(
      'humaneval',
      `from calls import noted_calls, run_with
record = json.loads(${JSON.stringify(JSON.stringify(record))})
calls = noted_calls(record)
try:
    run_with(record, calls, json.loads(${JSON.stringify(JSON.stringify(answers))}))
    show([calls, "passes"])
except Exception as error:
    show([calls, type(error).__name__])`,
    );

  it('notes the calls of the test, and runs it with the answers', async () => {
    const calls = [2, -1].map((x) => [['tuple', x], ['dict']]);
    assert.deepEqual(await passes([{ value: 4 }, { value: -2 }]), [calls, 'passes']);
    assert.deepEqual(await passes([{ value: 4 }, { value: 2 }]), [calls, 'AssertionError']);
    assert.deepEqual(await passes([{ value: 4 }, { raised: 'KeyError' }]), [calls, 'KeyError']);
    assert.deepEqual(await passes([{ value: 4 }, { raised: 'SystemExit' }]), [calls, 'RuntimeError']);
  });
});

describe('the grader of CanItEdit', () => {
  it('takes the expected values out of the test', async () => {
    const test = 'assert f(1) == "secret"\nassert not g()\nassert 5 in h()\nassert a == b\nassert False\n';
    const code = `from split import split
text, questions = split(${JSON.stringify(test)}, {3})
show([text, [q.holds(v) for q, v in zip(questions, [["secret"], [0], [[4, 5]], [1, 1]])],
      [q.holds(v) for q, v in zip(questions, [["other"], [1], [[4]], [1, 2]])], questions[2].holds([None])])`;
    assert.deepEqual(await graderSays('canitedit', code), [
      '__saw__(0, (f(1),))\n__saw__(1, (g(),))\n__saw__(2, (h(),))\n__held__(3, a == b)\n__held__(4, False)',
      [true, true, true, true],
      [false, false, false, false],
      false,
    ]);
  });

  it('does not treat objects as different because nothing is known about them', async () => {
    const code = `from split import split
from values import unpacked
_, questions = split("assert a != b\\nassert a not in b\\nassert a\\nassert a is not None\\nassert a != 4\\n")
thing = ["other", "City"]
show([[q.holds([unpacked(v) for v in values]) for q in questions if len(q.parts) == len(values)]
      for values in ([thing, thing], [["list", thing], ["list", 1]], [1, ["dict", [2, thing]]], [thing], [1, 2], [1, ["list", 2]])])`;
    assert.deepEqual(await graderSays('canitedit', code), [
      [false, false],
      [false, false],
      [false, false],
      [false, false, false],
      [true, false],
      [true, true],
    ]);
  });

  it('requires every assertion, in a test that runs to its end', async () => {
    const code = `from judge import judged, lines_of
from split import split
_, questions = split("assert a == 1\\nassert b == 2\\n")
wanted = {("saw", 0), ("saw", 1), ("end", 0)}
see = lambda *lines: why(lambda: judged(questions, lines_of("\\n".join(json.dumps(one) for one in lines)), wanted))
one, two, end = ["saw", 0, [1]], ["saw", 1, [2]], ["end", 0, []]
show([see(one, two, end), see(one, two), see(one, end), see(one, ["saw", 1, [3]], end), see(one, ["saw", 9, [1]], end), see("OK"), see()])`;
    const [right, ...wrong] = (await graderSays('canitedit', code)) as string[];
    assert.equal(right, '2 assertions hold');
    const reasons = [
      /end; 2/,
      /1 assertions were never/,
      /2 fails: found \[3\]/,
      /10 fails/,
      /something else/,
      /end; 0/,
    ];
    assert.equal(wrong.length, reasons.length);
    wrong.forEach((why, index) => assert.match(why, reasons[index] ?? /^$/));
  });
});

describe("the runner of CanItEdit's programs and tests", () => {
  it('notes a value once that an assertion sees ten thousand times', async () => {
    const code = `import os, shutil, subprocess, sys, tempfile
import split, values
with tempfile.TemporaryDirectory() as folder:
    for path in (os.path.join(os.path.dirname(split.__file__), "run.py"), values.__file__):
        shutil.copy(path, folder)
    text = "class City: pass\\nfor i in range(10000):\\n    __saw__(0, (City(), i % 2))\\n    __held__(1, True)\\n"
    open(os.path.join(folder, "main.py"), "w").write(text)
    ran = subprocess.run([sys.executable, "-s", "-B", "run.py"], cwd=folder, capture_output=True, text=True, check=True)
    show([json.loads(line) for line in ran.stdout.splitlines()])`;
    assert.deepEqual(await graderSays('canitedit', code), [
      ['saw', 0, [['other', 'City'], 0]],
      ['held', 1, []],
      ['saw', 0, [['other', 'City'], 1]],
      ['end', 0, []],
    ]);
  });
});

describe('the grader of BIRD', () => {
  const library = join(sampleOf('bird'), 'dev_databases/library/library.sqlite');
  const rows = (query: string) =>
    graderSays(
      'bird',
      `from query import rows_of
try:
    show(sorted(map(repr, rows_of(${JSON.stringify(library)}, ${JSON.stringify(query)}))))
except Exception as error:
    show(str(error))`,
    );

  it('compares sets of rows', async () => {
    const code = `from accuracy import same_rows
same = lambda one, other: why(lambda: same_rows(set(one), set(other)))
show([same([(1, "a"), (2, "b")], [(2, "b"), (1, "a"), (1, "a")]), same([(1,)], [(1.0,)]), same([(1, 2)], [(2, 1)]), same([], [(None,)])])`;
    assert.deepEqual(await graderSays('bird', code), [
      'gives the 2 different rows expected',
      'gives the 1 different rows expected',
      'failed: expected 1 different rows, found 1, of which 0 are right',
      'failed: expected 1 different rows, found 0, of which 0 are right',
    ]);
  });

  it('lets a query only read', async () => {
    assert.deepEqual(await rows('SELECT title FROM books WHERE year < 2000'), ["('Cats',)", "('Ärger',)"]);
    for (const query of [
      'DELETE FROM books',
      "ATTACH '/etc/passwd' AS x",
      "SELECT load_extension('x')",
      'PRAGMA table_info(books)',
      'CREATE TABLE x(y)',
    ])
      assert.match(String(await rows(query)), /not authorized|prohibited/, query);
    assert.match(String(await rows('SELECT 1; SELECT 2')), /one statement at a time/);
  });
});
