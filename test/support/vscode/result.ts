import { readFile, rename, writeFile } from 'node:fs/promises';

/** How one test in the extension host ended. */
export interface TestOutcome {
  /** Titles of its suites, then its own. */
  readonly path: readonly string[];
  readonly state: 'passed' | 'failed' | 'pending';
  readonly ms: number;
  /** Stack of the thrown error, or its message. */
  readonly error?: string;
}

/** Environment variable that names the file for the suite's outcome. */
export const resultVariable = 'PWP_TEST_RESULT';

/** Written last, in one go: if the file exists, the run came to its end. */
export async function writeResult(path: string, outcomes: readonly TestOutcome[]): Promise<void> {
  await writeFile(`${path}.part`, JSON.stringify(outcomes));
  await rename(`${path}.part`, path);
}

/** Null if the run never came to its end. */
export async function readResult(path: string): Promise<readonly TestOutcome[] | null> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as readonly TestOutcome[];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** At least one test passed and none failed. An exit code shows neither. */
export function isPass(outcomes: readonly TestOutcome[] | null): boolean {
  if (!outcomes) return false;
  return (
    outcomes.some(({ state }) => state === 'passed') && outcomes.every(({ state }) => state !== 'failed')
  );
}
