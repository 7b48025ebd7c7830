import type { EpisodeHistory } from '../record/index.ts';

/**
 * What SWE-bench's harness takes for one record (`swebench.harness.run_evaluation --predictions_path`), but for
 * `model_name_or_path`: that is one for all of a file.
 */
export interface Prediction {
  readonly instance_id: string;
  /** As `git diff` prints it; empty if the agent changed nothing. */
  readonly model_patch: string;
}

export type PredictionOf =
  | {
      readonly prediction: Prediction;
      /** Files that the harness can't apply: binary ones, and those too large to be compared. */
      readonly leftOut: readonly string[];
    }
  | { readonly problem: string };

/** Dataset and record of a task, if SWE-bench's harness or one that takes the same predictions knows it. */
const family = /^((?:swe|swt)-bench(?:-[a-z]+)?)\/(.+)$/;

/** The dataset that a task is of; null if no harness takes predictions of it. */
export function sweBenchDataset(task: string | null): string | null {
  return family.exec(task ?? '')?.[1] ?? null;
}

/** @param patch of the record; null if it has none */
export function predictionOf({ result }: Pick<EpisodeHistory, 'result'>, patch: string | null): PredictionOf {
  const { changes, task } = result;
  if (changes === null) return { problem: 'it has no changes: it was not graded, or is of an older version' };
  if (patch === null) return { problem: changes.problem ?? 'its patch can not be read' };
  const parts = partsOf(patch);
  return {
    prediction: {
      instance_id: family.exec(task ?? '')?.[2] ?? '',
      model_patch: parts.filter((part) => !isUnsaid(part)).join(''),
    },
    leftOut: parts.filter(isUnsaid).map(pathOf),
  };
}

/** One for each file: lines of a file's content never begin so, since each has a sign before it. */
function partsOf(patch: string): string[] {
  return patch.split(/(?<=^|\n)(?=diff --git )/).filter((part) => part !== '');
}

/** Lines end as Git has them, not at what else JavaScript takes for an end: an agent's text may have that. */
function isUnsaid(part: string): boolean {
  return /\nBinary files [^\n]* differ\n/.test(part);
}

function pathOf(part: string): string {
  return /^diff --git (?:"?a\/)(.*?)"? "?b\//.exec(part)?.[1] ?? part.split('\n', 1)[0] ?? '';
}
