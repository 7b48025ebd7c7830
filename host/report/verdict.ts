import type { Ending, Result } from '../record/index.ts';
import { score } from './format.ts';

/** A result in words. `tone` selects the colour and the sign. */
export interface Verdict {
  readonly tone: 'good' | 'partial' | 'bad' | 'none';
  readonly word: string;
  /** Null without a score. */
  readonly score: string | null;
  /** How the episode ended. */
  readonly ended: string;
}

export function verdictOf(result: Pick<Result, 'reward' | 'ended'>): Verdict {
  const ended = endedOf(result);
  const { reward } = result;
  if (reward === null) return { tone: 'none', word: 'No score', score: null, ended };
  if (reward >= 1) return { tone: 'good', word: 'Passed', score: score(reward), ended };
  if (reward > 0) return { tone: 'partial', word: 'Partly passed', score: score(reward), ended };
  return { tone: 'bad', word: 'Failed', score: score(reward), ended };
}

const endings: Readonly<Record<Ending, string>> = {
  finished: 'The agent finished',
  'step-limit': 'Stopped at the step limit',
  'time-limit': 'Stopped at the time limit',
  'token-limit': 'Stopped at the limit of tokens',
  'cost-limit': 'Stopped at the limit of cost',
  'context-limit': 'Stopped: the conversation is longer than the model takes',
  'model-refused': 'The model refused to continue',
  'agent-failed': 'The agent failed, and its final state was graded',
  'model-failed': 'The model could not be asked',
  'sandbox-failed': 'The sandbox failed, and its disk was graded',
  'grading-failed': 'The tests gave no verdict',
  'infrastructure-error': 'The infrastructure failed',
  cancelled: 'Cancelled',
};

function endedOf({ ended }: Pick<Result, 'ended'>): string {
  return ended === null ? 'The run was cut off' : endings[ended.how];
}
