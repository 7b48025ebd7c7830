import { dropBinaryParts } from '../../lib/index.ts';
import type { EpisodeHistory } from '../../run/index.ts';

/**
 * The input of SWE-bench's harness for one record (`swebench.harness.run_evaluation --predictions_path`), except for
 * `model_name_or_path`, which is the same for a whole file.
 */
export interface SweBenchPrediction {
  readonly instance_id: string;
  /** As `git diff` prints it; empty if the agent changed nothing. */
  readonly model_patch: string;
}

type PredictionOutcome =
  | {
      readonly prediction: SweBenchPrediction;
      /** Files that the harness can't apply: binary ones, and those that are too large to be compared. */
      readonly leftOut: readonly string[];
    }
  | { readonly problem: string };

/** Dataset and record of a task, if SWE-bench's harness or one that takes the same predictions knows it. */
const taskFamilyPattern = /^((?:swe|swt)-bench(?:-[a-z]+)?)\/(.+)$/;

/** The dataset of a task; null if no harness takes predictions for it. */
export function findSweBenchDataset(task: string | null): string | null {
  return taskFamilyPattern.exec(task ?? '')?.[1] ?? null;
}

/** @param patch of the record; null without one */
export function makePrediction(
  { result }: Pick<EpisodeHistory, 'result'>,
  patch: string | null,
): PredictionOutcome {
  const { changes, task } = result;
  if (changes === null) return { problem: 'it has no changes: it was not graded, or is of an older version' };
  if (patch === null) return { problem: changes.problem ?? 'its patch can not be read' };
  const { text, leftOut } = dropBinaryParts(patch);
  const instance = taskFamilyPattern.exec(task ?? '')?.[2] ?? '';
  return { prediction: { instance_id: instance, model_patch: text }, leftOut };
}
