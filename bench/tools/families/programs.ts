import assert from 'node:assert/strict';
import { ide, runTools } from '../../../bridge/protocol/index.ts';
import { right, type ToolCase, wrong } from '../case.ts';

const { listTasks, runTask, stopTask, listTests, runTests, runPython } = runTools;

/** Tasks, tests and Python. */
export const programCases: readonly ToolCase[] = [
  {
    tool: listTasks,
    right: [
      right('those of tasks.json and package.json', async (desk) => {
        const { tasks } = await desk.call(listTasks, {});
        const names = tasks.map(({ name }) => name);
        for (const name of ['hello', 'serve']) assert.ok(names.includes(name), name);
        assert.ok(
          names.some((name) => name.startsWith('say')),
          names.join(),
        );
        const { tasks: truth } = await desk.ask(ide.tasks, {});
        assert.deepEqual(names.sort(), truth.map(({ name }) => name).sort());
      }),
    ],
    wrong: [wrong('an argument', { name: 'hello' }, 'schema', /no arguments/)],
  },
  {
    tool: runTask,
    right: [
      right('exit code, output and what it did', async (desk) => {
        await desk.sh('rm -f greeting.txt');
        const { exit_code: code, output, status } = await desk.call(runTask, { name: 'hello' });
        assert.deepEqual([status, code, output], ['exited', 3, await desk.sh('cat greeting.txt')]);
      }),
      right('one that goes on', async (desk) => {
        const { status } = await desk.call(runTask, { name: 'serve' });
        assert.equal(status, 'running');
        await desk.sh(`pgrep -f 'sleep 1000$'`);
      }),
    ],
    wrong: [
      wrong('no such task', { name: 'helo' }, 'not-found', /helo.*hello/s),
      wrong('no such source', { name: 'hello', source: 'npm' }, 'not-found', /hello/),
      wrong('one that runs', { name: 'serve' }, 'terminal-busy', /serve/),
    ],
  },
  {
    tool: stopTask,
    right: [
      right('its processes end', async (desk) => {
        const { ended } = await desk.call(stopTask, { name: 'serve' });
        assert.equal(ended, true);
        await desk.until('its end', async () => (await desk.sh(`pgrep -f 'sleep 1000$' || true`)) === '');
      }),
    ],
    wrong: [
      wrong('one that does not run', { name: 'serve' }, 'not-found', /serve/),
      wrong('no such task', { name: 'nothing' }, 'not-found', /nothing/),
    ],
  },
  {
    tool: listTests,
    right: [
      right('what pytest collects', async (desk) => {
        const { tests } = await desk.call(listTests, { runner: 'pytest' });
        assert.deepEqual(
          [...tests].sort(),
          (await desk.lines(`python3 -m pytest --collect-only -q -p no:cacheprovider | grep ::`)).sort(),
        );
      }),
      right('files of node', async (desk) => {
        const { tests } = await desk.call(listTests, { runner: 'node' });
        assert.deepEqual([...tests].sort(), (await desk.lines(`git ls-files '*.test.js'`)).sort());
      }),
    ],
    wrong: [
      wrong('no such folder', { path: 'tests', runner: 'pytest' }, 'not-found', /tests/),
      wrong('out of the workspace', { path: '/etc' }, 'outside-workspace', /\/etc/),
    ],
  },
  {
    tool: runTests,
    right: [
      right('pytest: counts as it prints them', async (desk) => {
        const { counts, left_out: left } = await desk.call(runTests, {});
        const summary = await desk.sh('python3 -m pytest -q -p no:cacheprovider | tail -1');
        const count = (word: string) => Number(new RegExp(`(\\d+) ${word}`).exec(summary)?.[1] ?? 0);
        assert.deepEqual(
          [counts.passed, counts.failed, counts.skipped],
          [count('passed'), count('failed'), count('skipped')],
        );
        assert.ok(left.length > 0, 'no word of the tests of node');
      }),
      right('node: counts as it prints them', async (desk) => {
        const { counts } = await desk.call(runTests, { runner: 'node' });
        const summary = await desk.sh('node --test --test-reporter=tap js/*.test.js || true');
        const count = (word: string) =>
          Number(new RegExp(`^# ${word} (\\d+)$`, 'm').exec(summary)?.[1] ?? -1);
        assert.deepEqual([counts.passed, counts.failed], [count('pass'), count('fail')]);
      }),
      right('one test', async (desk) => {
        const { tests, status } = await desk.call(runTests, { tests: ['test_stock.py::test_refill'] });
        assert.deepEqual([tests.length, status], [1, 'passed']);
      }),
    ],
    wrong: [
      wrong('no such file', { tests: ['test_stok.py'] }, 'not-found', /test_stok\.py/),
      wrong('out of the workspace', { tests: ['/etc/passwd'] }, 'outside-workspace', /etc\/passwd/),
    ],
    failing: [
      {
        what: 'no such test',
        given: { tests: ['test_stock.py::test_refil'] },
        says: /broken[^]*test_refil/,
        effect: 'partial',
      },
      {
        what: 'pytest: no test of this name',
        given: { runner: 'pytest', name: 'nothing_like_it' },
        says: /broken[^]*deselected/,
        effect: 'partial',
      },
      {
        what: 'node: no test of this name',
        given: { runner: 'node', name: 'nothing_like_it' },
        says: /broken/,
        effect: 'partial',
      },
    ],
  },
  {
    tool: runPython,
    right: [
      right('a value, and variables that stay', async (desk) => {
        await desk.call(runPython, { code: 'numbers = [3, 1, 2]' });
        const { result } = await desk.call(runPython, { code: 'print("out")\nsorted(numbers)' });
        assert.equal(
          result,
          JSON.stringify(await desk.python('print(json.dumps(sorted([3, 1, 2])))')).replaceAll(',', ', '),
        );
      }),
      right('in the workspace', async (desk) => {
        const { output } = await desk.call(runPython, { code: 'print(open("notes.txt").read(), end="")' });
        assert.equal(output, await desk.sh('cat notes.txt'));
      }),
      right('its end by the clock', async (desk) => {
        const { status } = await desk.call(runPython, { code: 'while True: pass', timeout_ms: 1000 });
        assert.equal(status, 'timed-out');
      }),
    ],
    wrong: [wrong('a file in place of code', { path: 'chart.py' }, 'schema', /code/)],
    failing: [
      { what: 'an exception', given: { code: '1 / 0' }, says: /ZeroDivisionError/ },
      { what: 'a name that is nowhere', given: { code: 'nowhere' }, says: /NameError[^]*nowhere/ },
      { what: 'a syntax error', given: { code: 'def f(:' }, says: /SyntaxError|invalid syntax/ },
    ],
  },
];
