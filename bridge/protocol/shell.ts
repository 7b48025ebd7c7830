import * as z from 'zod';
import { method } from './descriptor.ts';
import { limits } from './limits.ts';

export const shellResult = z.object({
  exitCode: z.int().nullable().describe('null when a signal ended the command'),
  signal: z.string().max(20).nullable(),
  stdout: z.string().max(limits.outputBytes),
  stderr: z.string().max(limits.outputBytes),
  truncated: z.boolean().describe('true when output past the bound was dropped, from its middle'),
  timedOut: z.boolean().describe('true when the time-out ended the command and its children'),
  jobsLeft: z
    .boolean()
    .describe(
      'true when jobs that the command left in the background still have its output: they go on, and what they print from now on is not returned',
    ),
  durationMs: z.number().nonnegative(),
});
export type ShellResult = z.output<typeof shellResult>;

export const shell = {
  /** Runs one command in `bash -c`, in a fresh process group. A failing command is a result, not an error. */
  run: method(
    'shell.run',
    z.object({
      command: z.string().min(1).max(100_000),
      cwd: z.string().max(4096).default('/workspace'),
      env: z.record(z.string().max(200), z.string().max(100_000)).default({}),
      timeoutMs: z.int().positive().max(3_600_000).default(120_000),
      maxOutputBytes: z.int().positive().max(limits.outputBytes).default(100_000).describe('of each stream'),
    }),
    shellResult,
  ),
};
