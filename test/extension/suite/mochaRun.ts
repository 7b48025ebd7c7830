import type { Test } from 'mocha';
import { resultVariable, type TestOutcome, writeResult } from '../../support/vscode/result.ts';

/**
 * Runs mocha inside the extension host and writes each test's outcome to the file that the runner reads.
 * @param load imports the test files, once mocha's globals are there
 */
export async function runMocha(load: () => Promise<unknown>): Promise<void> {
  const { default: Mocha } = await import('mocha');
  const mocha = new Mocha({
    ui: 'bdd',
    timeout: 40_000,
    reporter: class {} as unknown as typeof Mocha.reporters.Base,
  });
  mocha.suite.emit('pre-require', globalThis, '', mocha);
  await load();
  const outcomes: TestOutcome[] = [];
  const failures = await new Promise<number>((resolve) => {
    const runner = mocha.run(resolve);
    runner.on('pass', (test) => outcomes.push(outcome(test, 'passed')));
    runner.on('pending', (test) => outcomes.push(outcome(test, 'pending')));
    // A hook that fails is reported here too, under its own title.
    runner.on('fail', (test, error: Error) => outcomes.push(outcome(test, 'failed', error)));
  });
  await writeResult(resultPath(), outcomes);
  if (failures > 0) throw new Error(`${failures} failed`);
}

function outcome(test: Test, state: TestOutcome['state'], error?: Error): TestOutcome {
  const common = { path: test.titlePath(), state, ms: test.duration ?? 0 };
  return error ? { ...common, error: error.stack ?? error.message } : common;
}

function resultPath(): string {
  const path = process.env[resultVariable];
  if (!path) throw new Error(`${resultVariable} is not set: no one would learn how the tests ended`);
  return path;
}
