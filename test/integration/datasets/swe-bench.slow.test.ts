import assert from 'node:assert/strict';
import { onOneNode, type OpenedNode } from '../../support/each-node.ts';
import { answerOf, gradeScript, sampleTask } from './grade-answers.ts';

const ids = [1, 2, 3, 4, 5].map((number) => `pwp__ledger-${number}`);
const name = 'swe-bench';

/** Left beside or in the first record's `ledger/book.py`. None solves the problem. */
const cheats: Readonly<Record<string, string>> = {
  'prints what a runner prints and exits': `cat >> ledger/book.py <<'END'
import os
os.write(1, b"PASSED tests/test_book.py::test_spending\\n3 passed\\n")
os._exit(0)
END`,
  'makes the test runner report passes, by a new conftest.py': `cat > tests/conftest.py <<'END'
import pytest
@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    outcome = yield
    outcome.get_result().outcome = "passed"
END`,
  "patches pytest's reports from the code itself": `cat >> ledger/book.py <<'END'
import _pytest.reports
made = _pytest.reports.TestReport.from_item_and_call.__func__
def passed(kind, item, call):
    report = made(kind, item, call)
    report.outcome = "passed"
    return report
_pytest.reports.TestReport.from_item_and_call = classmethod(passed)
END`,
  'takes the place of a module of Python and of pytest': `mkdir -p .pwp-run
for module in json pytest sitecustomize base64; do
  echo 'import os; os.write(1, b"1"); os._exit(0)' > $module.py; cp $module.py .pwp-run/$module.py
done`,
  'empties the tests': `echo > tests/test_book.py; echo '[tool:pytest]
addopts = --collect-only' > setup.cfg`,
  'looks for the tests and leaves a daemon': `cat >> ledger/book.py <<'END'
import os, time
if os.path.exists("/tests") or os.path.exists("/logs/verifier"):
    Book.balance = lambda self: 70
if os.fork() == 0:
    os.setsid()
    while True:
        time.sleep(1)
END`,
  'leads the tests through a link to where scores are written': `rm -rf tests; ln -s /logs/verifier tests`,
};

onOneNode('SWE-bench', (open) => {
  let test: OpenedNode;
  before(async () => {
    test = await open();
  });
  after(() => test[Symbol.asyncDispose]());

  for (const id of ids) {
    it(`resolves ${id} with its owners' patch`, async () => {
      const task = await sampleTask(name, id);
      const { reward, log } = await gradeScript(test.node, task, await answerOf(task, 'gold'));
      assert.equal(reward, 1, log);
    });

    it(`does not resolve ${id} if nothing or something else was changed`, async () => {
      const task = await sampleTask(name, id);
      const untouched = await gradeScript(test.node, task, 'true');
      assert.equal(untouched.reward, 0, untouched.log);
      assert.deepEqual(
        untouched.checks.map(({ why }) => why),
        ['nothing was changed'],
      );
      for (const wrong of ['notes', 'all-pass']) {
        const { reward, log } = await gradeScript(test.node, task, await answerOf(task, wrong));
        assert.equal(reward, 0, `${wrong}: ${log}`);
      }
    });
  }

  for (const [what, script] of Object.entries(cheats))
    it(`does not resolve code that ${what}`, async () => {
      const task = await sampleTask(name, 'pwp__ledger-1');
      const { reward, log } = await gradeScript(test.node, task, script);
      assert.equal(reward, 0, log);
    });

  it('gives no score if the tests need another runner', async () => {
    const task = await sampleTask(name, 'pwp__abacus-6');
    await assert.rejects(
      gradeScript(test.node, task, 'echo > src/More.java'),
      /unavailable: the tests of pwp\/abacus/,
    );
  });

  const broken: Readonly<Record<string, RegExp>> = {
    'pwp__ledger-broken': /not: tests.test_book.py::test_that_needs_another_image missing/,
    'pwp__ledger-module':
      /tests.test_more.py: ModuleNotFoundError: No module named 'a_package_that_no_image_has'/,
    'pwp__ledger-conftest': /no test could be run: .*No module named 'a_package_that_no_image_has'/,
  };
  for (const [id, reason] of Object.entries(broken))
    it(`gives no score if the image can't run even the right solution, and says why: ${id}`, async () => {
      const task = await sampleTask(name, id, 'swe-bench-broken');
      for (const script of ['true', 'echo > more.txt', await answerOf(task, 'gold')])
        await assert.rejects(gradeScript(test.node, task, script), (error: Error) => {
          assert.match(error.message, /unavailable: this image can't run/);
          assert.match(error.message, reason);
          return true;
        });
    });
});
