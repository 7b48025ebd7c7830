import * as z from 'zod';
import { breakpointTools } from './debug-breakpoints.ts';
import { debugLookTools } from './debug-look.ts';
import { position, session, sessionIn, stateEffect, stateText, where } from './debug-shared.ts';
import { tool } from './descriptor.ts';
import { pathIn } from './shared.ts';

const base = {
  family: 'debug',
  where: 'extension',
  readOnly: false,
  output: position,
  text: stateText,
  effect: stateEffect,
} as const;

const wait = z
  .int()
  .min(0)
  .max(600_000)
  .default(10_000)
  .describe('maximum milliseconds to wait until the program stops or ends; it keeps running after that');
const maxOutput = z.int().min(0).max(100_000).default(10_000).describe('maximum characters of output');

/** VS Code's debugger, with the debug adapters that the IDE has: Node.js is built in. */
export const debugTools = {
  debugStart: tool({
    ...base,
    name: 'debug_start',
    title: 'Debug a program',
    description:
      'Launches a program under the debugger, or attaches to a running one, and waits until it stops at a breakpoint or an exception, or ends. Give a program, the name of a launch configuration or compound, or a configuration as in launch.json. Set breakpoints first.',
    sources: [],
    input: z.strictObject({
      program: pathIn
        .optional()
        .describe(
          'file to run: .js, .mjs, .cjs, .ts with Node.js, .py with debugpy; in images with these languages .go with Delve, a built program of C, C++ or Rust with LLDB',
        ),
      args: z.array(z.string().max(10_000)).max(1000).default([]).describe('of the program'),
      in_terminal: z
        .boolean()
        .default(false)
        .describe(
          'run the program in a terminal of the IDE, where send_to_terminal types its input; otherwise its input is empty',
        ),
      name: z
        .string()
        .min(1)
        .max(1000)
        .optional()
        .describe('name of a configuration or of a compound in launch.json'),
      configuration: z
        .record(z.string().max(200), z.unknown())
        .optional()
        .describe('as in launch.json, e.g. {"type": "node", "request": "attach", "port": 9229}'),
      stop_on_entry: z.boolean().default(false).describe('stop before the first line'),
      exceptions: z
        .array(z.string().max(100))
        .max(20)
        .optional()
        .describe("exceptions to stop at, by the debugger's filters: `all` and `uncaught` for Node.js"),
      wait_ms: wait,
      max_output: maxOutput,
    }),
  }),
  debugContinue: tool({
    ...base,
    name: 'debug_continue',
    title: 'Continue',
    description: 'Continues the stopped program, and waits until it stops again or ends.',
    sources: [],
    input: z.strictObject({ session: sessionIn, wait_ms: wait, max_output: maxOutput }),
  }),
  debugStep: tool({
    ...base,
    name: 'debug_step',
    title: 'Step',
    description:
      'Runs the stopped program to the next line: over calls, into a call, or out of the function.',
    sources: [],
    input: z.strictObject({
      kind: z.enum(['over', 'into', 'out']).default('over').describe('what to do with calls on the line'),
      session: sessionIn,
      wait_ms: wait,
      max_output: maxOutput,
    }),
  }),
  debugPause: tool({
    ...base,
    name: 'debug_pause',
    title: 'Pause',
    description: 'Pauses the running program, so that its stack and variables can be seen.',
    sources: [],
    input: z.strictObject({ session: sessionIn, wait_ms: wait, max_output: maxOutput }),
  }),
  debugExceptions: tool({
    name: 'debug_exceptions',
    title: 'Stop at exceptions',
    description:
      "Sets which exceptions the running session stops at, by the debugger's own filters: `all` and `uncaught` for Node.js. Replaces the previous choice.",
    family: 'debug',
    where: 'extension',
    readOnly: false,
    sources: [],
    input: z.strictObject({
      filters: z.array(z.string().max(100)).max(20).describe('empty: stop at none'),
      session: sessionIn,
    }),
    output: z.object({ session, filters: z.array(z.string()).max(20) }),
    text: ({ filters }) =>
      filters.length === 0 ? 'stops at no exceptions' : `stops at exceptions: ${filters.join(', ')}`,
  }),
  debugStop: tool({
    name: 'debug_stop',
    title: 'Stop debugging',
    description: 'Ends a debug session and the program that it launched, or all of them.',
    family: 'debug',
    where: 'extension',
    readOnly: false,
    sources: [],
    input: z.strictObject({ session: sessionIn.describe('default: all'), max_output: maxOutput }),
    output: z.object({
      ended: z.array(where).max(100),
      remaining: z.int().nonnegative().describe('sessions that did not end within 10 seconds'),
      output: z.string().max(100_000).describe('output since the last report'),
    }),
    text: ({ ended, remaining, output }) =>
      [`${ended.length} sessions ended${remaining > 0 ? `, ${remaining} did not` : ''}`, output]
        .filter((part) => part !== '')
        .join('\n'),
    effect: ({ ended, remaining }) => ({
      effect: remaining > 0 ? 'partial' : ended.length > 0 ? 'confirmed' : 'no-effect',
      evidence: `${ended.length} sessions ended, ${remaining} did not`,
    }),
  }),
  ...breakpointTools,
  ...debugLookTools,
};
