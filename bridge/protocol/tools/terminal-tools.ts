import * as z from 'zod';
import { clip } from '../../text/index.ts';
import { limits } from '../connection.ts';
import { defineTool, type ToolEffect } from './tool.ts';

const terminalBase = { family: 'run', where: 'extension' } as const;
const terminalText = z.string().max(10_000);

export const terminalNumber = z
  .int()
  .positive()
  .describe('number of a terminal, as list_terminals reports it');

export const maxOutputArgument = z
  .int()
  .min(0)
  .max(limits.terminalText)
  .default(30_000)
  .describe('maximum characters of output; the beginning and the end are kept');

/** The known state of a command in a terminal. */
const terminalCommandResult = z.object({
  terminal: terminalNumber,
  command: terminalText,
  status: z
    .enum(['exited', 'running', 'timed-out', 'stopped'])
    .describe(
      'running: it continues in its terminal; timed-out: it took too long and was interrupted; stopped: it was ended by request, or its terminal was closed',
    ),
  exit_code: z.int().nullable().describe('null unless it exited, or if the shell did not report it'),
  output: z
    .string()
    .max(limits.terminalText + 200)
    .describe(
      'standard output and error as a person sees them: without what was written over, and without colours',
    ),
  truncated: z.boolean().describe('some of the output is left out'),
  cwd: terminalText.nullable().describe("the shell's current folder; null if it does not report it"),
  duration_ms: z.number().nonnegative().describe('milliseconds since it began, or that it took'),
});
type TerminalCommandResult = z.output<typeof terminalCommandResult>;

function renderCommand(result: TerminalCommandResult): string {
  const { output } = result;
  return output === '' ? summarizeCommand(result) : `${summarizeCommand(result)}\n${output}`;
}

function judgeCommand(result: TerminalCommandResult): ToolEffect {
  return {
    effect: result.status === 'timed-out' ? 'partial' : 'confirmed',
    evidence: summarizeCommand(result),
  };
}

const commandAnswer = { output: terminalCommandResult, text: renderCommand, effect: judgeCommand } as const;

const notFound = 'the text that was waited for is not in the output';

/** Commands in terminals of the IDE, where a person sees them. */
export const terminalTools = {
  runTerminalCmd: defineTool({
    ...terminalBase,
    ...commandAnswer,
    name: 'run_terminal_cmd',
    title: 'Run a command in a terminal',
    description:
      'Runs a command with bash in a terminal of the IDE, where people see it, and returns its output and exit code. The terminal keeps its folder and variables from one foreground command to the next. A foreground command is interrupted after timeout_ms; a background command keeps running in its own terminal, for read_terminal and stop_terminal. A command that fails is a result, not an error. No one answers its questions: use flags such as --yes, or send_to_terminal.',
    readOnly: false,
    sources: [
      { from: 'IDE-Bench', name: 'run_terminal_cmd' },
      { from: 'VS Code', name: 'run_in_terminal' },
    ],
    input: z.strictObject({
      command: z.string().min(1).max(100_000).describe('one command or a script of several lines'),
      is_background: z
        .boolean()
        .default(false)
        .describe('return as soon as it runs, e.g. for servers; it keeps running'),
      timeout_ms: z
        .int()
        .min(1)
        .max(600_000)
        .default(120_000)
        .describe('milliseconds until a foreground command is interrupted'),
      terminal: terminalNumber.optional().describe('run it in this terminal; default: a free one'),
      max_output: maxOutputArgument,
    }),
  }),
  listTerminals: defineTool({
    ...terminalBase,
    name: 'list_terminals',
    title: 'List terminals',
    description:
      "Lists the terminals of the IDE, including the user's and those of tasks, with the last command of each and whether it is still running.",
    readOnly: true,
    sources: [],
    input: z.strictObject({}),
    output: z.object({
      terminals: z
        .array(
          z.object({
            terminal: terminalNumber,
            name: terminalText,
            process: z.int().nullable().describe('process id of its shell'),
            cwd: terminalText.nullable(),
            closed: z.boolean().describe('its window is gone; the output of its last command is kept'),
            shell_integration: z.boolean().describe('false: its commands are unknown'),
            command: terminalText.nullable().describe('the last one'),
            running: z.boolean(),
            exit_code: z.int().nullable(),
          }),
        )
        .max(200),
    }),
    text: ({ terminals }) =>
      terminals.length === 0
        ? 'there is no terminal'
        : terminals
            .map(
              (one) =>
                `${one.terminal} ${one.name}: ${describeCommandState(one.command, one.running, one.exit_code)}`,
            )
            .join('\n'),
  }),
  readTerminal: defineTool({
    ...terminalBase,
    name: 'read_terminal',
    title: 'Read the last command of a terminal',
    description:
      "Returns the output of a terminal's last command so far, and its exit code if it has ended. Can wait until it ends, or until its output contains a text, such as `listening on`.",
    readOnly: true,
    sources: [
      { from: 'VS Code', name: 'get_terminal_output' },
      { from: 'VS Code', name: 'terminal_last_command' },
    ],
    input: z.strictObject({
      terminal: terminalNumber.optional().describe('default: the active terminal'),
      wait_ms: z
        .int()
        .min(0)
        .max(600_000)
        .default(0)
        .describe('maximum milliseconds to wait until it ends or has written wait_for'),
      wait_for: z.string().min(1).max(1000).optional().describe('text that the output must contain'),
      max_output: maxOutputArgument,
    }),
    output: terminalCommandResult.extend({
      found: z.boolean().nullable().describe('whether the output has wait_for; null if that was not given'),
    }),
    text: (result) => [...(result.found === false ? [notFound] : []), renderCommand(result)].join('\n'),
    effect: (result) =>
      result.found === false ? { effect: 'partial', evidence: notFound } : judgeCommand(result),
  }),
  sendToTerminal: defineTool({
    ...terminalBase,
    ...commandAnswer,
    name: 'send_to_terminal',
    title: 'Type into a terminal',
    description:
      'Types text into a terminal, e.g. to answer a question of its command, and returns the output after that, up to wait_ms.',
    readOnly: false,
    sources: [{ from: 'VS Code', name: 'send_to_terminal' }],
    input: z.strictObject({
      terminal: terminalNumber,
      text: z.string().max(100_000).describe('\\u0003 for Ctrl+C, \\u0004 for Ctrl+D'),
      enter: z.boolean().default(true).describe('press Enter after it'),
      wait_ms: z
        .int()
        .min(0)
        .max(600_000)
        .default(2000)
        .describe('maximum milliseconds to wait until the command ends'),
      max_output: maxOutputArgument,
    }),
  }),
  stopTerminal: defineTool({
    ...terminalBase,
    name: 'stop_terminal',
    title: 'Stop the command of a terminal',
    description:
      'Interrupts the running command of a terminal (Ctrl+C). If that does not end it, or if close is set, closes the terminal, which kills the command.',
    readOnly: false,
    sources: [{ from: 'VS Code', name: 'kill_terminal' }],
    input: z.strictObject({
      terminal: terminalNumber,
      close: z.boolean().default(false).describe('close the terminal in any case'),
      max_output: maxOutputArgument,
    }),
    output: terminalCommandResult.extend({ closed: z.boolean().describe('the terminal was closed by this') }),
    text: (result) =>
      [...(result.closed ? ['the terminal is closed'] : []), renderCommand(result)].join('\n'),
    effect: (result) =>
      result.status === 'stopped' || result.closed
        ? { effect: 'confirmed', evidence: summarizeCommand(result) }
        : { effect: 'no-effect', evidence: `nothing ran in terminal ${result.terminal}` },
  }),
};

function describeCommandState(command: string | null, running: boolean, exit: number | null): string {
  if (command === null) return 'no command yet';
  return `${running ? 'runs' : `exit code ${exit ?? 'unknown'}`}: ${clip(command, 200)}`;
}

function summarizeCommand({ status, exit_code: code, terminal, truncated }: TerminalCommandResult): string {
  const cut = truncated ? '; output cut' : '';
  switch (status) {
    case 'exited':
      return `exit code ${code ?? 'unknown'}${cut}`;
    case 'running':
      return `runs in terminal ${terminal}${cut}`;
    case 'timed-out':
      return `timed out and was interrupted in terminal ${terminal}${cut}`;
    case 'stopped':
      return `stopped in terminal ${terminal}${cut}`;
  }
}

const taskBase = { family: 'run', where: 'extension' } as const;
const taskText = z.string().max(10_000);

const name = z.string().min(1).max(1000).describe('as list_tasks reports it');
const source = z.string().max(1000).optional().describe('its source, if several tasks have this name');

/** Tasks of the workspace: from tasks.json, and those that VS Code finds in package.json and the like. */
export const taskTools = {
  listTasks: defineTool({
    ...taskBase,
    name: 'list_tasks',
    title: 'List tasks',
    description:
      "Lists VS Code's tasks: those of .vscode/tasks.json and those that extensions find, such as npm scripts. Shows which are running.",
    readOnly: true,
    sources: [],
    input: z.strictObject({}),
    output: z.object({
      tasks: z
        .array(
          z.object({
            name: taskText,
            source: taskText,
            type: taskText,
            group: taskText.nullable().describe('build, test, clean, rebuild'),
            detail: taskText.nullable(),
            background: z.boolean().describe('it is not expected to end by itself'),
            running: z.boolean(),
          }),
        )
        .max(500),
      truncated: z.boolean().describe('there are more'),
    }),
    text: ({ tasks, truncated }) =>
      tasks.length === 0
        ? 'there are no tasks'
        : [
            ...tasks.map((one) => `${one.name} (${one.source}, ${one.type})${one.running ? ', runs' : ''}`),
            ...(truncated ? ['and more'] : []),
          ].join('\n'),
  }),
  runTask: defineTool({
    ...taskBase,
    name: 'run_task',
    title: 'Run a task',
    description:
      'Runs one of VS Code’s tasks in its terminal and, unless it is a background task, waits for its end. Returns its exit code and output; problems that its matchers find become diagnostics.',
    readOnly: false,
    sources: [{ from: 'VS Code', name: 'run_task' }],
    input: z.strictObject({
      name,
      source,
      wait: z.boolean().optional().describe('wait for its end; default: unless it is a background task'),
      timeout_ms: z
        .int()
        .min(1)
        .max(600_000)
        .default(120_000)
        .describe('milliseconds until a task that is waited for is ended'),
      max_output: maxOutputArgument,
    }),
    output: z.object({
      task: taskText,
      status: z.enum(['exited', 'running', 'timed-out']),
      exit_code: z.int().nullable().describe('null while it runs, and for a task that is not a process'),
      terminal: terminalNumber
        .nullable()
        .describe('its terminal, for read_terminal; null if VS Code does not report it'),
      output: z
        .string()
        .max(limits.terminalText)
        .nullable()
        .describe('null if VS Code does not report it: then it is only in the terminal on the screen'),
      truncated: z.boolean(),
      duration_ms: z.number().nonnegative(),
    }),
    text: (result) => [formatTask(result), result.output ?? ''].filter((part) => part !== '').join('\n'),
    effect: (result) => ({
      effect: result.status === 'timed-out' ? 'partial' : 'confirmed',
      evidence: formatTask(result),
    }),
  }),
  stopTask: defineTool({
    ...taskBase,
    name: 'stop_task',
    title: 'Stop a task',
    description: 'Ends a running task, such as a background task or one that someone else started.',
    readOnly: false,
    sources: [],
    input: z.strictObject({ name, source }),
    output: z.object({
      task: taskText,
      ended: z.boolean().describe('false: it did not end within 5 seconds'),
    }),
    text: ({ task, ended }) => (ended ? `${task} has ended` : `${task} was asked to end and still runs`),
    effect: ({ task, ended }) => ({
      effect: ended ? 'confirmed' : 'partial',
      evidence: ended ? `${task} has ended` : `${task} still runs`,
    }),
  }),
};

function formatTask({
  task,
  status,
  exit_code: code,
}: {
  task: string;
  status: string;
  exit_code: number | null;
}): string {
  if (status === 'exited') return `${task}: exit code ${code ?? 'unknown'}`;
  return status === 'running' ? `${task} runs` : `${task} timed out and was ended`;
}
