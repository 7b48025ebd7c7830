import type { Ending, Result } from '../record/index.ts';

/** How an attempt ended. After a limit, the reward is that of the state when the agent was stopped. */
export const attemptEnds = [
  'scored',
  'agent-error',
  'limit',
  'infrastructure',
  'grader',
  'provider',
] as const;
export type AttemptEnd = (typeof attemptEnds)[number];

/** The limit that ended it. */
export const attemptLimits = ['steps', 'time', 'tokens', 'cost', 'context'] as const;
export type AttemptLimit = (typeof attemptLimits)[number];

export interface Ended {
  readonly end: AttemptEnd;
  /** Null unless `end` is `limit`. */
  readonly limit: AttemptLimit | null;
}

/** How the attempt of a record ended; null if it was cut off, and has to be repeated. */
export function endOf({ ended }: Pick<Result, 'ended'>): Ended | null {
  return ended === null ? null : ends[ended.how];
}

const stopped = (limit: AttemptLimit): Ended => ({ end: 'limit', limit });
const other = (end: AttemptEnd): Ended => ({ end, limit: null });

/** A failed sandbox is scored, as suspect: otherwise an agent that ends its sandbox would never fail. */
const ends: Readonly<Record<Ending, Ended | null>> = {
  finished: other('scored'),
  'model-refused': other('scored'),
  'sandbox-failed': other('scored'),
  'step-limit': stopped('steps'),
  'time-limit': stopped('time'),
  'token-limit': stopped('tokens'),
  'cost-limit': stopped('cost'),
  'context-limit': stopped('context'),
  'agent-failed': other('agent-error'),
  'model-failed': other('provider'),
  'grading-failed': other('grader'),
  'infrastructure-error': other('infrastructure'),
  cancelled: null,
};
