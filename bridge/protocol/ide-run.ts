import * as z from 'zod';
import { limits } from './connection.ts';
import { defineMethod } from './descriptor.ts';

const runText = z.string().max(10_000);

/** A command of a terminal, as VS Code's shell integration reports it. */
const terminalCommand = z.object({
  line: runText.describe('as the shell received it'),
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

const terminal = z.object({
  id: z.int().positive().describe('of this window session; never used twice'),
  name: runText,
  processId: z.int().nullable(),
  cwd: runText.nullable().describe('null where shell integration does not report it'),
  active: z.boolean(),
  shellIntegration: z
    .boolean()
    .describe('false: nothing is known of the commands of this terminal, and none can be run with a result'),
  lastCommand: terminalCommand.nullable(),
});
export type Terminal = z.output<typeof terminal>;

const ideTask = z.object({
  name: runText,
  source: runText.describe('its provider, e.g. Workspace or npm'),
  type: runText.describe('of its definition, e.g. shell, process, npm'),
  group: runText.nullable().describe('build, test, clean, rebuild'),
  detail: runText.nullable(),
  background: z.boolean().describe('it is not expected to end'),
  running: z.boolean(),
});
export type IdeTask = z.output<typeof ideTask>;

/** State of terminals and tasks. Part of `ide`. */
export const ideRun = {
  /** Terminals of the window, those of tasks and of the debugger included, with the last command of each. */
  terminals: defineMethod(
    'ide.terminals',
    z.object({
      maxChars: z.int().nonnegative().max(limits.terminalText).default(4000).describe('of each output'),
    }),
    z.object({ terminals: z.array(terminal).max(100), omitted: z.int().nonnegative() }),
  ),
  /**
   * Tasks of the workspace and of its tools, in VS Code's order. Errors: `TimedOut` if one of their providers hangs.
   */
  tasks: defineMethod(
    'ide.tasks',
    z.object({ limit: z.int().positive().max(2000).default(500) }),
    z.object({ tasks: z.array(ideTask).max(2000), omitted: z.int().nonnegative() }),
  ),
};

const debugText = z.string().max(10_000);
const uri = z.string().max(8192);

const debugFrame = z.object({
  id: z.int().describe('of the session, valid until it runs on'),
  name: debugText,
  uri: uri.nullable().describe('null if there is no source for it'),
  line: z.int().nonnegative().describe('1 for the first line'),
  column: z.int().nonnegative().describe('1 for the first character'),
});

const debugThread = z.object({
  id: z.int(),
  name: debugText,
  frames: z.array(debugFrame).max(1000).describe('the innermost first; empty while it runs'),
});
export type DebugThread = z.output<typeof debugThread>;

const debugState = z
  .enum(['starting', 'running', 'stopped', 'ended'])
  .describe('starting: the debug adapter has not begun with the program yet');

const debugSession = z.object({
  id: z.int().positive().describe('of this window session; never used twice'),
  parent: z.int().positive().nullable().describe('the session that began this one'),
  name: debugText,
  type: debugText.describe('of its debugger, e.g. pwa-node'),
  state: debugState,
  reason: debugText.nullable().describe('why it stopped: breakpoint, step, exception, pause, entry …'),
  exception: debugText.nullable().describe('what was thrown, where it stopped for that'),
  threads: z.array(debugThread).max(200),
  problem: debugText
    .nullable()
    .describe('why threads and frames are missing, as an adapter that does not answer'),
});
export type DebugSession = z.output<typeof debugSession>;

const ideBreakpoint = z.object({
  kind: z.enum(['source', 'function', 'other']),
  uri: uri.nullable(),
  line: z.int().nonnegative().nullable().describe('1 for the first line'),
  column: z.int().nonnegative().nullable().describe('1 for the first character; null for the whole line'),
  name: debugText.nullable().describe('of the function'),
  enabled: z.boolean(),
  condition: debugText.nullable(),
  hitCondition: debugText.nullable(),
  logMessage: debugText.nullable().describe('written instead of stopping'),
  verified: z.boolean().nullable().describe('by the debugger; null while nothing is debugged'),
});
export type IdeBreakpoint = z.output<typeof ideBreakpoint>;

const debugVariable = z.object({
  name: debugText,
  value: debugText,
  type: debugText.nullable(),
  reference: z.int().nonnegative().describe('to read its content; 0: it has none'),
});
export type DebugVariable = z.output<typeof debugVariable>;

/** State of debugging. Part of `ide`. */
export const ideDebug = {
  /**
   * Running sessions, with threads and stacks of those that are stopped. An adapter that hangs is reported as a
   * problem.
   */
  debug: defineMethod(
    'ide.debug',
    z.object({ frames: z.int().min(1).max(1000).default(20).describe('of each thread') }),
    z.object({ sessions: z.array(debugSession).max(100) }),
  ),
  breakpoints: defineMethod(
    'ide.breakpoints',
    z.object({ limit: z.int().positive().max(10_000).default(1000) }),
    z.object({ breakpoints: z.array(ideBreakpoint).max(10_000), omitted: z.int().nonnegative() }),
  ),
  /**
   * Variables of a frame, scope by scope, or the content of a reference. Errors: `NotFound` for an unknown session,
   * `Tool` for one that is running or whose adapter does not answer.
   */
  variables: defineMethod(
    'ide.variables',
    z.object({
      session: z.int().positive(),
      frame: z.int().optional().describe('default: the innermost frame of the thread that stopped'),
      reference: z.int().positive().optional().describe('instead of a frame: of a variable'),
      limit: z.int().positive().max(2000).default(200).describe('variables of each scope'),
    }),
    z.object({
      scopes: z
        .array(
          z.object({
            name: debugText,
            expensive: z.boolean().describe('only read by its reference'),
            reference: z.int().nonnegative(),
            variables: z.array(debugVariable).max(2000),
            omitted: z.int().nonnegative(),
          }),
        )
        .max(50),
    }),
  ),
};
