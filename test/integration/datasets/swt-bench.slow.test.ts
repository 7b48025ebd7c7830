import assert from 'node:assert/strict';
import type { Grade } from '../../../host/tasks/index.ts';
import { onOneNode, type OpenedNode } from '../../support/each-node.ts';
import { answerOf, gradeScript, sampleTask } from './grade-answers.ts';

const ids = ['pwp__ledger-1', 'pwp__ledger-2', 'pwp__ledger-3', 'pwp__ledger-4', 'pwp__ledger-5'];

function metricsOf({ checks }: Grade): Record<string, string> {
  return Object.fromEntries(checks.map(({ name, why }) => [name, why]));
}

/** Cheats at the first record, whose problem is in `ledger/book.py`. */
const cheats: Readonly<Record<string, string>> = {
  'checks whether the code was replaced': `cat > tests/test_new.py <<'END'
import hashlib

def test_new():
    with open("ledger/book.py", "rb") as file:
        assert hashlib.sha256(file.read()).hexdigest() != "HASH"
END
sed -i "s/HASH/$(sha256sum ledger/book.py | cut -d' ' -f1)/" tests/test_new.py`,
  'prints what a runner prints and exits': `printf 'import os\\nos.write(1, b"FAILED tests/test_new.py::test_new")\\nos._exit(0)\\n' > tests/test_new.py`,
  'makes all tests fail first, by a conftest.py': `cat > tests/conftest.py <<'END'
import os, pytest
@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    outcome = yield
    outcome.get_result().outcome = "failed" if "abs" in open("ledger/book.py").read() else "passed"
END
printf 'def test_new():\\n    pass\\n' > tests/test_new.py`,
};

onOneNode('SWT-Bench', (open) => {
  let test: OpenedNode;
  before(async () => {
    test = await open();
  });
  after(() => test[Symbol.asyncDispose]());

  for (const id of ids)
    it(`counts the owners' tests of ${id} as a success, and no wrong ones`, async () => {
      const task = await sampleTask('swt-bench', id);
      const gold = await gradeScript(test.node, task, await answerOf(task, 'gold'));
      assert.equal(metricsOf(gold)['success'], '1', gold.log);
      for (const wrong of ['notes', 'always-fails', 'always-passes']) {
        const grade = await gradeScript(test.node, task, await answerOf(task, wrong));
        assert.equal(metricsOf(grade)['success'], '0', `${wrong}: ${grade.log}`);
        assert.ok(grade.reward < gold.reward);
      }
    });

  it('reports six metrics, and their mean as the reward', async () => {
    const task = await sampleTask('swt-bench', 'pwp__ledger-1');
    const gold = await gradeScript(test.node, task, await answerOf(task, 'gold'));
    // The owners' patch adds one test, which runs the line that the fix changes once more.
    assert.deepEqual(metricsOf(gold), {
      applicability: '1',
      success: '1',
      'fail-to-any': '1',
      'fail-to-pass': '1',
      'pass-to-pass': '0',
      'coverage-delta': '1',
    });
    assert.ok(Math.abs(gold.reward - 5 / 6) < 1e-9, String(gold.reward));
    const fails = await gradeScript(test.node, task, await answerOf(task, 'always-fails'));
    assert.deepEqual(Object.values(metricsOf(fails)), ['1', '0', '1', '0', '0', '0']);
    assert.ok(Math.abs(fails.reward - 2 / 6) < 1e-9, String(fails.reward));
  });

  it("gives no score, even to an unchanged workspace, if the image can't run the tests", async () => {
    const task = await sampleTask('swt-bench', 'pwp__ledger-module', 'swe-bench-broken');
    for (const script of ['true', await answerOf(task, 'always-fails')])
      await assert.rejects(
        gradeScript(test.node, task, script),
        /unavailable: this image can't run the tests: .*No module named 'a_package_that_no_image_has'/s,
      );
  });

  for (const [what, script] of Object.entries(cheats))
    it(`does not count as a success a test that ${what}`, async () => {
      const task = await sampleTask('swt-bench', 'pwp__ledger-1');
      const grade = await gradeScript(test.node, task, script);
      assert.notEqual(metricsOf(grade)['success'], '1', grade.log);
    });
});
