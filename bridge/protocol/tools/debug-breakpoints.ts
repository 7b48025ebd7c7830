import * as z from 'zod';
import { text } from './debug-shared.ts';
import { tool } from './descriptor.ts';
import { column, lineNumber, pathIn, pathOut } from './shared.ts';

const base = { family: 'debug', where: 'extension', sources: [] } as const;

const breakpoint = z.object({
  path: pathOut.nullable().describe('null for a function breakpoint'),
  line: z.int().positive().nullable(),
  column: z.int().positive().nullable().describe('null for the whole line'),
  function: text.nullable(),
  enabled: z.boolean(),
  condition: text.nullable(),
  hit_condition: text.nullable(),
  log_message: text.nullable(),
  verified: z
    .boolean()
    .nullable()
    .describe('the debugger has bound it to code; null while nothing is debugged'),
});
type Breakpoint = z.output<typeof breakpoint>;

/** Breakpoints, as the editor's margin shows them. */
export const breakpointTools = {
  setBreakpoint: tool({
    ...base,
    name: 'set_breakpoint',
    title: 'Set a breakpoint',
    description:
      'Sets a breakpoint on a line, or changes the one that is there: with a condition, a hit count, or a message that is logged instead of stopping. It shows in the editor and stays for later sessions.',
    readOnly: false,
    input: z.strictObject({
      path: pathIn,
      line: lineNumber.describe('1 for the first line'),
      column: column.optional().describe('1 for the first character; default: the whole line'),
      condition: text.optional().describe('stop only if this expression of the program is true'),
      hit_condition: text
        .optional()
        .describe("stop only at these hits, e.g. 5 or >= 3, in the debugger's own syntax"),
      log_message: text
        .optional()
        .describe('log this instead of stopping; {expression} is replaced by its value'),
      enabled: z.boolean().default(true).describe('false: it stays, but does not stop'),
    }),
    output: z.object({ breakpoint, replaced: z.boolean().describe('there was already one on this line') }),
    text: ({ breakpoint: one, replaced }) => `${replaced ? 'changed' : 'set'} ${breakpointLine(one)}`,
  }),
  removeBreakpoints: tool({
    ...base,
    name: 'remove_breakpoints',
    title: 'Remove breakpoints',
    description: 'Removes the breakpoints of a line, of a file, or all of them.',
    readOnly: false,
    input: z.strictObject({
      path: pathIn.optional().describe('default: all files'),
      line: lineNumber.optional().describe('default: all lines'),
    }),
    output: z.object({ removed: z.int().nonnegative() }),
    text: ({ removed }) => `removed ${removed} breakpoints`,
    effect: ({ removed }) => ({
      effect: removed > 0 ? 'confirmed' : 'no-effect',
      evidence: `removed ${removed} breakpoints`,
    }),
  }),
  listBreakpoints: tool({
    ...base,
    name: 'list_breakpoints',
    title: 'List breakpoints',
    description: 'Lists all breakpoints with their conditions, and whether the debugger accepted them.',
    readOnly: true,
    input: z.strictObject({}),
    output: z.object({
      breakpoints: z.array(breakpoint).max(1000),
      truncated: z.boolean().describe('there are more'),
    }),
    text: ({ breakpoints }) =>
      breakpoints.length === 0 ? 'there are no breakpoints' : breakpoints.map(breakpointLine).join('\n'),
  }),
};

function breakpointLine(one: Breakpoint): string {
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
