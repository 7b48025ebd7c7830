import * as z from 'zod';
import { tool } from './descriptor.ts';

const text = z.string().max(10_000);

/** Python in a persistent interpreter. */
export const pythonTools = {
  runPython: tool({
    name: 'run_python',
    title: 'Run Python in a persistent interpreter',
    description:
      'Runs Python code like a cell of a notebook: variables are kept for the next call, and the value of the last expression is shown. Uses IPython if it is installed, else plain Python; the result says which. Jupyter is not needed. If the code raises an exception, that is a result, not an error.',
    family: 'run',
    where: 'extension',
    readOnly: false,
    sources: [{ from: 'VS Code', name: 'run_notebook_cell' }],
    input: z.strictObject({
      code: z
        .string()
        .max(1_000_000)
        .describe('one or more statements, run by the interpreter chosen for the workspace'),
      session: z
        .string()
        .regex(/^[\w.-]{1,50}$/)
        .default('default')
        .describe('name of an interpreter; each name is a separate interpreter with separate variables'),
      reset: z.boolean().default(false).describe('start a new interpreter'),
      timeout_ms: z
        .int()
        .min(1)
        .max(600_000)
        .default(60_000)
        .describe('milliseconds until the code is interrupted'),
    }),
    output: z.object({
      engine: z.enum(['ipython', 'python']),
      version: text.describe('of Python'),
      status: z
        .enum(['ok', 'error', 'timed-out', 'died'])
        .describe('timed-out: interrupted; died: the interpreter ended, and its variables are gone'),
      output: z
        .string()
        .max(200_000)
        .describe('the printed output, including that of programs that it started'),
      result: z.string().max(100_000).nullable().describe('of the last expression, as repr() writes it'),
      error: z.string().max(100_000).nullable().describe('the traceback'),
      truncated: z.boolean().describe('output, result or error are cut'),
      fresh: z.boolean().describe('a new interpreter, without variables of earlier calls'),
      duration_ms: z.number().nonnegative(),
    }),
    text: ({ status, output, result, error, engine, version }) =>
      [`${status} (${engine} ${version})`, output.trimEnd(), result ?? '', error ?? '']
        .filter((part) => part !== '')
        .join('\n'),
    effect: ({ status }) => ({
      effect: status === 'ok' || status === 'error' ? 'confirmed' : 'partial',
      evidence: `the interpreter answered: ${status}`,
    }),
  }),
};
