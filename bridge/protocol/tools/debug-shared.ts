import * as z from 'zod';
import type { ToolEffect } from './descriptor.ts';
import { terminalId } from './run-terminal.ts';
import { pathOut } from './shared.ts';

export const text = z.string().max(10_000);
export const session = z.int().positive();

export const sessionIn = session
  .optional()
  .describe('number of a debug session; default: the stopped one, else the newest');

export const where = z.object({ session, name: text, type: text.describe('of its debugger') });

export const frame = z.object({
  id: z.int().describe('for debug_variables and debug_evaluate, until the program continues'),
  name: text,
  path: pathOut.nullable().describe('null if there is no source for it'),
  line: z.int().nonnegative().describe('1 for the first line'),
  column: z.int().nonnegative().describe('1 for the first character'),
});
export type ToolFrame = z.output<typeof frame>;

const debugState = z.enum(['starting', 'running', 'stopped', 'ended']);

/** The state of a debugged program after an operation. */
export const position = where.extend({
  state: debugState,
  reason: text.nullable().describe('why it stopped: breakpoint, step, exception, pause, entry …'),
  exception: text.nullable().describe('the exception, if it stopped for one'),
  frame: frame.nullable().describe('where it stopped'),
  source: text.describe('lines around that place; empty while the program runs'),
  output: z.string().max(100_000).describe('output of the program since the last report'),
  truncated: z.boolean().describe('some of the output is left out'),
  exit_code: z.int().nullable().describe('null until it ended, or if the debugger does not report it'),
  terminal: terminalId
    .nullable()
    .describe('terminal that the program was started in, for read_terminal and send_to_terminal'),
  beside: z
    .array(where.extend({ state: debugState }))
    .max(100)
    .describe('further programs that were started with it, of a compound'),
});
export type Position = z.output<typeof position>;

export function stateText(result: Position): string {
  const { exception, source, output, truncated, beside } = result;
  const others = beside.map(({ session: id, name, state }) => `session ${id} (${name}): ${state}`);
  const written = `output${truncated ? ', some of it left out' : ''}:\n${output}`;
  return [
    headline(result),
    exception ?? '',
    source,
    ...others,
    output === '' ? '' : written,
    result.terminal === null ? '' : `it reads and writes in terminal ${result.terminal}`,
    inputHint(result),
  ]
    .filter((part) => part !== '')
    .join('\n');
}

export function stateEffect(result: Position): ToolEffect {
  return { effect: result.state === 'starting' ? 'partial' : 'confirmed', evidence: headline(result) };
}

export function frameLine({ name, path, line, column }: ToolFrame): string {
  return `${name} at ${path ?? 'no source'}:${line}:${column}`;
}

/** A program that found its input empty. */
function inputHint({ exception, output }: Position): string {
  return /\bEOFError\b/.test(exception ?? output)
    ? 'its input is empty: set in_terminal, and answer with send_to_terminal, for a program that reads'
    : '';
}

function headline({ session: id, state, reason, frame: at, exit_code: code }: Position): string {
  if (state === 'stopped')
    return `session ${id} stopped (${reason ?? 'unknown'})${at ? ` in ${frameLine(at)}` : ''}`;
  if (state === 'ended') return `session ${id} ended${code === null ? '' : ` with exit code ${code}`}`;
  return `session ${id} ${state === 'starting' ? 'is starting' : 'runs'}`;
}
