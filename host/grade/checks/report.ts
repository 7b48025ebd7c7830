import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Check } from './check.ts';

/**
 * Reports the score: 1 if every check that could be measured passed, else 0. The reward is written last, so a report that
 * was cut short scores nothing. Throws if nothing was measured: a test without checks must not pass.
 * @param folder where Harbor looks for it
 * @param print takes a line for each check
 */
export async function report(
  checks: readonly Check[],
  folder = '/logs/verifier',
  print: (line: string) => void = console.log,
): Promise<void> {
  const measured = checks.filter(({ passed }) => passed !== null);
  if (measured.length === 0) throw new Error('nothing was checked');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'checks.json'), `${JSON.stringify(checks, null, 2)}\n`);
  for (const { name, passed, why } of checks) print(`${wordOf(passed)} ${name}: ${why}`);
  await writeFile(join(folder, 'reward.txt'), measured.every(({ passed }) => passed) ? '1\n' : '0\n');
}

function wordOf(passed: boolean | null): string {
  if (passed === null) return 'not measured';
  return passed ? 'pass' : 'FAIL';
}
