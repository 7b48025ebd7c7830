import assert from 'node:assert/strict';
import { ide, runTools } from '../../../bridge/protocol/index.ts';
import { right, type ToolCase, wrong } from '../case.ts';
import type { Desk } from '../desk.ts';

const { shell, runTerminalCmd, listTerminals, readTerminal, sendToTerminal, stopTerminal } = runTools;

const gone = 99_999;
const noTerminal = (more: object = {}) =>
  wrong('no such terminal', { terminal: gone, ...more }, 'not-found', /99999/);

/** A terminal in which a command asks for a line, and prints it. */
async function asking(desk: Desk): Promise<number> {
  const command = 'read -p "name? " name; echo "hello $name" | tee said.txt; sleep 0.1';
  const { terminal } = await desk.call(runTerminalCmd, { command, is_background: true });
  await desk.call(readTerminal, { terminal, wait_ms: 20_000, wait_for: 'name?' });
  return terminal;
}

const newest = async (desk: Desk) =>
  Math.max(...(await desk.call(listTerminals, {})).terminals.map(({ terminal }) => terminal));

/** Whether a process runs, according to the kernel. */
const runs = async (desk: Desk, pattern: string) =>
  (await desk.sh(`pgrep -f '${pattern}' >/dev/null && echo yes || echo no`)) === 'yes\n';

/** Commands outside of terminals and in them. */
export const runCases: readonly ToolCase[] = [
  {
    tool: shell,
    right: [
      right('output, errors and exit code', async (desk) => {
        const { stdout, stderr, exitCode } = await desk.call(shell, {
          command: 'wc -l < notes.txt; ls nothing; exit 3',
        });
        assert.deepEqual([stdout, exitCode], [await desk.sh('wc -l < notes.txt'), 3]);
        assert.match(stderr, /nothing/);
      }),
      right('a part of much output, and that it is one', async (desk) => {
        const { truncated, text } = await desk.answer(shell, { command: 'seq 500000' }).then((answer) => ({
          truncated: (answer.result as { truncated: boolean }).truncated,
          text: answer.text,
        }));
        assert.deepEqual([truncated, /longer than is returned/.test(text)], [true, true]);
      }),
      right('its end by the clock', async (desk) => {
        const { timedOut } = await desk.call(shell, { command: 'echo begun; sleep 321', timeoutMs: 500 });
        assert.deepEqual([timedOut, await runs(desk, 'sleep 321$')], [true, false]);
      }),
    ],
    wrong: [
      wrong('an empty command', { command: '' }, 'schema', /command/),
      wrong('seconds for milliseconds', { command: 'true', timeout_s: 3 }, 'schema', /timeoutMs/),
    ],
    failing: [
      {
        what: 'no such program',
        given: { command: 'nosuchprogram' },
        says: /exit code 127[^]*nosuchprogram/,
      },
      { what: 'a syntax error', given: { command: 'if true; then' }, says: /exit code 2[^]*syntax error/ },
    ],
  },
  {
    tool: runTerminalCmd,
    right: [
      right('output and exit code', async (desk) => {
        const { output, exit_code: code } = await desk.call(runTerminalCmd, {
          command: 'sort -r notes.txt; (exit 4)',
        });
        assert.deepEqual([output, code], [await desk.sh('sort -r notes.txt'), 4]);
      }),
      right('a program that goes on', async (desk) => {
        const { terminal, status } = await desk.call(runTerminalCmd, {
          command: 'sleep 4321',
          is_background: true,
        });
        assert.deepEqual([status, await runs(desk, 'sleep 4321$')], ['running', true]);
        await desk.call(stopTerminal, { terminal, close: true });
      }),
      right('its end by the clock', async (desk) => {
        const { status } = await desk.call(runTerminalCmd, { command: 'sleep 4322', timeout_ms: 1000 });
        assert.deepEqual([status, await runs(desk, 'sleep 4322$')], ['timed-out', false]);
      }),
    ],
    wrong: [
      noTerminal({ command: 'true' }),
      wrong(
        'a terminal that is busy',
        async (desk) => ({ command: 'true', terminal: await asking(desk) }),
        'terminal-busy',
        /terminal/,
        {
          last: async (desk) => {
            for (const { terminal, running } of (await desk.call(listTerminals, {})).terminals)
              if (running) await desk.call(stopTerminal, { terminal, close: true });
          },
        },
      ),
      wrong('an empty command', { command: '' }, 'schema', /command/),
    ],
    failing: [
      {
        what: 'no such program',
        given: { command: 'nosuchprogram' },
        says: /exit code 127[^]*nosuchprogram/,
      },
      {
        what: 'a program that is not whole',
        given: { command: 'if true; then' },
        says: /exit code 2[^]*syntax error/,
      },
    ],
  },
  {
    tool: listTerminals,
    right: [
      right('those that VS Code has, with live processes', async (desk) => {
        const { terminals } = await desk.call(listTerminals, {});
        const { terminals: truth } = await desk.ask(ide.terminals, {});
        const open = terminals.filter(({ closed }) => !closed);
        assert.deepEqual(
          open.map(({ terminal, process }) => [terminal, process]),
          truth.map(({ id, processId }) => [id, processId]),
        );
        for (const { process } of open) await desk.sh(`kill -0 ${process}`);
      }),
    ],
    wrong: [wrong('an argument', { name: 'bash' }, 'schema', /no arguments/)],
  },
  {
    tool: readTerminal,
    right: [
      right(
        'what a command has written so far',
        async (desk) => {
          const terminal = await newest(desk);
          const { output, status } = await desk.call(readTerminal, {
            terminal,
            wait_ms: 10_000,
            wait_for: 'one',
          });
          assert.deepEqual([output, status], [await desk.sh('cat r.txt'), 'running']);
          const other = await desk.answer(readTerminal, { terminal, wait_ms: 200, wait_for: 'two' });
          assert.equal(other.effect, 'partial');
        },
        {
          first: async (desk) => {
            await desk.call(runTerminalCmd, {
              command: 'echo one > r.txt; cat r.txt; sleep 500',
              is_background: true,
            });
            await desk.until('its file', async () => (await desk.sh('cat r.txt 2>&- || true')) !== '');
          },
          last: async (desk) =>
            void (await desk.call(stopTerminal, { terminal: await newest(desk), close: true })),
        },
      ),
    ],
    wrong: [noTerminal()],
  },
  {
    tool: sendToTerminal,
    right: [
      right('an answer to a question', async (desk) => {
        const terminal = await asking(desk);
        const { output, status } = await desk.call(sendToTerminal, {
          terminal,
          text: 'Ann',
          wait_ms: 20_000,
        });
        assert.equal(await desk.sh('cat said.txt'), 'hello Ann\n');
        assert.deepEqual([status, output.includes('hello Ann')], ['exited', true]);
      }),
      right('a command to a shell that waits', async (desk) => {
        const { terminal } = await desk.call(runTerminalCmd, { command: 'true' });
        const { text } = await desk.answer(sendToTerminal, {
          terminal,
          text: 'echo typed$((1 + 1)); (exit 6)',
          wait_ms: 10_000,
        });
        assert.match(text, /typed2/);
        assert.match(text, /exit code 6/);
      }),
    ],
    wrong: [
      noTerminal({ text: 'x' }),
      wrong(
        'a terminal that is closed',
        async (desk) => {
          const { terminal } = await desk.call(runTerminalCmd, { command: 'sleep 600', is_background: true });
          await desk.call(stopTerminal, { terminal, close: true });
          return { terminal, text: 'x' };
        },
        'not-found',
        /closed/,
      ),
    ],
  },
  {
    tool: stopTerminal,
    right: [
      right('a command, whose process ends', async (desk) => {
        const { terminal } = await desk.call(runTerminalCmd, { command: 'sleep 4323', is_background: true });
        const { status } = await desk.call(stopTerminal, { terminal });
        assert.equal(status, 'stopped');
        await desk.until('its end', async () => !(await runs(desk, 'sleep 4323$')));
      }),
      right('one that has ended: nothing is done', async (desk) => {
        const { terminal } = await desk.call(runTerminalCmd, { command: 'true' });
        const { effect } = await desk.answer(stopTerminal, { terminal });
        assert.equal(effect, 'no-effect');
      }),
    ],
    wrong: [noTerminal()],
  },
];
