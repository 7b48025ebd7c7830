import assert from 'node:assert/strict';
import { poll } from '../../../bridge/lib/index.ts';
import { debugTools, ide as ideMethods, runTools } from '../../../bridge/protocol/index.ts';
import { onOneNode } from '../../support/each-node.ts';
import { slowIt } from '../../support/slow.ts';
import { ToolIde } from '../../support/tool-ide.ts';

const { debugStart, debugContinue, debugStep, debugPause, debugStop, debugExceptions } = debugTools;
const { setBreakpoint, removeBreakpoints, listBreakpoints, debugStack, debugVariables, debugEvaluate } =
  debugTools;

const sum = `function add(a, b) {
  const sum = a + b;
  return sum;
}
let total = 0;
for (let i = 0; i < 5; i++) {
  total = add(total, i);
}
console.log('total', total);
`;

onOneNode('tools of the debugger, in a real IDE', (open) => {
  let ide: ToolIde;
  before(async () => {
    ide = await ToolIde.start(open, {
      'sum.js': sum,
      'notes.txt': 'one\n',
      'ask.py': 'n = int(input("n? "))\nprint("got", n + 1)\n',
      'ask.js':
        "const lines = require('node:readline').createInterface({ input: process.stdin, output: process.stdout });\nlines.question('n? ', (n) => {\n  console.log('got', Number(n) + 1);\n  lines.close();\n});\n",
      'typed.ts': 'interface Point { x: number }\nconst point: Point = { x: 3 };\nconsole.log(point.x);\n',
      'throws.js': "try {\n  throw new Error('caught');\n} catch {}\nthrow new TypeError('not caught');\n",
      'forever.js': 'let turns = 0;\nsetInterval(() => {\n  turns += 1;\n}, 20);\n',
      'mute.py':
        'import socket\ns = socket.socket()\ns.bind(("127.0.0.1", 4711))\ns.listen()\nkept = []\nwhile True: kept.append(s.accept())\n',
      '.vscode/launch.json': `{
        // comments are allowed
        "configurations": [
          { "name": "Sum", "type": "node", "request": "launch", "program": "\${workspaceFolder}/sum.js" },
          { "name": "Mute", "type": "node", "request": "launch", "program": "\${workspaceFolder}/sum.js", "debugServer": 4711 }
        ]
      }`,
    });
  });
  after(() => ide[Symbol.asyncDispose]());
  afterEach(async () => {
    await ide.call(debugStop, {});
    await ide.call(removeBreakpoints, {});
  });

  const state = () => ide.ide.sandbox.call(ideMethods.debug, {}, { signal: AbortSignal.timeout(20_000) });

  it('stop at a conditional breakpoint, show stack and variables, evaluate, and step', async () => {
    await ide.call(setBreakpoint, { path: 'sum.js', line: 3, condition: 'b === 2' });
    const at = await ide.call(debugStart, { program: 'sum.js' });
    assert.deepEqual(
      [at.state, at.reason, at.frame?.path, at.frame?.line],
      ['stopped', 'breakpoint', 'sum.js', 3],
    );
    assert.match(at.source, /^> 3\t {2}return sum;$/m);
    const { threads } = await ide.call(debugStack, {});
    const frames = threads.flatMap((thread) => thread.frames);
    assert.match(frames[0]?.name ?? '', /add$/);
    assert.deepEqual([frames[1]?.path, frames[1]?.line], ['sum.js', 7]);
    const { scopes } = await ide.call(debugVariables, {});
    const local = Object.fromEntries(scopes[0]?.variables.map(({ name, value }) => [name, value]) ?? []);
    assert.deepEqual([local.a, local.b, local.sum], ['1', '2', '3']);
    const outer = await ide.call(debugEvaluate, { expression: '({ i, total })', frame: frames[1]?.id });
    const held = await ide.call(debugVariables, { reference: outer.reference });
    assert.ok(held.scopes[0]?.variables.some(({ name, value }) => name === 'i' && value === '2'));
    assert.equal((await ide.call(debugEvaluate, { expression: 'sum = 100' })).result, '100');
    assert.equal((await ide.call(debugEvaluate, { expression: 'sum' })).result, '100');
    const out = await ide.call(debugStep, { kind: 'out' });
    assert.deepEqual([out.state, out.frame?.name], ['stopped', frames[1]?.name]);
    const over = await ide.call(debugStep, {});
    assert.deepEqual([over.state, over.reason], ['stopped', 'step']);
    const end = await ide.call(debugContinue, {});
    assert.equal(end.state, 'ended');
    assert.match(end.output, /total 10/);
    await ide.refused('no-debug-session', debugStep, {});
  });

  it('step into a call', async () => {
    await ide.call(setBreakpoint, { path: 'sum.js', line: 7 });
    await ide.call(debugStart, { program: 'sum.js' });
    const into = await ide.call(debugStep, { kind: 'into' });
    assert.deepEqual([into.frame?.line, into.reason], [2, 'step']);
  });

  it('stop at the n-th hit, and log instead of stopping', async () => {
    await ide.call(setBreakpoint, { path: 'sum.js', line: 3, hit_condition: '4' });
    await ide.call(setBreakpoint, { path: 'sum.js', line: 7, log_message: 'i is {i}' });
    const changed = await ide.call(setBreakpoint, { path: 'sum.js', line: 7, log_message: 'now {i}' });
    assert.equal(changed.replaced, true);
    const at = await ide.call(debugStart, { name: 'Sum' });
    assert.deepEqual([at.state, at.frame?.line], ['stopped', 3]);
    assert.match(at.output, /now 0\n[^]*now 3\n/);
    assert.equal((await ide.call(debugEvaluate, { expression: 'b' })).result, '3');
    const { breakpoints } = await ide.call(listBreakpoints, {});
    assert.deepEqual(
      breakpoints.map((one) => [one.path, one.line, one.hit_condition, one.log_message, one.verified]),
      [
        ['sum.js', 3, '4', null, true],
        ['sum.js', 7, null, 'now {i}', true],
      ],
    );
    const reported = await ide.ide.sandbox.call(
      ideMethods.breakpoints,
      {},
      { signal: AbortSignal.timeout(10_000) },
    );
    assert.deepEqual(
      reported.breakpoints.map(({ line, hitCondition, logMessage }) => [line, hitCondition, logMessage]),
      [
        [3, '4', null],
        [7, null, 'now {i}'],
      ],
    );
  });

  slowIt('debug TypeScript as Node.js runs it', async () => {
    await ide.call(setBreakpoint, { path: 'typed.ts', line: 3 });
    const at = await ide.call(debugStart, { program: 'typed.ts' });
    assert.deepEqual([at.state, at.frame?.path, at.frame?.line], ['stopped', 'typed.ts', 3]);
    assert.equal((await ide.call(debugEvaluate, { expression: 'point.x + 1' })).result, '4');
  });

  slowIt('stop at exceptions, including caught ones', async () => {
    const first = await ide.call(debugStart, { program: 'throws.js', exceptions: ['all'] });
    assert.deepEqual([first.state, first.reason, first.frame?.line], ['stopped', 'exception', 2]);
    assert.match(first.exception ?? '', /caught/);
    assert.deepEqual((await ide.call(debugExceptions, { filters: ['uncaught'] })).filters, ['uncaught']);
    const second = await ide.call(debugContinue, {});
    assert.deepEqual([second.reason, second.frame?.line], ['exception', 4]);
    assert.match(second.exception ?? '', /TypeError[^]*not caught/);
  });

  it('pause a running program, and report its state', async () => {
    await ide.call(debugStart, { program: 'forever.js', wait_ms: 1500 });
    const probe = async () => {
      const { sessions } = await state();
      return sessions.some((one) => one.parent !== null && one.state === 'running')
        ? ({ done: true, value: undefined } as const)
        : ({ done: false, saw: sessions.map((one) => one.state).join() } as const);
    };
    await poll('a running program', probe, { intervalMs: 100, signal: AbortSignal.timeout(60_000) });
    await ide.refused('not-stopped', debugVariables, {});
    await ide.call(setBreakpoint, { path: 'forever.js', line: 3 });
    const at = await ide.call(debugPause, {});
    assert.equal(at.state, 'stopped');
    const { sessions } = await state();
    const stopped = sessions.find((one) => one.state === 'stopped');
    assert.ok(stopped && stopped.parent !== null && stopped.problem === null);
    const frame = stopped.threads.flatMap(({ frames }) => frames)[0];
    assert.ok(frame);
    const { scopes } = await ide.ide.sandbox.call(
      ideMethods.variables,
      { session: stopped.id },
      { signal: AbortSignal.timeout(20_000) },
    );
    assert.ok(scopes.length > 0);
    const ended = await ide.call(debugStop, {});
    assert.deepEqual([ended.ended.length, ended.remaining], [2, 0]);
    assert.deepEqual((await state()).sessions, []);
  });

  slowIt('attach to a running program', async () => {
    const { terminal } = await ide.call(runTools.runTerminalCmd, {
      command: 'node --inspect=127.0.0.1:9339 forever.js',
      is_background: true,
    });
    await ide.call(runTools.readTerminal, { terminal, wait_ms: 20_000, wait_for: 'listening on' });
    await ide.call(setBreakpoint, { path: 'forever.js', line: 3 });
    const at = await ide.call(debugStart, {
      configuration: { type: 'node', request: 'attach', address: '127.0.0.1', port: 9339 },
    });
    assert.deepEqual([at.state, at.frame?.path, at.frame?.line], ['stopped', 'forever.js', 3]);
    await ide.call(debugStop, {});
    const still = await ide.call(runTools.readTerminal, { terminal });
    assert.equal(still.status, 'running');
    await ide.call(runTools.stopTerminal, { terminal, close: true });
  });

  it('name what does not exist', async () => {
    const cobol = { type: 'cobol', request: 'launch' };
    await ide.refused('no-debug-adapter', debugStart, { configuration: cobol });
    await ide.refused('not-found', debugStart, { program: 'none.js' });
    assert.match(await ide.refused('not-found', debugStart, { name: 'Nothing' }), /Sum, Mute/);
    await ide.refused('bad-arguments', debugStart, {});
    await ide.refused('bad-arguments', debugStart, { program: 'sum.js', name: 'Sum' });
    await ide.refused('bad-arguments', setBreakpoint, { path: 'sum.js', line: 1000 });
    await ide.refused('outside-workspace', setBreakpoint, { path: '/etc/passwd', line: 1 });
    await ide.refused('not-found', setBreakpoint, { path: 'none.js', line: 1 });
  });

  slowIt('give up on an adapter that never answers, and keep the debugger usable', async () => {
    const { terminal } = await ide.call(runTools.runTerminalCmd, {
      command: 'python3 mute.py',
      is_background: true,
    });
    // It listens on port 4711.
    await ide.bash('until grep -q ":1267 .* 0A " /proc/net/tcp; do sleep 0.05; done');
    assert.match(await ide.refused('debug-adapter-timeout', debugStart, { name: 'Mute' }), /did not begin/);
    await ide.call(runTools.stopTerminal, { terminal, close: true });
    await ide.call(setBreakpoint, { path: 'sum.js', line: 3 });
    const at = await ide.call(debugStart, { program: 'sum.js' });
    assert.equal(at.state, 'stopped');
  });

  it('refuse a breakpoint where the debugger never stops', async () => {
    await ide.refused('bad-arguments', setBreakpoint, { path: 'sum.js', line: 1, column: 900 });
    await ide.refused('not-a-file', setBreakpoint, { path: '.vscode', line: 1 });
    await ide.refused('not-supported', setBreakpoint, { path: 'notes.txt', line: 1 });
    await ide.refused('not-found', removeBreakpoints, { path: 'summ.js' });
    assert.deepEqual((await ide.call(listBreakpoints, {})).breakpoints, []);
  });

  it('name what does not exist in a stopped program', async () => {
    await ide.call(setBreakpoint, { path: 'sum.js', line: 3 });
    await ide.call(debugStart, { program: 'sum.js' });
    assert.match(await ide.refused('not-found', debugVariables, { reference: 987_654 }), /987654/);
    assert.match(await ide.refused('not-found', debugVariables, { frame: 987_654 }), /987654/);
    assert.match(
      await ide.refused('not-found', debugEvaluate, { expression: 'a', frame: 987_654 }),
      /987654/,
    );
    assert.match(await ide.refused('failed', debugEvaluate, { expression: 'nowhere' }), /nowhere.*Fix/s);
    const message = await ide.refused('bad-arguments', debugExceptions, { filters: ['everything'] });
    assert.match(message, /everything.*uncaught/);
  });

  it('start no program with an exception filter that its debugger does not have', async () => {
    await ide.refused('bad-arguments', debugStart, { program: 'sum.js', exceptions: ['everything'] });
    assert.deepEqual((await state()).sessions, []);
  });

  for (const [language, program] of [
    ['Python', 'ask.py'],
    ['Node.js', 'ask.js'],
  ] as const)
    (language === 'Node.js' ? it : slowIt)(
      `debug a program that reads typed input, in ${language}`,
      async () => {
        const started = await ide.call(debugStart, { program, in_terminal: true, wait_ms: 3000 });
        assert.equal(started.state, 'running');
        const terminal = started.terminal ?? assert.fail('no terminal is named');
        const { terminals } = await ide.call(runTools.listTerminals, {});
        assert.equal(terminals.find((one) => one.terminal === terminal)?.running, true);
        const asked = await ide.call(runTools.readTerminal, { terminal, wait_for: 'n? ', wait_ms: 30_000 });
        assert.equal(asked.found, true, asked.output);
        await ide.call(runTools.sendToTerminal, { terminal, text: '41', wait_ms: 0 });
        const answered = await ide.call(runTools.readTerminal, {
          terminal,
          wait_for: 'got 42',
          wait_ms: 30_000,
        });
        assert.equal(answered.found, true, answered.output);
      },
    );

  slowIt('say how to give input to a program whose input is empty', async () => {
    const { text } = await ide.answer(debugStart, { program: 'ask.py' });
    assert.match(text, /its input is empty: set in_terminal/);
  });

  slowIt('stop at a breakpoint after a flood of output, whose end is kept', async () => {
    await ide.bash(`printf 'for i in range(30000): print("line", i)\\nmark = 1\\n' > noisy.py`);
    await ide.call(setBreakpoint, { path: 'noisy.py', line: 2 });
    const at = await ide.call(debugStart, { program: 'noisy.py', wait_ms: 60_000, max_output: 1000 });
    assert.deepEqual([at.state, at.frame?.line, at.truncated], ['stopped', 2, true]);
    assert.match(at.output, /^line 0\n[^]*characters left out[^]*line 29999\n$/);
    const said = await ide.call(runTools.runTerminalCmd, { command: 'echo still here' });
    assert.equal(said.output, 'still here\n');
  });

  slowIt('start compounds of launch.json', async () => {
    const node = { type: 'node', request: 'launch' };
    const launch = {
      version: '0.2.0',
      configurations: [
        { ...node, name: 'one', program: '${workspaceFolder}/one.js' },
        { ...node, name: 'two', program: '${workspaceFolder}/two.js' },
      ],
      compounds: [
        { name: 'both', configurations: ['one', 'two'] },
        { name: 'half', configurations: ['one', 'three'] },
      ],
    };
    await ide.bash(
      `mkdir -p .vscode; cat > .vscode/launch.json <<'E'\n${JSON.stringify(launch)}\nE\necho 'console.log(1)' > one.js; echo 'console.log(2)' > two.js`,
    );
    const known = async () => {
      const said = await ide.refused('not-found', debugStart, { name: 'none' });
      return said.includes('both')
        ? ({ done: true, value: undefined } as const)
        : ({ done: false, saw: said } as const);
    };
    await poll('the launch configurations', known, { intervalMs: 200, signal: AbortSignal.timeout(60_000) });
    assert.match(await ide.refused('not-found', debugStart, { name: 'half' }), /no configuration three/);
    await ide.refused('bad-arguments', debugStart, { name: 'both', stop_on_entry: true });
    const done = await ide.call(debugStart, { name: 'both', wait_ms: 60_000 });
    assert.deepEqual(
      [done.state, done.beside.map(({ name, state }) => [name, state])],
      ['ended', [['two', 'ended']]],
    );
  });
});
