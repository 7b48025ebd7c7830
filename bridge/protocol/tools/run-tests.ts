import * as z from 'zod';
import { clip } from '../../text/index.ts';
import { tool } from './descriptor.ts';
import { maxOutput, terminalId } from './run-terminal.ts';
import { pathIn } from './shared.ts';

const base = { family: 'run', where: 'extension', sources: [] } as const;
const text = z.string().max(10_000);

export const testRunner = z
  .enum(['pytest', 'node'])
  .describe("pytest, or Node.js's own runner (node --test)");

const runnerIn = testRunner
  .optional()
  .describe('default: pytest where there are Python tests, else node where there are JavaScript tests');

const result = z.object({
  id: text.describe('an id that the runner accepts; else a name'),
  status: z.enum(['passed', 'failed', 'error', 'skipped', 'xfailed']),
  duration_ms: z.number().nonnegative(),
  message: text.describe('why it failed or was skipped; cut'),
});

/** Whether the report says why a test failed: the runner's output repeats it. */
function isTold({ status, message }: z.output<typeof result>): boolean {
  return (status === 'failed' || status === 'error') && message !== '';
}

/** Tests by the project's own runner, in a terminal: VS Code's API does not show the tests of another extension. */
export const testTools = {
  listTests: tool({
    ...base,
    name: 'list_tests',
    title: 'List tests',
    description:
      "Lists the tests that the project's runner finds: single tests with pytest, but only files with Node.js's runner, which can't list tests without running them.",
    readOnly: true,
    runsCode: true,
    input: z.strictObject({
      path: pathIn.optional().describe('file or folder; default: the workspace'),
      runner: runnerIn,
    }),
    output: z.object({
      runner: testRunner,
      tests: z.array(text).max(5000).describe('ids for run_tests'),
      truncated: z.boolean(),
      problems: text.describe('what the runner could not read; empty if there were no problems'),
    }),
    text: ({ runner, tests, problems }) =>
      [`${runner}: ${tests.length} found`, ...tests, problems].filter((part) => part !== '').join('\n'),
  }),
  runTests: tool({
    ...base,
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
      runner: runnerIn,
      timeout_ms: z
        .int()
        .min(1)
        .max(600_000)
        .default(300_000)
        .describe('milliseconds until the run is interrupted'),
      max_output: maxOutput.default(5000),
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
      tests: z.array(result).max(2000).describe('those that failed come first'),
      omitted: z.int().nonnegative(),
      left_out: z
        .array(z.string().max(200))
        .max(50)
        .describe('tests of the workspace that this run left out, by framework'),
      terminal: terminalId,
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
        ...(status === 'passed' ? [] : tests.some(isTold) ? [`all output: terminal ${terminal}`] : [output]),
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
