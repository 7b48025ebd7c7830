import * as z from 'zod';
import { method } from './descriptor.ts';
import { limits } from './limits.ts';

const text = z.string().max(10_000);

/** A command of a terminal, as VS Code's shell integration reports it. */
export const terminalCommand = z.object({
  line: text.describe('as the shell received it'),
  running: z.boolean(),
  exitCode: z.int().nullable().describe('null while it runs, and where the shell did not report it'),
  ageMs: z.number().nonnegative().describe('since it began, in milliseconds'),
  output: z
    .string()
    .max(limits.terminalText)
    .describe('without escape sequences, as the lines appear on the screen'),
  omitted: z.int().nonnegative().describe('characters left out of the middle of the output'),
});
export type TerminalCommand = z.output<typeof terminalCommand>;

export const terminal = z.object({
  id: z.int().positive().describe('of this window session; never used twice'),
  name: text,
  processId: z.int().nullable(),
  cwd: text.nullable().describe('null where shell integration does not report it'),
  active: z.boolean(),
  shellIntegration: z
    .boolean()
    .describe('false: nothing is known of the commands of this terminal, and none can be run with a result'),
  lastCommand: terminalCommand.nullable(),
});
export type Terminal = z.output<typeof terminal>;

export const task = z.object({
  name: text,
  source: text.describe('its provider, e.g. Workspace or npm'),
  type: text.describe('of its definition, e.g. shell, process, npm'),
  group: text.nullable().describe('build, test, clean, rebuild'),
  detail: text.nullable(),
  background: z.boolean().describe('it is not expected to end'),
  running: z.boolean(),
});
export type Task = z.output<typeof task>;

/** State of terminals and tasks. Part of `ide`. */
export const ideRun = {
  /** Terminals of the window, those of tasks and of the debugger included, with the last command of each. */
  terminals: method(
    'ide.terminals',
    z.object({
      maxChars: z.int().nonnegative().max(limits.terminalText).default(4000).describe('of each output'),
    }),
    z.object({ terminals: z.array(terminal).max(100), omitted: z.int().nonnegative() }),
  ),
  /**
   * Tasks of the workspace and of its tools, in VS Code's order. Errors: `TimedOut` if one of their providers hangs.
   */
  tasks: method(
    'ide.tasks',
    z.object({ limit: z.int().positive().max(2000).default(500) }),
    z.object({ tasks: z.array(task).max(2000), omitted: z.int().nonnegative() }),
  ),
};
