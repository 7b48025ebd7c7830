import * as z from 'zod';
import {
  debugPosition,
  debugSessionArgument,
  debugSessionNumber,
  debugSessionRef,
  debugToolText,
  formatFrame,
  judgeDebugPosition,
  renderDebugPosition,
  toolFrame,
} from './debug-state.ts';
import { columnNumber, defineTool, lineNumber, pathArgument, resultPath } from './tool.ts';

const breakpointBase = { family: 'debug', where: 'extension', sources: [] } as const;

const toolBreakpoint = z.object({
  path: resultPath.nullable().describe('null for a function breakpoint'),
  line: z.int().positive().nullable(),
  column: z.int().positive().nullable().describe('null for the whole line'),
  function: debugToolText.nullable(),
  enabled: z.boolean(),
  condition: debugToolText.nullable(),
  hit_condition: debugToolText.nullable(),
  log_message: debugToolText.nullable(),
  verified: z
    .boolean()
    .nullable()
    .describe('the debugger has bound it to code; null while nothing is debugged'),
});
type ToolBreakpoint = z.output<typeof toolBreakpoint>;

/** Breakpoints, as the editor's margin shows them. */
const breakpointTools = {
  setBreakpoint: defineTool({
    ...breakpointBase,
    name: 'set_breakpoint',
    title: 'Set a breakpoint',
    description:
      'Sets a breakpoint on a line, or changes the one that is there: with a condition, a hit count, or a message that is logged instead of stopping. It shows in the editor and stays for later sessions.',
    readOnly: false,
    input: z.strictObject({
      path: pathArgument,
      line: lineNumber.describe('1 for the first line'),
      column: columnNumber.optional().describe('1 for the first character; default: the whole line'),
      condition: debugToolText.optional().describe('stop only if this expression of the program is true'),
      hit_condition: debugToolText
        .optional()
        .describe("stop only at these hits, e.g. 5 or >= 3, in the debugger's own syntax"),
      log_message: debugToolText
        .optional()
        .describe('log this instead of stopping; {expression} is replaced by its value'),
      enabled: z.boolean().default(true).describe('false: it stays, but does not stop'),
    }),
    output: z.object({
      breakpoint: toolBreakpoint,
      replaced: z.boolean().describe('there was already one on this line'),
    }),
    text: ({ breakpoint: one, replaced }) => `${replaced ? 'changed' : 'set'} ${formatBreakpoint(one)}`,
  }),
  removeBreakpoints: defineTool({
    ...breakpointBase,
    name: 'remove_breakpoints',
    title: 'Remove breakpoints',
    description: 'Removes the breakpoints of a line, of a file, or all of them.',
    readOnly: false,
    input: z.strictObject({
      path: pathArgument.optional().describe('default: all files'),
      line: lineNumber.optional().describe('default: all lines'),
    }),
    output: z.object({ removed: z.int().nonnegative() }),
    text: ({ removed }) => `removed ${removed} breakpoints`,
    effect: ({ removed }) => ({
      effect: removed > 0 ? 'confirmed' : 'no-effect',
      evidence: `removed ${removed} breakpoints`,
    }),
  }),
  listBreakpoints: defineTool({
    ...breakpointBase,
    name: 'list_breakpoints',
    title: 'List breakpoints',
    description: 'Lists all breakpoints with their conditions, and whether the debugger accepted them.',
    readOnly: true,
    input: z.strictObject({}),
    output: z.object({
      breakpoints: z.array(toolBreakpoint).max(1000),
      truncated: z.boolean().describe('there are more'),
    }),
    text: ({ breakpoints }) =>
      breakpoints.length === 0 ? 'there are no breakpoints' : breakpoints.map(formatBreakpoint).join('\n'),
  }),
};

function formatBreakpoint(one: ToolBreakpoint): string {
  const place = one.function ?? `${one.path}:${one.line}${one.column === null ? '' : `:${one.column}`}`;
  const rest = [
    ...(one.enabled ? [] : ['disabled']),
    ...(one.condition === null ? [] : [`when ${one.condition}`]),
    ...(one.hit_condition === null ? [] : [`at hits ${one.hit_condition}`]),
    ...(one.log_message === null ? [] : [`logs ${one.log_message}`]),
    ...(one.verified === false ? ['not verified by the debugger'] : []),
  ];
  return `breakpoint ${place}${rest.length === 0 ? '' : `, ${rest.join(', ')}`}`;
}

const inspectionBase = { family: 'debug', where: 'extension', sources: [] } as const;

const frameArgument = z.int().optional().describe('id of a frame of debug_stack; default: the innermost');

const variable = z.object({
  name: debugToolText,
  value: debugToolText,
  type: debugToolText.nullable(),
  reference: z.int().nonnegative().describe('for debug_variables, to read its content; 0: none'),
});

/** The stack and the values of a stopped program. */
const debugInspectionTools = {
  debugStack: defineTool({
    ...inspectionBase,
    name: 'debug_stack',
    title: 'Show the call stack',
    description: 'Lists the threads of the stopped program with their calls, the innermost first.',
    readOnly: true,
    input: z.strictObject({
      session: debugSessionArgument,
      limit: z.int().min(1).max(1000).default(50).describe('maximum number of frames of each thread'),
    }),
    output: z.object({
      session: debugSessionNumber,
      threads: z
        .array(
          z.object({
            id: z.int(),
            name: debugToolText,
            stopped: z.boolean(),
            frames: z.array(toolFrame).max(1000),
          }),
        )
        .max(200),
      truncated: z.boolean().describe('a thread has more frames than the limit'),
    }),
    text: ({ threads, truncated }) =>
      [
        ...threads.flatMap(({ id, name, frames }) => [
          `thread ${id} ${name}${frames.length === 0 ? ' runs' : ''}`,
          ...frames.map((one) => `  #${one.id} ${formatFrame(one)}`),
        ]),
        ...(truncated ? ['and more frames'] : []),
      ].join('\n'),
  }),
  debugVariables: defineTool({
    ...inspectionBase,
    name: 'debug_variables',
    title: 'Show variables',
    description:
      'Shows the variables of a frame of the stopped program, scope by scope, or the content of one of them, by its reference. Global scopes are only named: read them by their reference.',
    readOnly: true,
    input: z.strictObject({
      session: debugSessionArgument,
      frame: frameArgument,
      reference: z
        .int()
        .positive()
        .optional()
        .describe('reference of a variable or scope, instead of a frame'),
      limit: z.int().min(1).max(2000).default(100).describe('variables of each scope'),
    }),
    output: z.object({
      session: debugSessionNumber,
      scopes: z
        .array(
          z.object({
            name: debugToolText,
            reference: z.int().nonnegative(),
            read: z.boolean().describe('false: it may be long; read it by its reference'),
            variables: z.array(variable).max(2000),
            omitted: z.int().nonnegative(),
          }),
        )
        .max(50),
    }),
    text: ({ scopes }) =>
      scopes
        .flatMap(({ name, reference, read, variables, omitted }) => [
          `${name}${read ? '' : ` (reference ${reference})`}:`,
          ...variables.map(
            (one) =>
              `  ${one.name} = ${one.value}${one.reference > 0 ? ` (reference ${one.reference})` : ''}`,
          ),
          ...(omitted > 0 ? [`  and ${omitted} more`] : []),
        ])
        .join('\n'),
  }),
  debugEvaluate: defineTool({
    ...inspectionBase,
    name: 'debug_evaluate',
    title: 'Evaluate an expression',
    description:
      "Evaluates an expression in a frame of the stopped program, in the program's language. The expression may call functions and change variables.",
    readOnly: false,
    input: z.strictObject({
      expression: z.string().min(1).max(100_000).describe("in the program's language"),
      session: debugSessionArgument,
      frame: frameArgument,
    }),
    output: z.object({
      session: debugSessionNumber,
      result: z.string().max(100_000),
      truncated: z.boolean(),
      type: debugToolText.nullable(),
      reference: z.int().nonnegative().describe('for debug_variables, to read its content; 0: none'),
    }),
    text: ({ result, reference }) => (reference > 0 ? `${result} (reference ${reference})` : result),
  }),
};

const debugBase = {
  family: 'debug',
  where: 'extension',
  readOnly: false,
  output: debugPosition,
  text: renderDebugPosition,
  effect: judgeDebugPosition,
} as const;

const waitArgument = z
  .int()
  .min(0)
  .max(600_000)
  .default(10_000)
  .describe('maximum milliseconds to wait until the program stops or ends; it keeps running after that');
const maxDebugOutput = z.int().min(0).max(100_000).default(10_000).describe('maximum characters of output');

/** VS Code's debugger, with the debug adapters that the IDE has: Node.js is built in. */
export const debugTools = {
  debugStart: defineTool({
    ...debugBase,
    name: 'debug_start',
    title: 'Debug a program',
    description:
      'Launches a program under the debugger, or attaches to a running one, and waits until it stops at a breakpoint or an exception, or ends. Give a program, the name of a launch configuration or compound, or a configuration as in launch.json. Set breakpoints first.',
    sources: [],
    input: z.strictObject({
      program: pathArgument
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
      wait_ms: waitArgument,
      max_output: maxDebugOutput,
    }),
  }),
  debugContinue: defineTool({
    ...debugBase,
    name: 'debug_continue',
    title: 'Continue',
    description: 'Continues the stopped program, and waits until it stops again or ends.',
    sources: [],
    input: z.strictObject({
      session: debugSessionArgument,
      wait_ms: waitArgument,
      max_output: maxDebugOutput,
    }),
  }),
  debugStep: defineTool({
    ...debugBase,
    name: 'debug_step',
    title: 'Step',
    description:
      'Runs the stopped program to the next line: over calls, into a call, or out of the function.',
    sources: [],
    input: z.strictObject({
      kind: z.enum(['over', 'into', 'out']).default('over').describe('what to do with calls on the line'),
      session: debugSessionArgument,
      wait_ms: waitArgument,
      max_output: maxDebugOutput,
    }),
  }),
  debugPause: defineTool({
    ...debugBase,
    name: 'debug_pause',
    title: 'Pause',
    description: 'Pauses the running program, so that its stack and variables can be seen.',
    sources: [],
    input: z.strictObject({
      session: debugSessionArgument,
      wait_ms: waitArgument,
      max_output: maxDebugOutput,
    }),
  }),
  debugExceptions: defineTool({
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
      session: debugSessionArgument,
    }),
    output: z.object({ session: debugSessionNumber, filters: z.array(z.string()).max(20) }),
    text: ({ filters }) =>
      filters.length === 0 ? 'stops at no exceptions' : `stops at exceptions: ${filters.join(', ')}`,
  }),
  debugStop: defineTool({
    name: 'debug_stop',
    title: 'Stop debugging',
    description: 'Ends a debug session and the program that it launched, or all of them.',
    family: 'debug',
    where: 'extension',
    readOnly: false,
    sources: [],
    input: z.strictObject({
      session: debugSessionArgument.describe('default: all'),
      max_output: maxDebugOutput,
    }),
    output: z.object({
      ended: z.array(debugSessionRef).max(100),
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
  ...debugInspectionTools,
};
