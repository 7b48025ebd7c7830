import { basename, dirname } from 'node:path';
import { PwpError } from '../../bridge/lib/index.ts';
import { readStudy, type ReadStudy } from '../study/index.ts';

/** An attempt or a study without a record of its end, and why. */
export interface WithoutRecord {
  /** Folder of an attempt, or of the study. */
  readonly folder: string;
  readonly problem: string;
}

/**
 * Attempts of a study that left no record that counts. Empty for a folder that is not a study's.
 * @param isWanted is called with the name of the attempt's task
 */
export async function attemptsWithoutRecord(
  folder: string,
  isWanted: (task: string) => boolean,
): Promise<WithoutRecord[]> {
  const study = await openStudy(folder);
  if (!study) return [];
  const found: WithoutRecord[] = [];
  let begun = 0;
  for await (const attempt of study.attempts()) {
    begun += 1;
    if (!isWanted(taskOf(study, attempt.folder))) continue;
    if ('problem' in attempt) found.push(attempt);
    else if (attempt.result.record === null)
      found.push({ folder: attempt.folder, problem: attempt.result.why ?? 'it left no record' });
  }
  const missing = (study.planned ?? begun) - begun;
  if (missing > 0)
    found.push({ folder, problem: `${missing} of its ${study.planned} attempts have not begun` });
  return found;
}

function taskOf({ names }: ReadStudy, attempt: string): string {
  return names.tasks.get(basename(dirname(dirname(attempt)))) ?? '';
}

async function openStudy(folder: string): Promise<ReadStudy | null> {
  try {
    return await readStudy(folder);
  } catch (error) {
    if (error instanceof PwpError && error.code === 'bad-study') return null;
    throw error;
  }
}
