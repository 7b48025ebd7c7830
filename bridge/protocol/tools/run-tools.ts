import * as z from 'zod';
import { clip, renderTerminalText } from '../../text/index.ts';
import { shellResult } from '../desktop.ts';
import { maxOutputArgument, taskTools, terminalNumber, terminalTools } from './terminal-tools.ts';
import { defineTool, pathArgument } from './tool.ts';

const testBase = { family: 'run', where: 'extension', sources: [] } as const;
const testText = z.string().max(10_000);

const testRunner = z.enum(['pytest', 'node']).describe("pytest, or Node.js's own runner (node --test)");

const runnerArgument = testRunner
  .optional()
  .describe('default: pytest where there are Python tests, else node where there are JavaScript tests');

const testResult = z.object({
  id: testText.describe('an id that the runner accepts; else a name'),
  status: z.enum(['passed', 'failed', 'error', 'skipped', 'xfailed']),
  duration_ms: z.number().nonnegative(),
  message: testText.describe('why it failed or was skipped; cut'),
});

/** Whether the report says why a test failed: the runner's output repeats it. */
function isExplained({ status, message }: z.output<typeof testResult>): boolean {
  return (status === 'failed' || status === 'error') && message !== '';
}

/** Tests by the project's own runner, in a terminal: VS Code's API does not show the tests of another extension. */
const testTools = {
  listTests: defineTool({
    ...testBase,
    name: 'list_tests',
    title: 'List tests',
    description:
      "Lists the tests that the project's runner finds: single tests with pytest, but only files with Node.js's runner, which can't list tests without running them.",
    readOnly: true,
    runsCode: true,
    input: z.strictObject({
      path: pathArgument.optional().describe('file or folder; default: the workspace'),
      runner: runnerArgument,
    }),
    output: z.object({
      runner: testRunner,
      tests: z.array(testText).max(5000).describe('ids for run_tests'),
      truncated: z.boolean(),
      problems: testText.describe('what the runner could not read; empty if there were no problems'),
    }),
    text: ({ runner, tests, problems }) =>
      [`${runner}: ${tests.length} found`, ...tests, problems].filter((part) => part !== '').join('\n'),
  }),
  runTests: defineTool({
    ...testBase,
    name: 'run_tests',
    title: 'Run tests',
    description:
      "Runs tests with the project's runner in a terminal of the IDE and returns each test's result, read from the runner's own report, not from its output. Needs pytest or Node.js, one of them in a call, and says which tests of other frameworks it left out; use run_terminal_cmd for other runners.",
    readOnly: false,
    sources: [{ from: 'VS Code', name: 'runTests' }],
    input: z.strictObject({
      tests: z
        .array(z.string().min(1).max(4000))
        .max(500)
        .default([])
        .describe('ids from list_tests, files or folders; default: all'),
      name: z.string().min(1).max(1000).optional().describe('only tests whose name contains this'),
      runner: runnerArgument,
      timeout_ms: z
        .int()
        .min(1)
        .max(600_000)
        .default(300_000)
        .describe('milliseconds until the run is interrupted'),
      max_output: maxOutputArgument.default(5000),
    }),
    output: z.object({
      runner: testRunner,
      status: z
        .enum(['passed', 'failed', 'timed-out', 'broken'])
        .describe('broken: the runner wrote no report'),
      exit_code: z.int().nullable(),
      counts: z.object({
        passed: z.int().nonnegative(),
        failed: z.int().nonnegative(),
        error: z.int().nonnegative(),
        skipped: z.int().nonnegative(),
        xfailed: z.int().nonnegative(),
      }),
      tests: z.array(testResult).max(2000).describe('those that failed come first'),
      omitted: z.int().nonnegative(),
      left_out: z
        .array(z.string().max(200))
        .max(50)
        .describe('tests of the workspace that this run left out, by framework'),
      terminal: terminalNumber,
      output: z.string().max(200_200),
    }),
    text: ({ runner, status, counts, tests, left_out: left, terminal, output }) =>
      [
        `${runner}: ${status}; ${Object.entries(counts)
          .filter(([, count]) => count > 0)
          .map(([kind, count]) => `${count} ${kind}`)
          .join(', ')}`,
        ...(left.length === 0 ? [] : [`not run: ${left.join('; ')}`]),
        ...tests
          .filter((one) => one.status === 'failed' || one.status === 'error')
          .map((one) => `${one.status} ${one.id}: ${one.message}`),
        ...(status === 'passed'
          ? []
          : tests.some(isExplained)
            ? [`all output: terminal ${terminal}`]
            : [output]),
      ].join('\n'),
    effect: ({ status, counts, left_out: left }) => ({
      effect: status === 'timed-out' || status === 'broken' ? 'partial' : 'confirmed',
      evidence: clip(
        [
          `${status}: ${counts.passed} passed, ${counts.failed + counts.error} failed`,
          ...(left.length === 0 ? [] : [`not run: ${left.join('; ')}`]),
        ].join('; '),
        500,
      ),
    }),
  }),
};

const pythonText = z.string().max(10_000);

/** Python in a persistent interpreter. */
const pythonTools = {
  runPython: defineTool({
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
      version: pythonText.describe('of Python'),
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

/** Programs, terminals, tasks, tests, notebooks. */
export const runTools = {
  shell: defineTool({
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
      [
        describeEnding(result),
        renderOutput(result.stdout),
        renderOutput(result.stderr),
        ...listOutputNotes(result),
      ]
        .filter((part) => part !== '')
        .join('\n'),
    effect: (result) => ({ effect: 'confirmed', evidence: `the tool answered: ${describeEnding(result)}` }),
  }),
  ...terminalTools,
  ...taskTools,
  ...testTools,
  ...pythonTools,
};

/** Shows progress bars and colours as a terminal does. Line ends of any kind are kept, since files may have them. */
function renderOutput(output: string): string {
  return /\u001b[[\]]|\r(?!\n)|\u0008/.test(output) ? renderTerminalText(output) : output;
}

function describeEnding({ timedOut, exitCode, signal, truncated }: z.output<typeof shellResult>): string {
  const ending = timedOut ? 'timed out' : `exit code ${exitCode ?? signal}`;
  return truncated ? `${ending}, output cut` : ending;
}

function listOutputNotes({ truncated, jobsLeft }: z.output<typeof shellResult>): string[] {
  return [
    ...(truncated ? ['[the output was longer than is returned: its middle is left out]'] : []),
    ...(jobsLeft
      ? ['[a background job goes on; what it prints from now on is not kept: redirect it to a file]']
      : []),
  ];
}
