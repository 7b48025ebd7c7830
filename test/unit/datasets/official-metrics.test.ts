import assert from 'node:assert/strict';
import { readPatchLines } from '../../../host/tasks/datasets/swt-bench/swt-bench.ts';
import { graderSays } from '../../support/datasets.ts';

describe('official metrics, against values calculated by hand', () => {
  it("of DSBench's competitions", async () => {
    const found = await graderSays(
      'dsbench',
      `from metrics import METRICS, score
of = lambda name, actual, predicted: round(METRICS[name](actual, predicted), 6)
show([
  of("accuracy", ["1", "0", "True"], ["1.0", "1", "True"]),
  of("roc-auc", ["1", "0", "1", "0"], ["0.9", "0.8", "0.8", "0.1"]),
  of("rmse", ["1", "2"], ["1", "4"]),
  of("mae", ["1", "2"], ["1", "4"]),
  of("median-ae", ["1", "2", "3"], ["1", "4", "13"]),
  of("rmsle", ["0", "0"], ["1.718281828459045", "0"]),
  of("smape", ["1", "1"], ["3", "1"]),
  of("r2", ["1", "2", "3"], ["1", "2", "4"]),
  of("f1", ["1", "1", "0"], ["1", "0", "1"]),
  of("f1-macro", ["1", "1", "0"], ["1", "1", "1"]),
  of("quadratic-kappa", ["1", "2", "3"], ["1", "2", "3"]),
  of("quadratic-kappa", ["1", "2"], ["2", "1"]),
  of("normalized-gini", ["1", "0", "1"], ["0.1", "0.9", "0.2"]),
  score(0.75, 0.5, 1.0), score(0.4, 0.5, 1.0), score(0.1, 0.5, 0.0), score(float("nan"), 0, 1), score(2, 0, 1),
])`,
    );
    // prettier-ignore
    assert.deepEqual(found, [
      0.666667, 0.875, 1.414214, 1, 2, 0.707107, 50, 0.5, 0.5, 0.4, 1, -1, -1,
      0.5, 0, 0.8, 0, 1,
    ]);
  });

  it("of DSBench's answers: normalised exact match", async () => {
    const pairs: readonly (readonly [unknown, unknown, boolean])[] = [
      ['d', 'D', true],
      ['(D) 128 loaves', 'D', true],
      ['Option D', 'D', true],
      ['Dog', 'D', false],
      ['A, B, C, D', 'D', false],
      ['1,661,626', 1661626, true],
      [1661626.0, 1661626, true],
      ['$5,753,961', '$5753961', true],
      ['5753960', '$5753961', false],
      ['9.424 %', '9.424%', true],
      ['9.424', '9.424%', false],
      ['18217k', '18217 k', true],
      ['18217 thousand', '18217 k', true],
      ['31 dec 2029', '31 Dec 2029', true],
      [{ Q: '1', 'Longest ': 'bread' }, { Q: 1, Longest: 'BREAD' }, true],
      [{ Q: 1 }, { Q: 1, Longest: 'BREAD' }, false],
      [true, 1, false],
      [['D'], 'D', false],
      ['', 'D', false],
    ];
    const given = JSON.stringify(JSON.stringify(pairs));
    const found = await graderSays(
      'dsbench',
      `from answers import same\nshow([same(found, expected) for found, expected, _ in json.loads(${given})])`,
    );
    assert.deepEqual(
      found,
      pairs.map(([, , isSame]) => isSame),
    );
  });

  it('of SWT-Bench: kinds of tests, success and coverage delta', async () => {
    const found = await graderSays(
      'swt-bench',
      `from metrics import *
base = transitions({"old": "PASSED", "gone": "PASSED"}, {"old": "PASSED"})
good = transitions({"old": "PASSED", "gone": "PASSED", "new": "FAILED"}, {"old": "PASSED", "new": "PASSED", "later": "PASSED"})
bad = transitions({"old": "PASSED", "new": "FAILED", "error": "ERROR"}, {"old": "FAILED", "new": "PASSED"})
fails = transitions({"old": "PASSED", "new": "FAILED"}, {"old": "PASSED", "new": "FAILED"})
none = transitions({}, {})
runs = {"left": [{"a": {1: 2}}, {"a": {1: 2, 2: 1}}], "gold": [{"a": {1: 1, 3: 1}}, {"a": {2: 1, 4: 1}}], "base": [{"a": {1: 1}}, {}]}
show([
  {kind: sorted(names) for kind, names in bad.items()},
  [success(one, base) for one in (good, bad, fails, base)],
  [applicable(one, base) for one in (good, none)],
  [[metric(one, base) for metric in (fails_before, fail_to_pass, pass_to_pass)] for one in (good, fails)],
  coverage_delta([("a", 1), ("a", 3), ("a", 9)], [("a", 2), ("a", 4)], runs),
  coverage_delta([("a", 9)], [], runs),
])`,
    );
    assert.deepEqual(found, [
      { F2P: ['new'], P2P: [], F2F: [], P2F: ['old'], unmatched: ['error'] },
      [true, false, false, false],
      [true, false],
      [
        [true, true, false],
        [true, false, false],
      ],
      // Of four lines that the owners' or the old tests run, the first and the third run more often.
      0.5,
      null,
    ]);
  });

  it('of SWT-Bench: the lines that a patch removes and adds', () => {
    const patch = `diff --git a/x.py b/x.py
--- a/x.py
+++ b/x.py
@@ -3,3 +3,3 @@ def f():
 same
--- old
+++ new
 same
\\ No newline at end of file
diff --git a/y.py b/y.py
new file mode 100644
--- /dev/null
+++ b/y.py
@@ -0,0 +1,2 @@
+one
+two
`;
    assert.deepEqual(readPatchLines(patch), {
      removed: [['x.py', 4]],
      added: [
        ['x.py', 4],
        ['y.py', 1],
        ['y.py', 2],
      ],
    });
  });

  it("of miniCTX: texts that can't be a proof", async () => {
    const texts: readonly (readonly [string, string])[] = [
      ['import A\n\ntheorem t : 1 = 1 := by\n  rfl\n', 'a proof'],
      ['import A\ntheorem t : 1 = 1 :=\n  rfl -- no sorry', 'a proof'],
      ['import A\n\ntheorem t : 1 = 1 := by\n  sorry\n', 'the proof has `sorry`'],
      ['import A\n\ntheorem t : 1 = 1 := by\n  admit', 'the proof has `admit`'],
      ['import A\n\ntheorem t : 1 = 1 := by\n  native_decide', 'the proof has `native_decide`'],
      ['import A\n\ntheorem t : 1 = 1 := rfl\naxiom a : False', 'the proof has `axiom`'],
      [
        'import A\n\ntheorem t : 1 = 1 := rfl\ntheorem u : 2 = 2 := rfl',
        'the proof is followed by more: theorem u : 2 = 2 := rfl',
      ],
      [
        'import A\naxiom a : False\ntheorem t : 1 = 1 := rfl',
        'what precedes the proof, or the statement itself, was changed',
      ],
      [
        'import A\ntheorem t : True := trivial',
        'what precedes the proof, or the statement itself, was changed',
      ],
      ['import A\ntheorem t : 1 = 1 := by /- nothing /- at -/ all -/', 'the proof is empty'],
      ['import A\ntheorem t : 1 = 1', 'the statement is not followed by a proof'],
    ];
    const given = JSON.stringify(JSON.stringify(texts.map(([text]) => text)));
    const found = await graderSays(
      'minictx',
      `from proof import NoProof, proof_of
def verdict(text):
    try:
        proof_of(text, "import A\\n\\n", "theorem t : 1 = 1 ")
        return "a proof"
    except NoProof as error:
        return str(error)
show([verdict(text) for text in json.loads(${given})])`,
    );
    assert.deepEqual(
      found,
      texts.map(([, verdict]) => verdict),
    );
  });
});
