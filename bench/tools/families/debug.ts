import assert from 'node:assert/strict';
import { debugTools, ide } from '../../../bridge/protocol/index.ts';
import { type Given, right, type ToolCase, wrong, type WrongCall } from '../case.ts';
import type { Desk } from '../desk.ts';

const { debugStart, debugContinue, debugStep, debugPause, debugStop, debugExceptions } = debugTools;
const { setBreakpoint, removeBreakpoints, listBreakpoints, debugStack, debugVariables, debugEvaluate } =
  debugTools;

/** The sum that the program of the workspace has after this many iterations, as node computes it. */
const totalAfter = async (desk: Desk, turns: number) =>
  (await desk.sh(`node -p 'let t = 0; for (let i = 0; i < ${turns}; i++) t += i; t'`)).trim();

async function activeTab(desk: Desk): Promise<string | undefined> {
  const { groups } = await desk.ask(ide.tabs, {});
  return groups.flatMap(({ tabs }) => tabs).find(({ active }) => active)?.label;
}

/** Stops in the iteration of the loop in which `b` is 2. */
async function stopped(desk: Desk): Promise<void> {
  await ended(desk);
  await desk.call(setBreakpoint, { path: 'sum.js', line: 3, condition: 'b === 2' });
  const { state } = await desk.call(debugStart, { program: 'sum.js', wait_ms: 30_000 });
  assert.equal(state, 'stopped');
  await desk.until('its editor', async () => (await activeTab(desk)) === 'sum.js');
}

async function running(desk: Desk): Promise<void> {
  await ended(desk);
  await desk.call(debugStart, { program: 'forever.js', wait_ms: 1500 });
  await desk.until('the program', async () => {
    const { sessions } = await desk.ask(ide.debug, {});
    return sessions.length > 1 && sessions.every(({ state }) => state === 'running');
  });
}

async function ended(desk: Desk): Promise<void> {
  await desk.call(debugStop, {});
  await desk.call(removeBreakpoints, {});
  await desk.until('no debug session', async () => (await desk.ask(ide.debug, {})).sessions.length === 0);
}

/** The top of the stack, according to VS Code itself. */
async function top(desk: Desk): Promise<string> {
  const { sessions } = await desk.ask(ide.debug, {});
  const frames = sessions.flatMap(({ threads }) => threads.flatMap((thread) => thread.frames));
  return `${frames[0]?.uri?.split('/').at(-1)}:${frames[0]?.line}`;
}

const around = { first: stopped, last: ended };
const noProgram = (more: Given = {}): WrongCall =>
  wrong('nothing is debugged', more, 'no-debug-session', /debug/, { first: ended });
const noSession = (more: Given = {}): WrongCall =>
  wrong('no such session', { session: 4711, ...more }, 'no-debug-session', /4711/, around);
const notStopped = (more: Given = {}): WrongCall =>
  wrong('a program that runs', more, 'not-stopped', /running/, { first: running, last: ended });

/** Tools of breakpoints. */
const breakpointCases: readonly ToolCase[] = [
  {
    tool: setBreakpoint,
    right: [
      right('as VS Code lists it', async (desk) => {
        const { replaced } = await desk.call(setBreakpoint, { path: 'sum.js', line: 3, condition: 'b > 1' });
        const { breakpoints } = await desk.ask(ide.breakpoints, {});
        assert.deepEqual(
          [
            replaced,
            breakpoints.map(({ uri, line, condition }) => [uri?.split('/').at(-1), line, condition]),
          ],
          [false, [['sum.js', 3, 'b > 1']]],
        );
      }),
      right('in place of the one that is there', async (desk) => {
        const { replaced } = await desk.call(setBreakpoint, { path: 'sum.js', line: 3 });
        const { breakpoints } = await desk.ask(ide.breakpoints, {});
        assert.deepEqual([replaced, breakpoints.length, breakpoints[0]?.condition], [true, 1, null]);
      }),
    ],
    wrong: [
      wrong('no such file', { path: 'summ.js', line: 1 }, 'not-found', /summ\.js/),
      wrong('no such line', { path: 'sum.js', line: 99 }, 'bad-arguments', /99|lines/),
      wrong('no such column', { path: 'sum.js', line: 1, column: 900 }, 'bad-arguments', /900/),
      wrong('a folder', { path: 'src', line: 1 }, 'not-a-file', /src/),
      wrong('a file that nothing can debug', { path: 'notes.txt', line: 1 }, 'not-supported', /notes\.txt/),
      wrong('out of the workspace', { path: 'out.txt', line: 1 }, 'outside-workspace', /out\.txt/),
    ],
  },
  {
    tool: listBreakpoints,
    right: [
      right(
        'those that VS Code has',
        async (desk) => {
          const { breakpoints } = await desk.call(listBreakpoints, {});
          const { breakpoints: truth } = await desk.ask(ide.breakpoints, {});
          assert.deepEqual(
            breakpoints.map(({ path, line, enabled }) => [path, line, enabled]),
            truth.map(({ uri, line, enabled }) => [uri?.split('/').at(-1), line, enabled]),
          );
        },
        {
          first: async (desk) =>
            void (await desk.call(setBreakpoint, { path: 'forever.js', line: 3, enabled: false })),
        },
      ),
    ],
    wrong: [wrong('an argument', { path: 'sum.js' }, 'schema', /no arguments/)],
  },
  {
    tool: removeBreakpoints,
    right: [
      right('those of a file', async (desk) => {
        const { removed } = await desk.call(removeBreakpoints, { path: 'forever.js' });
        const { breakpoints } = await desk.ask(ide.breakpoints, {});
        assert.deepEqual(
          [removed, breakpoints.filter(({ uri }) => uri?.endsWith('forever.js')).length],
          [1, 0],
        );
      }),
      right('without any', async (desk) => {
        const { effect } = await desk.answer(removeBreakpoints, { path: 'sum.js', line: 1 });
        assert.equal(effect, 'no-effect');
      }),
    ],
    wrong: [
      wrong('a line of no file', { line: 3 }, 'bad-arguments', /path/),
      wrong('no such file', { path: 'summ.js' }, 'not-found', /summ\.js/),
    ],
  },
];

/** Tools of a program under the debugger. */
export const debugCases: readonly ToolCase[] = [
  ...breakpointCases,
  {
    tool: debugStart,
    right: [
      right('to a breakpoint', async (desk) => {
        await ended(desk);
        await desk.call(setBreakpoint, { path: 'sum.js', line: 3, condition: 'b === 2' });
        const { state, frame } = await desk.call(debugStart, { program: 'sum.js', wait_ms: 30_000 });
        assert.deepEqual([state, `${frame?.path}:${frame?.line}`], ['stopped', await top(desk)]);
        await ended(desk);
      }),
      right('to its end, with its output', async (desk) => {
        const { state, output } = await desk.call(debugStart, { program: 'sum.js', wait_ms: 30_000 });
        assert.equal(state, 'ended');
        assert.ok(output.includes((await desk.sh('node sum.js')).trim()), output);
      }),
      right('Python', async (desk) => {
        const { state, output } = await desk.call(debugStart, { program: 'nothing.py', wait_ms: 60_000 });
        assert.equal(state, 'ended');
        assert.ok(output.includes((await desk.sh('python3 nothing.py')).trim()), output);
      }),
    ],
    wrong: [
      wrong('no such program', { program: 'summ.js' }, 'not-found', /summ\.js/),
      wrong('no such configuration', { name: 'Summ' }, 'not-found', /Summ.*Sum/s),
      wrong('nothing to start', {}, 'bad-arguments', /program/),
      wrong('a program that nothing can debug', { program: 'notes.txt' }, 'bad-arguments', /notes\.txt/),
      wrong(
        'a type without a debugger',
        { configuration: { type: 'cobol', request: 'launch' } },
        'no-debug-adapter',
        /cobol/,
      ),
      wrong(
        'exceptions that the debugger does not know',
        { program: 'sum.js', exceptions: ['everything'] },
        'bad-arguments',
        /everything/,
        { last: ended },
      ),
    ],
  },
  {
    tool: debugContinue,
    right: [
      right('to the end, with its output', async (desk) => {
        await stopped(desk);
        const { state, output } = await desk.call(debugContinue, { wait_ms: 30_000 });
        assert.equal(state, 'ended');
        assert.ok(output.includes((await desk.sh('node sum.js')).trim()), output);
      }),
    ],
    wrong: [noProgram(), noSession(), notStopped()],
  },
  {
    tool: debugStep,
    right: [
      right('out of the function, as VS Code shows it', async (desk) => {
        await stopped(desk);
        const { frame } = await desk.call(debugStep, { kind: 'out', wait_ms: 30_000 });
        assert.equal(`${frame?.path}:${frame?.line}`, await top(desk));
        assert.doesNotMatch(frame?.name ?? '', /add$/);
        await ended(desk);
      }),
    ],
    wrong: [
      noProgram(),
      noSession(),
      notStopped(),
      wrong('no such kind', { kind: 'back' }, 'schema', /kind/),
    ],
  },
  {
    tool: debugPause,
    right: [
      right('a program that runs', async (desk) => {
        await running(desk);
        const { state } = await desk.call(debugPause, { wait_ms: 30_000 });
        const { sessions } = await desk.ask(ide.debug, {});
        assert.deepEqual([state, sessions.some((one) => one.state === 'stopped')], ['stopped', true]);
        await ended(desk);
      }),
    ],
    wrong: [noProgram(), noSession()],
  },
  {
    tool: debugStack,
    right: [
      right('functions and lines of the text', async (desk) => {
        await stopped(desk);
        const { threads } = await desk.call(debugStack, {});
        const [first, second] = threads.flatMap(({ frames }) => frames);
        const [inner = '', outer = ''] = await desk.lines(
          `grep -nE 'return sum|total = add' sum.js | cut -d: -f1`,
        );
        assert.deepEqual([first?.line, second?.line], [Number(inner), Number(outer)]);
        assert.match(first?.name ?? '', /add$/);
        await ended(desk);
      }),
    ],
    wrong: [noProgram(), noSession(), notStopped()],
  },
  {
    tool: debugVariables,
    right: [
      right('values as node counts them', async (desk) => {
        await stopped(desk);
        const { scopes } = await desk.call(debugVariables, {});
        const local = new Map(scopes[0]?.variables.map(({ name, value }) => [name, value]));
        assert.deepEqual(
          [local.get('a'), local.get('b'), local.get('sum')],
          [await totalAfter(desk, 2), '2', await totalAfter(desk, 3)],
        );
        await ended(desk);
      }),
    ],
    wrong: [
      noProgram(),
      noSession(),
      notStopped(),
      wrong('no such frame', { frame: 987_654 }, 'not-found', /987654/, around),
      wrong('no such reference', { reference: 987_654 }, 'not-found', /987654/, around),
    ],
  },
  {
    tool: debugEvaluate,
    right: [
      right('an expression', async (desk) => {
        await stopped(desk);
        const { result } = await desk.call(debugEvaluate, { expression: '[a, b, sum].join("-")' });
        assert.equal(result, `'${await totalAfter(desk, 2)}-2-${await totalAfter(desk, 3)}'`);
        await ended(desk);
      }),
    ],
    wrong: [
      noProgram({ expression: '1' }),
      noSession({ expression: '1' }),
      notStopped({ expression: '1' }),
      wrong('a name that is nowhere', { expression: 'nowhere + 1' }, 'failed', /nowhere/, around),
      wrong('a syntax error', { expression: '1 +' }, 'failed', /SyntaxError|Unexpected/, around),
      wrong('no such frame', { expression: 'a', frame: 987_654 }, 'not-found', /987654/, around),
    ],
  },
  {
    tool: debugExceptions,
    right: [
      right('a program stops at what it throws', async (desk) => {
        await stopped(desk);
        await desk.call(debugExceptions, { filters: ['all'] });
        await desk.call(debugEvaluate, {
          expression: 'setTimeout(() => { throw new Error("late") }, 10); 1',
        });
        const { state, exception } = await desk.call(debugContinue, { wait_ms: 30_000 });
        assert.equal(state, 'stopped');
        assert.match(exception ?? '', /late/);
        await ended(desk);
      }),
    ],
    wrong: [
      noProgram({ filters: [] }),
      noSession({ filters: [] }),
      wrong(
        'a filter that the debugger does not know',
        { filters: ['everything'] },
        'bad-arguments',
        /everything.*uncaught/s,
        around,
      ),
    ],
  },
  {
    tool: debugStop,
    right: [
      right('the program ends', async (desk) => {
        await running(desk);
        const { remaining } = await desk.call(debugStop, {});
        assert.deepEqual([remaining, (await desk.ask(ide.debug, {})).sessions.length], [0, 0]);
        await desk.until(
          'its end',
          async () => (await desk.sh(`pgrep -f 'node.*forever.js$' || true`)) === '',
        );
      }),
      right('nothing to stop', async (desk) => {
        const { effect } = await desk.answer(debugStop, {});
        assert.equal(effect, 'no-effect');
      }),
    ],
    wrong: [noSession()],
  },
];
