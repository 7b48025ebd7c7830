import * as z from 'zod';
import { terminalNumber } from './terminal-tools.ts';
import { resultPath, type ToolEffect } from './tool.ts';

export const debugToolText = z.string().max(10_000);
export const debugSessionNumber = z.int().positive();

export const debugSessionArgument = debugSessionNumber
  .optional()
  .describe('number of a debug session; default: the stopped one, else the newest');

export const debugSessionRef = z.object({
  session: debugSessionNumber,
  name: debugToolText,
  type: debugToolText.describe('of its debugger'),
});

export const toolFrame = z.object({
  id: z.int().describe('for debug_variables and debug_evaluate, until the program continues'),
  name: debugToolText,
  path: resultPath.nullable().describe('null if there is no source for it'),
  line: z.int().nonnegative().describe('1 for the first line'),
  column: z.int().nonnegative().describe('1 for the first character'),
});
type ToolFrame = z.output<typeof toolFrame>;

const debugSessionState = z.enum(['starting', 'running', 'stopped', 'ended']);

/** The state of a debugged program after an operation. */
export const debugPosition = debugSessionRef.extend({
  state: debugSessionState,
  reason: debugToolText.nullable().describe('why it stopped: breakpoint, step, exception, pause, entry …'),
  exception: debugToolText.nullable().describe('the exception, if it stopped for one'),
  frame: toolFrame.nullable().describe('where it stopped'),
  source: debugToolText.describe('lines around that place; empty while the program runs'),
  output: z.string().max(100_000).describe('output of the program since the last report'),
  truncated: z.boolean().describe('some of the output is left out'),
  exit_code: z.int().nullable().describe('null until it ended, or if the debugger does not report it'),
  terminal: terminalNumber
    .nullable()
    .describe('terminal that the program was started in, for read_terminal and send_to_terminal'),
  beside: z
    .array(debugSessionRef.extend({ state: debugSessionState }))
    .max(100)
    .describe('further programs that were started with it, of a compound'),
});
type DebugPosition = z.output<typeof debugPosition>;

export function renderDebugPosition(result: DebugPosition): string {
  const { exception, source, output, truncated, beside } = result;
  const others = beside.map(({ session: id, name, state }) => `session ${id} (${name}): ${state}`);
  const written = `output${truncated ? ', some of it left out' : ''}:\n${output}`;
  return [
    summarizeDebugPosition(result),
    exception ?? '',
    source,
    ...others,
    output === '' ? '' : written,
    result.terminal === null ? '' : `it reads and writes in terminal ${result.terminal}`,
    hintAtEmptyInput(result),
  ]
    .filter((part) => part !== '')
    .join('\n');
}

export function judgeDebugPosition(result: DebugPosition): ToolEffect {
  return {
    effect: result.state === 'starting' ? 'partial' : 'confirmed',
    evidence: summarizeDebugPosition(result),
  };
}

export function formatFrame({ name, path, line, column }: ToolFrame): string {
  return `${name} at ${path ?? 'no source'}:${line}:${column}`;
}

/** A program that found its input empty. */
function hintAtEmptyInput({ exception, output }: DebugPosition): string {
  return /\bEOFError\b/.test(exception ?? output)
    ? 'its input is empty: set in_terminal, and answer with send_to_terminal, for a program that reads'
    : '';
}

function summarizeDebugPosition({
  session: id,
  state,
  reason,
  frame: at,
  exit_code: code,
}: DebugPosition): string {
  if (state === 'stopped')
    return `session ${id} stopped (${reason ?? 'unknown'})${at ? ` in ${formatFrame(at)}` : ''}`;
  if (state === 'ended') return `session ${id} ended${code === null ? '' : ` with exit code ${code}`}`;
  return `session ${id} ${state === 'starting' ? 'is starting' : 'runs'}`;
}
