import * as z from 'zod';
import { method } from './descriptor.ts';

const text = z.string().max(10_000);
const uri = z.string().max(8192);

export const debugFrame = z.object({
  id: z.int().describe('of the session, valid until it runs on'),
  name: text,
  uri: uri.nullable().describe('null if there is no source for it'),
  line: z.int().nonnegative().describe('1 for the first line'),
  column: z.int().nonnegative().describe('1 for the first character'),
});
export type DebugFrame = z.output<typeof debugFrame>;

export const debugThread = z.object({
  id: z.int(),
  name: text,
  frames: z.array(debugFrame).max(1000).describe('the innermost first; empty while it runs'),
});
export type DebugThread = z.output<typeof debugThread>;

export const debugState = z
  .enum(['starting', 'running', 'stopped', 'ended'])
  .describe('starting: the debug adapter has not begun with the program yet');

export const debugSession = z.object({
  id: z.int().positive().describe('of this window session; never used twice'),
  parent: z.int().positive().nullable().describe('the session that began this one'),
  name: text,
  type: text.describe('of its debugger, e.g. pwa-node'),
  state: debugState,
  reason: text.nullable().describe('why it stopped: breakpoint, step, exception, pause, entry …'),
  exception: text.nullable().describe('what was thrown, where it stopped for that'),
  threads: z.array(debugThread).max(200),
  problem: text.nullable().describe('why threads and frames are missing, as an adapter that does not answer'),
});
export type DebugSession = z.output<typeof debugSession>;

export const breakpoint = z.object({
  kind: z.enum(['source', 'function', 'other']),
  uri: uri.nullable(),
  line: z.int().nonnegative().nullable().describe('1 for the first line'),
  column: z.int().nonnegative().nullable().describe('1 for the first character; null for the whole line'),
  name: text.nullable().describe('of the function'),
  enabled: z.boolean(),
  condition: text.nullable(),
  hitCondition: text.nullable(),
  logMessage: text.nullable().describe('written instead of stopping'),
  verified: z.boolean().nullable().describe('by the debugger; null while nothing is debugged'),
});
export type Breakpoint = z.output<typeof breakpoint>;

export const debugVariable = z.object({
  name: text,
  value: text,
  type: text.nullable(),
  reference: z.int().nonnegative().describe('to read its content; 0: it has none'),
});
export type DebugVariable = z.output<typeof debugVariable>;

/** State of debugging. Part of `ide`. */
export const ideDebug = {
  /**
   * Running sessions, with threads and stacks of those that are stopped. An adapter that hangs is reported as a
   * problem.
   */
  debug: method(
    'ide.debug',
    z.object({ frames: z.int().min(1).max(1000).default(20).describe('of each thread') }),
    z.object({ sessions: z.array(debugSession).max(100) }),
  ),
  breakpoints: method(
    'ide.breakpoints',
    z.object({ limit: z.int().positive().max(10_000).default(1000) }),
    z.object({ breakpoints: z.array(breakpoint).max(10_000), omitted: z.int().nonnegative() }),
  ),
  /**
   * Variables of a frame, scope by scope, or the content of a reference. Errors: `NotFound` for an unknown session,
   * `Tool` for one that is running or whose adapter does not answer.
   */
  variables: method(
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
            name: text,
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
