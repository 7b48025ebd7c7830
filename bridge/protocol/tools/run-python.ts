import * as z from 'zod';
import { tool } from './descriptor.ts';

const text = z.string().max(10_000);

/** Python in an interpreter that is kept. */
export const pythonTools = {
  runPython: tool({
    name: 'run_python',
    title: 'Run Python in a kept interpreter',
    description:
      'Runs Python code as a cell of a notebook: variables stay for the next call, and the value of a last expression is shown. Runs in IPython where that is installed, else in plain Python; the answer says which. No Jupyter is needed. Code that raises is a result, not an error.',
    family: 'run',
    where: 'extension',
    readOnly: false,
    sources: [{ from: 'VS Code', name: 'run_notebook_cell' }],
    input: z.strictObject({
      code: z
        .string()
        .max(1_000_000)
        .describe('one or more statements, run by the interpreter that is chosen for the workspace'),
      session: z
        .string()
        .regex(/^[\w.-]{1,50}$/)
        .default('default')
        .describe('name of an interpreter; each name is a separate interpreter with separate variables'),
      reset: z.boolean().default(false).describe('begin with a new interpreter'),
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
      output: z.string().max(200_000).describe('what was printed, by programs that were called too'),
      result: z.string().max(100_000).nullable().describe('of the last expression, as repr() writes it'),
      error: z.string().max(100_000).nullable().describe('the traceback'),
      truncated: z.boolean().describe('output, result or error are cut'),
      fresh: z.boolean().describe('a new interpreter: it had no variables of earlier calls'),
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
