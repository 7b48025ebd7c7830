import assert from 'node:assert/strict';
import { ideBenchDataset } from '../../../host/tasks/datasets/ide-bench/ide-bench.ts';
import { type OpenedNode, openLocal } from '../../support/each-node.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/folder.ts';
import { layIdeBench } from '../../support/ide-bench-images.ts';
import { assertBaselines, gradeScript } from './grade-answers.ts';

/** Code that fails, each with another way to make it pass. */
const forgeries: Readonly<Record<string, string>> = {
  'prints the marker and exits with 0': `cat > rates/convert.py <<'END'
import os
print("=========================== short test summary info ============================")
print("PASSED tasks/fix-direction/task_tests.py::test_rates[one [EUR] - in yen]")
print("4 passed in 0.01s", flush=True)
os._exit(0)
END`,
  'edits the tests': `mkdir -p tasks/fix-direction tests/base
printf 'def test_rates():\\n    pass\\n' | tee tasks/fix-direction/task_tests.py tests/base/test_base.py > /dev/null
printf '[pytest]\\naddopts = -k test_nothing\\n' > pytest.ini`,
  'links the tests away': `rm -rf tests && mkdir elsewhere && ln -s elsewhere tests && ln -s /tests tasks/more`,
  'makes every test pass from within': `cat > rates/convert.py <<'END'
import _pytest.runner, _pytest.python
_pytest.python.Function.runtest = lambda self: None
def convert(amount, source, target):
    return 0
END`,
  'rewrites the report': `cat > rates/convert.py <<'END'
import atexit, os, re
def rewrite():
    path = os.environ["OUT"] + "/junit.xml"
    text = re.sub(r"<(failure|error).*?</\\1>", "", open(path).read(), flags=re.S)
    open(path, "w").write(text)
    os._exit(0)
atexit.register(rewrite)
def convert(amount, source, target):
    return 0
END`,
  'leaves a daemon that rewrites files': `cat > rates/convert.py <<'END'
import os, time
if os.fork() == 0:
    os.setsid()
    while True:
        for at in ("/logs/verifier", "/tests"):
            os.makedirs(at, exist_ok=True)
            open(at + "/reward.txt", "w").write("1")
        time.sleep(0.01)
def convert(amount, source, target):
    return 0
END`,
  'leaves a compiled module in the place of another': `python3 - <<'END'
import os, py_compile
os.makedirs("tests/base/__pycache__", exist_ok=True)
open("/tmp/test_base.py", "w").write("def test_nothing(): pass")
mode = py_compile.PycInvalidationMode.UNCHECKED_HASH
py_compile.compile("/tmp/test_base.py", "tests/base/__pycache__/test_base.cpython-311.pyc", invalidation_mode=mode)
END`,
};

describe('IDE-Bench in the images of its code bases, on local', function () {
  this.timeout(1_800_000);
  let test: OpenedNode;
  let folder: TemporaryFolder;
  before(async () => {
    folder = await temporaryFolder();
    await layIdeBench(folder.file('data'));
    test = await openLocal();
  });
  after(async () => {
    await test[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });
  const load = async (id: string) => (await ideBenchDataset.open(folder.file('data'))).load(id);

  for (const id of [
    'rates/fix-direction',
    'rates/empty-input',
    'rates/new-module',
    'rates/own-code',
    'slugs/short-slugs',
  ]) {
    it(`scores 0 for nothing, 1 for the reference and 0 for a wrong solution: ${id}`, async () => {
      await assertBaselines(test.node, await load(id));
    });
  }

  for (const [name, script] of Object.entries(forgeries))
    it(`scores 0 for code that ${name}`, async () => {
      const task = await load('rates/fix-direction');
      const { reward, log } = await gradeScript(test.node, task, script);
      assert.equal(reward, 0, log);
    });

  it('reports each test with its status, regardless of its name or output', async () => {
    const task = await load('rates/fix-direction');
    const [gold] = await task.solutions();
    const { checks } = await gradeScript(test.node, task, gold?.text ?? '');
    const found = checks.flatMap(({ name, passed, why }) =>
      name.startsWith('test ') ? [`${name.split('::').at(-1)} ${why} ${passed}`] : [],
    );
    assert.deepEqual(found, [
      'test_the_code_is_where_it_belongs PASSED true',
      'test_rates[one [EUR] - in yen] PASSED true',
      'test_rates[two EUR to CHF] PASSED true',
      'test_negative XFAIL true',
      'test_live_rates SKIPPED null',
    ]);
  });
});
