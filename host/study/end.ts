import type { Ending, Result } from '../record/index.ts';

/** How an attempt ended. A limit's reward is that of what the agent had left when it was stopped. */
export const attemptEnds = [
  'scored',
  'agent-error',
  'limit',
  'infrastructure',
  'grader',
  'provider',
] as const;
export type AttemptEnd = (typeof attemptEnds)[number];

/** Which limit ended it. */
export const attemptLimits = ['steps', 'time', 'tokens', 'cost', 'context'] as const;
export type AttemptLimit = (typeof attemptLimits)[number];

export interface Ended {
  readonly end: AttemptEnd;
  /** Null unless `end` is `limit`. */
  readonly limit: AttemptLimit | null;
}

/** How the attempt that a record shows has ended; null if it was cut off, and is to be made again. */
export function endOf({ ended }: Pick<Result, 'ended'>): Ended | null {
  return ended === null ? null : ends[ended.how];
}

const stopped = (limit: AttemptLimit): Ended => ({ end: 'limit', limit });
const other = (end: AttemptEnd): Ended => ({ end, limit: null });

/** A sandbox that failed is scored, as suspect: an agent that ends its sandbox would else never fail. */
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
