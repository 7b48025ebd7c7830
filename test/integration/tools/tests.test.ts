import assert from 'node:assert/strict';
import { ide as ideMethods, runTools } from '../../../bridge/protocol/index.ts';
import { onOneNode } from '../../support/each-node.ts';
import { slowIt } from '../../support/slow.ts';
import { ToolIde } from '../../support/tool-ide.ts';

const { listTests, runTests, listTasks, runTask, stopTask, runPython, readTerminal } = runTools;

onOneNode('tasks, tests and Python by tools, in a real IDE', (open) => {
  let ide: ToolIde;
  before(async () => {
    ide = await ToolIde.start(open, {
      '.vscode/tasks.json': JSON.stringify({
        version: '2.0.0',
        tasks: [
          { label: 'hello', type: 'shell', command: 'echo hello; exit 3', group: 'build' },
          { label: 'serve', type: 'shell', command: 'echo up; sleep 1000', isBackground: true },
        ],
      }),
      'package.json': '{ "scripts": { "say": "echo said" } }\n',
      'py/test_sum.py': `import pytest

class TestSum:
    @pytest.mark.parametrize("a", ["x [1]", "y::z"])
    def test_named(self, a):
        assert a

def test_wrong():
    print("FAILED test_right - not true")
    assert 1 + 1 == 3, "<sum> & more"

@pytest.mark.xfail
def test_expected():
    assert False

@pytest.mark.skip(reason="not now")
def test_skipped():
    pass

@pytest.fixture
def broken():
    raise RuntimeError("no fixture")

def test_error(broken):
    pass
`,
      'js/sum.test.js':
        "import assert from 'node:assert';\nimport { describe, it } from 'node:test';\ndescribe('sum', () => {\n  it('adds', () => assert.equal(1 + 1, 2));\n  it('is <wrong> & \"odd\"', () => assert.equal(1 + 1, 3));\n  it('waits', { skip: 'not now' }, () => undefined);\n});\n",
      'js/package.json': '{ "type": "module" }\n',
    });
  });
  after(() => ide[Symbol.asyncDispose]());

  describe('tasks', () => {
    it('are listed and run, with exit code and output', async () => {
      const { tasks } = await ide.call(listTasks, {});
      const names = tasks.map(({ name, source }) => `${source}: ${name}`);
      assert.ok(
        names.includes('Workspace: hello') && names.some((name) => /^npm: say/.test(name)),
        names.join(),
      );
      const done = await ide.call(runTask, { name: 'hello' });
      assert.deepEqual([done.status, done.exit_code, done.output], ['exited', 3, 'hello\n']);
      const script = tasks.find(({ name }) => name.startsWith('say'));
      const said = await ide.call(runTask, { name: script?.name ?? '' });
      assert.equal(said.exit_code, 0);
      assert.match(said.output ?? '', /said/);
    });

    slowIt('continue in the background, are read and stopped', async () => {
      const started = await ide.call(runTask, { name: 'serve' });
      assert.equal(started.status, 'running');
      const { tasks } = await ide.ide.sandbox.call(
        ideMethods.tasks,
        {},
        { signal: AbortSignal.timeout(20_000) },
      );
      assert.equal(tasks.find(({ name }) => name === 'serve')?.running, true);
      await ide.refused('terminal-busy', runTask, { name: 'serve' });
      const read = await ide.call(readTerminal, {
        ...(started.terminal !== null && { terminal: started.terminal }),
        wait_for: 'up',
        wait_ms: 10_000,
      });
      assert.match(read.output, /^up/);
      assert.equal((await ide.call(stopTask, { name: 'serve' })).ended, true);
      const slow = await ide.call(runTask, { name: 'serve', wait: true, timeout_ms: 1500 });
      assert.equal(slow.status, 'timed-out');
    });

    it('are refused if no task has the name', async () => {
      assert.match(await ide.refused('not-found', runTask, { name: 'nothing' }), /hello, serve/);
      await ide.refused('not-found', stopTask, { name: 'hello' });
    });
  });

  describe('tests', () => {
    slowIt('of other frameworks are named when all tests run', async () => {
      const all = await ide.call(runTests, {});
      assert.equal(all.runner, 'pytest');
      assert.deepEqual(all.left_out, ['JavaScript: js/sum.test.js']);
      assert.deepEqual((await ide.call(runTests, { tests: ['py'], runner: 'pytest' })).left_out, []);
    });

    slowIt("of pytest are listed and run, judged by its report and not by the tests' output", async () => {
      const { tests, runner } = await ide.call(listTests, { path: 'py' });
      assert.equal(runner, 'pytest');
      assert.ok(tests.includes('py/test_sum.py::TestSum::test_named[x [1]]'), tests.join('\n'));
      const all = await ide.call(runTests, { tests: ['py'], runner: 'pytest' });
      assert.equal(all.status, 'failed');
      assert.deepEqual(all.counts, { passed: 2, failed: 1, error: 1, skipped: 1, xfailed: 1 });
      const wrong = all.tests.find(({ id }) => id === 'py/test_sum.py::test_wrong');
      assert.equal(wrong?.status, 'failed');
      assert.match(wrong.message, /<sum> & more/);
      const one = await ide.call(runTests, { tests: ['py/test_sum.py::TestSum::test_named[y::z]'] });
      assert.deepEqual([one.status, one.counts.passed], ['passed', 1]);
      assert.equal(one.tests[0]?.id, 'py/test_sum.py::TestSum::test_named[y::z]');
    });

    it('of Node.js are listed by file and run by name', async () => {
      const { tests } = await ide.call(listTests, { runner: 'node' });
      assert.deepEqual(tests, ['js/sum.test.js']);
      const all = await ide.call(runTests, { tests: ['js/sum.test.js'] });
      assert.deepEqual([all.runner, all.status], ['node', 'failed']);
      assert.deepEqual(all.counts, { passed: 1, failed: 1, error: 0, skipped: 1, xfailed: 0 });
      assert.match(all.tests[0]?.id ?? '', /is <wrong> & "odd"$/);
      const some = await ide.call(runTests, { tests: ['js/sum.test.js'], name: 'adds' });
      assert.deepEqual([some.status, some.counts.passed, some.counts.failed], ['passed', 1, 0]);
    });

    it('are refused outside of the workspace, and reported as broken if nothing is reported', async () => {
      await ide.refused('outside-workspace', runTests, { tests: ['../x.py'] });
      const none = await ide.answer(runTests, { tests: ['py/test_sum.py::test_none'] });
      assert.equal((none.result as { status: string }).status, 'broken');
      assert.equal(none.effect, 'partial');
    });
  });

  describe('run_python', () => {
    it('keeps variables, and returns value, output, and the Python version', async () => {
      const first = await ide.call(runPython, {
        code: 'import os\nx = 20\nos.system("echo from a program")\nprint("hé")',
      });
      assert.deepEqual([first.engine, first.status, first.result, first.fresh], ['python', 'ok', null, true]);
      assert.equal(first.output, 'from a program\nhé\n');
      assert.match(first.version, /^3\./);
      const second = await ide.call(runPython, { code: 'y = x + 1\n[x, y]' });
      assert.deepEqual([second.result, second.fresh, second.output], ['[20, 21]', false, '']);
      const other = await ide.call(runPython, { code: 'x', session: 'other' });
      assert.equal(other.status, 'error');
      assert.match(other.error ?? '', /NameError: name 'x' is not defined/);
      const again = await ide.call(runPython, { code: '"x" in globals()', reset: true });
      assert.deepEqual([again.result, again.fresh], ['False', true]);
    });

    it('interrupts code that takes too long, keeps the variables, and says when they are lost', async () => {
      await ide.call(runPython, { code: 'kept = 1' });
      const slow = await ide.call(runPython, { code: 'import time\ntime.sleep(1000)', timeout_ms: 1000 });
      assert.equal(slow.status, 'timed-out');
      assert.match(slow.error ?? '', /KeyboardInterrupt/);
      assert.equal((await ide.call(runPython, { code: 'kept' })).result, '1');
      const gone = await ide.call(runPython, {
        code: 'print("last words", flush=True)\nos = __import__("os")\nos._exit(3)',
      });
      assert.deepEqual([gone.status, gone.output], ['died', 'last words\n']);
      assert.equal((await ide.call(runPython, { code: '1' })).fresh, true);
      const syntax = await ide.call(runPython, { code: 'def f(:\n' });
      assert.match(syntax.error ?? '', /SyntaxError/);
    });
  });

  it('tests of a missing file are refused; a name without tests does not pass', async () => {
    await ide.refused('not-found', runTests, { tests: ['py/test_nothing.py'] });
    await ide.refused('not-found', listTests, { path: 'nowhere' });
    const none = await ide.call(runTests, { runner: 'node', name: 'nothing like it' });
    assert.deepEqual([none.status, none.counts.passed], ['broken', 0]);
  });
});
