import type { EpisodeHistory } from '../record/index.ts';

/** What SWE-bench's harness takes for one record (`swebench.harness.run_evaluation --predictions_path`). */
export interface Prediction {
  readonly instance_id: string;
  readonly model_name_or_path: string;
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

const family = /^(?:swe|swt)-bench(?:-[a-z]+)?\//;

/** Whether a record is of a task that the harness knows. */
export function isOfSweBench({ result }: Pick<EpisodeHistory, 'result'>): boolean {
  return family.test(result.task ?? '');
}

/** @param patch of the record; null if it has none */
export function predictionOf({ result }: Pick<EpisodeHistory, 'result'>, patch: string | null): PredictionOf {
  const { agent, changes, task } = result;
  if (changes === null) return { problem: 'it has no changes: it was not graded, or is of an older version' };
  if (patch === null) return { problem: changes.problem ?? 'its patch can not be read' };
  const parts = partsOf(patch);
  return {
    prediction: {
      instance_id: (task ?? '').replace(family, ''),
      model_name_or_path: nameOf(agent),
      model_patch: parts.filter((part) => !isUnsaid(part)).join(''),
    },
    leftOut: parts.filter(isUnsaid).map(pathOf),
  };
}

/** The agent, with its model if it has one. The harness makes a folder of it. */
function nameOf({ name, model }: EpisodeHistory['result']['agent']): string {
  return [name, ...(model === undefined ? [] : [model])].join('-').replaceAll(/[^\w.-]+/g, '-');
}

/** One for each file: lines of a file's content never begin so, since each has a sign before it. */
function partsOf(patch: string): string[] {
  return patch.split(/^(?=diff --git )/m).filter((part) => part !== '');
}

function isUnsaid(part: string): boolean {
  return /^Binary files .* differ$/m.test(part);
}

function pathOf(part: string): string {
  return /^diff --git (?:"?a\/)(.*?)"? "?b\//.exec(part)?.[1] ?? part.split('\n', 1)[0] ?? '';
}
