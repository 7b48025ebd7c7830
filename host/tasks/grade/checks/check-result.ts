import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { clip } from '../../../../bridge/text/index.ts';

/** One thing that a task asks for, and whether it holds. */
export interface Check {
  /** The thing that is looked at, e.g. `files.autoSaveDelay`. */
  readonly name: string;
  /** Null: it could not be measured, and counts as neither. */
  readonly passed: boolean | null;
  /** The finding; for a failed check, beside the expectation; else why it could not be measured. */
  readonly why: string;
}

export function passed(name: string, why: string): Check {
  return { name, passed: true, why: cutText(why, mostWhyLength) };
}

export function failed(name: string, why: string): Check {
  return { name, passed: false, why: cutText(why, mostWhyLength) };
}

/** For something that can't be looked at here, regardless of the agent: never for something that the agent can cause. */
export function notMeasured(name: string, why: string): Check {
  return { name, passed: null, why: cutText(why, mostWhyLength) };
}

/** Any value, short enough for one line. */
export function showValue(value: unknown): string {
  return cutText(value === undefined ? 'nothing' : stringifyValue(value), 200);
}

/** A value that the agent wrote may be nested too deep to be written out, which must not end the tests. */
function stringifyValue(value: unknown): string {
  try {
    return JSON.stringify(value) ?? typeof value;
  } catch {
    return `something that can't be shown (${typeof value})`;
  }
}

/** The agent's text may have any length; messages about it are bounded. */
const mostWhyLength = 2000;

function cutText(text: string, length: number): string {
  return text.length <= length ? text : `${clip(text, length)}…`;
}

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
  for (const { name, passed, why } of checks) print(`${describePassed(passed)} ${name}: ${why}`);
  await writeFile(join(folder, 'reward.txt'), measured.every(({ passed }) => passed) ? '1\n' : '0\n');
}

function describePassed(passed: boolean | null): string {
  if (passed === null) return 'not measured';
  return passed ? 'pass' : 'FAIL';
}
