import * as z from 'zod';
import { shownText } from '../../text/index.ts';
import { shellResult } from '../shell.ts';
import { tool } from './descriptor.ts';
import { pythonTools } from './run-python.ts';
import { taskTools } from './run-task.ts';
import { terminalTools } from './run-terminal.ts';
import { testTools } from './run-tests.ts';

/** Programs, terminals, tasks, tests, notebooks. */
export const runTools = {
  shell: tool({
    name: 'shell',
    title: 'Run a shell command',
    description:
      'Runs one command with bash in the workspace, outside of the IDE’s terminals, and returns its output and exit code. A command that fails is a result, not an error. Background jobs keep running; redirect what they print to a file to read it.',
    family: 'run',
    where: 'bridge',
    readOnly: false,
    sources: [],
    input: z.strictObject({
      command: z.string().min(1).max(100_000).describe('run by bash in the workspace'),
      timeoutMs: z
        .int()
        .positive()
        .max(600_000)
        .default(120_000)
        .describe('milliseconds after which it and its children are killed'),
    }),
    output: shellResult,
    text: (result) =>
      [endingOf(result), shown(result.stdout), shown(result.stderr), ...lacks(result)]
        .filter((part) => part !== '')
        .join('\n'),
    effect: (result) => ({ effect: 'confirmed', evidence: `the tool answered: ${endingOf(result)}` }),
  }),
  ...terminalTools,
  ...taskTools,
  ...testTools,
  ...pythonTools,
};

/** Shows progress bars and colours as a terminal does. Line ends of any kind are kept, since files may have them. */
function shown(output: string): string {
  return /\u001b[[\]]|\r(?!\n)|\u0008/.test(output) ? shownText(output) : output;
}

function endingOf({ timedOut, exitCode, signal, truncated }: z.output<typeof shellResult>): string {
  const ending = timedOut ? 'timed out' : `exit code ${exitCode ?? signal}`;
  return truncated ? `${ending}, output cut` : ending;
}

function lacks({ truncated, jobsLeft }: z.output<typeof shellResult>): string[] {
  return [
    ...(truncated ? ['[the output was longer than is returned: its middle is left out]'] : []),
    ...(jobsLeft
      ? ['[a background job goes on; what it prints from now on is not kept: redirect it to a file]']
      : []),
  ];
}
