import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Pass } from './plan.ts';
import { nothing, type Summary, summaryVariable } from './summary.ts';

export interface PassOptions {
  /** Root folder of the project. */
  readonly project: string;
  /** Folder for mocha's summary. */
  readonly folder: string;
  /** Options of mocha's own, e.g. `-g` and a pattern. */
  readonly options: readonly string[];
  /** Where mocha's report goes. Default: `inherit`. */
  readonly output?: 'inherit' | 'ignore';
  readonly signal: AbortSignal;
}

/** Runs a pass to its end. Never rejects for failing tests: a mocha that ends without a summary counts as a failure. */
export async function runPass(pass: Omit<Pass, 'needsSetUp'>, given: PassOptions): Promise<Summary> {
  const { project, folder, options, output = 'inherit', signal } = given;
  const file = join(folder, 'summary.json');
  const parallel = pass.jobs > 1 ? ['--parallel', '--jobs', String(pass.jobs)] : [];
  const args = [
    '--reporter',
    join(import.meta.dirname, 'reporter.ts'),
    ...parallel,
    ...options,
    ...pass.files,
  ];
  // Not `mocha` itself: if an option is one of Node's, it starts this program, and does not pass on SIGTERM.
  const mocha = join(project, 'node_modules/mocha/lib/cli/cli.js');
  const child = spawn(process.execPath, [mocha, ...args], {
    cwd: project,
    env: { ...process.env, [summaryVariable]: file },
    stdio: output,
    // A separate process group: processes that tests started end with them.
    detached: true,
  });
  const { pid } = child;
  const end = () => pid !== undefined && process.kill(-pid, 'SIGTERM');
  signal.addEventListener('abort', end);
  const [code, killedBy] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  signal.removeEventListener('abort', end);
  const summary = await read(file);
  if (summary && (code === 0 || summary.failed > 0)) return summary;
  const failures = [`the tests that run ${pass.title}: mocha ended by itself with ${killedBy ?? code}`];
  return { ...nothing, ...summary, failed: 1, failures };
}

async function read(file: string): Promise<Summary | null> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Summary;
  } catch {
    return null;
  }
}
