import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf, neverAborted } from '../../bridge/lib/index.ts';
import { resultIn } from '../record/index.ts';
import { attemptOf, retryKind, tryOf, type AttemptResult, type AttemptTry, type Tried } from './attempt.ts';
import type { RunConfig } from './config.ts';
import { assertSpace, fullDisk, isFull } from './disk.ts';
import { isOver, type StudyFolder } from './folder.ts';
import type { PlannedAttempt } from './plan.ts';
import type { AttemptOptions, AttemptRunner } from './runner.ts';
import { SharedFailure } from './shared-failure.ts';

export interface TryingOptions extends AttemptOptions {
  readonly folder: StudyFolder;
  readonly runner: AttemptRunner;
  readonly run: Pick<RunConfig, 'retry' | 'tries'>;
  /** Whether another try may begin: the study's budget may be used up. */
  readonly mayTry: () => boolean;
  /** Called after each try of this run. */
  readonly onTry?: (made: AttemptTry) => void;
}

/**
 * An attempt whose last try ended, in an earlier run that ended before it could record that; null for others. A failed try
 * is repeated, since the cause of the run's end, such as a full disk or a used-up account, may have been its cause, too.
 */
export async function adopt(folder: StudyFolder, attempt: PlannedAttempt): Promise<AttemptResult | null> {
  const tries = await folder.tries(attempt);
  const last = tries.at(-1);
  if (last === undefined || !isOver(last) || ['infrastructure', 'provider'].includes(tryOf(last).end))
    return null;
  const result = attemptOf(namesOf(attempt), tries.map(tryOf), last);
  await folder.commit(attempt, result);
  return result;
}

/** Tries an attempt until its end needs no retry, or its tries are used up. Null if no try was made. */
export async function tryAttempt(
  attempt: PlannedAttempt,
  options: TryingOptions,
): Promise<AttemptResult | null> {
  const { folder, run, mayTry, onTry } = options;
  const tries = (await folder.tries(attempt)).map(tryOf);
  for (let made = 1; mayTry(); made++) {
    const tried = await tryOnce(attempt, `try-${tries.length + 1}`, options);
    const kept = tryOf(tried);
    // On a full disk, the next attempt would fail, too.
    if (kept.end === 'infrastructure') await assertSpace(folder.path);
    tries.push(kept);
    onTry?.(kept);
    const result = attemptOf(namesOf(attempt), tries, tried);
    await folder.commit(attempt, result);
    const kind = retryKind(kept);
    if (kind === null || !run.retry.includes(kind) || made >= run.tries) return result;
  }
  return folder.result(attempt);
}

async function tryOnce(
  attempt: PlannedAttempt,
  name: string,
  { folder, runner, onEvent, signal = neverAborted }: TryingOptions,
): Promise<Tried> {
  const path = join(folder.path, attempt.folder, name);
  try {
    // The folder counts the try, even if it fails before it has a record.
    await mkdir(path, { recursive: true, mode: 0o700 });
    await runner.run(attempt, path, { signal, ...(onEvent && { onEvent }) });
    signal.throwIfAborted();
    return { folder: name, result: await resultIn(path), failure: null };
  } catch (error) {
    signal.throwIfAborted();
    // The next attempt would fail for the same reason.
    if (isFull(error)) throw fullDisk(path, error);
    if (error instanceof SharedFailure) throw error;
    return { folder: name, result: null, failure: messageOf(error) };
  }
}

function namesOf({ task, agent, number }: PlannedAttempt) {
  const { name, choice } = agent;
  const { model } = choice;
  return { task: task.id, agent: name, model: model ? `${model.vendor}:${model.name}` : null, number };
}
