import { mkdir } from 'node:fs/promises';
import { deadline, type Deadline, describeError } from '../../../bridge/lib/index.ts';
import { runInBrowser } from './browser.ts';
import { forTests, pageUrl, startCodeServer } from './codeServer.ts';
import { readLaunchArguments } from './launchArguments.ts';
import { isPass, readResult, resultVariable } from './result.ts';

/**
 * The program that @vscode/test-electron runs as VS Code: opens the folder in code-server and Chromium, runs the tests in
 * that window's extension host, and exits with 0 only if their result file says that they passed.
 */

const runMs = 150_000;

async function run(signal: AbortSignal): Promise<void> {
  const launch = readLaunchArguments(process.argv.slice(2));
  await mkdir(launch.userDataDir, { recursive: true });
  await using server = await startCodeServer(launch, forTests, signal);
  console.log(`code-server runs as process ${server.pid}`);
  const code = await runInBrowser(pageUrl(launch), launch.userDataDir, signal);
  const result = process.env[resultVariable];
  const passed = result !== undefined && isPass(await readResult(result));
  if (code !== 0 || !passed)
    throw new Error(`the run ended with code ${code} and ${passed ? 'a' : 'no'} passing result`);
}

/** Ends with the run, at a signal, or when the parent process, and with it the pipe, is gone. */
function cancellable(): Deadline {
  const stop = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop.abort(new Error(name)));
  process.stdin.once('close', () => stop.abort(new Error('the caller is gone'))).resume();
  return deadline('the test run', runMs, stop.signal);
}

async function main(): Promise<number> {
  using limit = cancellable();
  try {
    await run(limit.signal);
    return 0;
  } catch (error) {
    console.error(describeError(error));
    return 1;
  }
}

process.exit(await main());
