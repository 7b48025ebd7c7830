import * as z from 'zod';
import { afterSuppressed, type EpisodeEnding, type RecordedResult } from '../record/index.ts';
import type { Retryable } from './study-config.ts';

/** How an attempt ended. After a limit, the reward is that of the state when the agent was stopped. */
export const attemptEnds = [
  'scored',
  'agent-error',
  'limit',
  'infrastructure',
  'grader',
  'provider',
] as const;
type AttemptEnd = (typeof attemptEnds)[number];

/** The limit that ended it. */
const attemptLimits = ['steps', 'time', 'tokens', 'cost', 'context'] as const;
type AttemptLimit = (typeof attemptLimits)[number];

interface AttemptOutcome {
  readonly end: AttemptEnd;
  /** Null unless `end` is `limit`. */
  readonly limit: AttemptLimit | null;
}

/** How the attempt of a record ended; null if it was cut off, and has to be repeated. */
export function readAttemptEnd({ ended }: Pick<RecordedResult, 'ended'>): AttemptOutcome | null {
  return ended === null ? null : endsByEnding[ended.how];
}

const stoppedBy = (limit: AttemptLimit): AttemptOutcome => ({ end: 'limit', limit });
const endedAs = (end: AttemptEnd): AttemptOutcome => ({ end, limit: null });

/** A failed sandbox is scored, as suspect: otherwise an agent that ends its sandbox would never fail. */
const endsByEnding: Readonly<Record<EpisodeEnding, AttemptOutcome | null>> = {
  finished: endedAs('scored'),
  'model-refused': endedAs('scored'),
  'sandbox-failed': endedAs('scored'),
  'step-limit': stoppedBy('steps'),
  'time-limit': stoppedBy('time'),
  'token-limit': stoppedBy('tokens'),
  'cost-limit': stoppedBy('cost'),
  'context-limit': stoppedBy('context'),
  'agent-failed': endedAs('agent-error'),
  'model-failed': endedAs('provider'),
  'grading-failed': endedAs('grader'),
  'infrastructure-error': endedAs('infrastructure'),
  cancelled: null,
};

const msField = z.number().nonnegative();
const tokensField = z.int().nonnegative().nullable();

const endFields = {
  end: z.enum(attemptEnds),
  limit: z.enum(attemptLimits).nullable().describe('which one, if a limit ended it'),
  reward: z.number().nullable().describe('0 to 1; null without a score'),
  rewardTrustworthy: z
    .boolean()
    .nullable()
    .describe('false if the sandbox was not whole; null without a score'),
  trust: z
    .string()
    .nullable()
    .default(null)
    .describe("why the agent's code could have forged a pass; null if the tests don't run it beside them"),
  why: z.string().nullable().describe('why it ended without a score, or why the score is suspect'),
};

/** One try of an attempt. */
const attemptTry = z.object({
  folder: z.string().describe('next to this file, e.g. try-1: the record of the episode'),
  ...endFields,
  end: z.enum([...attemptEnds, 'interrupted']).describe('interrupted: the study ended during the try'),
  costUsd: z.number().nonnegative().nullable().describe('of its model; null if it is not known'),
  promptTokens: tokensField,
  completionTokens: tokensField,
  startedAt: z.iso.datetime().nullable(),
  totalMs: msField,
});
export type AttemptTry = z.output<typeof attemptTry>;

/** `attempt.json`: the outcome of one attempt. It is written once the whole attempt is over. */
export const attemptResult = z.object({
  task: z.string(),
  agent: z.string().describe('by its name in the study'),
  model: z.string().nullable(),
  number: z.int().positive().describe('from 1 to k'),
  ...endFields,
  steps: z.int().nonnegative(),
  suppressed: z
    .enum(afterSuppressed)
    .nullable()
    .default(null)
    .describe('what followed a silently skipped action; null without one'),
  promptTokens: tokensField.describe('of the try that counts; null if not known, 0 without a model'),
  completionTokens: tokensField,
  cachedTokens: tokensField,
  costUsd: z.number().nonnegative().nullable().describe('of the try that counts; null if not known'),
  times: z.object({
    totalMs: msField,
    startMs: msField.nullable().describe('until the IDE was ready'),
    modelMs: msField.describe('waiting for the model'),
    stepsMs: msField.describe('acting and looking'),
    gradeMs: msField.nullable(),
  }),
  record: z.string().nullable().describe('folder of the try that counts; null if it left no record'),
  tries: z.array(attemptTry).min(1).describe('all tries; the last one counts'),
});
export type AttemptResult = z.output<typeof attemptResult>;

/** What one try left: its record's result, or the reason for a missing one. */
export interface TryRecord {
  readonly folder: string;
  readonly result: RecordedResult | null;
  /** Why there is no record of its end; null if there is one. */
  readonly failure: string | null;
}

/** A try, as it is stored. A try without an end was interrupted, unless it failed. */
export function summarizeTry({ folder, result, failure }: TryRecord): AttemptTry {
  const asked = readModelUsage(result);
  const end = result === null ? null : readAttemptEnd(result);
  const lost = failure === null ? 'interrupted' : 'infrastructure';
  return {
    folder,
    end: end?.end ?? lost,
    limit: end?.limit ?? null,
    reward: end === null ? null : (result?.reward ?? null),
    rewardTrustworthy: end === null ? null : (result?.rewardTrustworthy ?? null),
    trust: end === null ? null : (result?.trust ?? null),
    why: failure ?? (result === null ? null : explainResult(result)),
    costUsd: asked.costUsd,
    promptTokens: asked.promptTokens,
    completionTokens: asked.completionTokens,
    startedAt: result?.startedAt ?? null,
    totalMs: result?.durations.totalMs ?? 0,
  };
}

/** The result of an attempt, which its last try decides. */
export function summarizeAttempt(
  named: Pick<AttemptResult, 'task' | 'agent' | 'model' | 'number'>,
  tries: readonly AttemptTry[],
  { folder, result }: TryRecord,
): AttemptResult {
  const last = tries.at(-1);
  if (last === undefined || last.end === 'interrupted')
    throw new TypeError(`${named.task} has no try that ended`);
  const { end, limit, reward, rewardTrustworthy, trust, why } = last;
  const durations = result?.durations;
  return {
    ...named,
    ...{ end, limit, reward, rewardTrustworthy, trust, why },
    steps: result?.steps ?? 0,
    suppressed: result?.suppressed?.then ?? null,
    ...pickTokens(result),
    costUsd: last.costUsd,
    times: {
      totalMs: durations?.totalMs ?? 0,
      startMs: durations?.startMs ?? null,
      modelMs: result?.asked?.modelMs ?? 0,
      stepsMs: durations?.stepsMs ?? 0,
      gradeMs: durations?.gradeMs ?? null,
    },
    record: result === null ? null : folder,
    tries: [...tries],
  };
}

/** The kind of end that allows a retry; null if a retry makes no sense. */
export function classifyRetry({
  end,
  rewardTrustworthy,
}: Pick<AttemptTry, 'end' | 'rewardTrustworthy'>): Retryable | null {
  if (rewardTrustworthy === false) return 'suspect';
  return end === 'scored' || end === 'limit' || end === 'interrupted' ? null : end;
}

function explainResult({ ended, doubts }: RecordedResult): string | null {
  if (doubts.length > 0) return doubts.join('; ');
  return ended?.reason ?? null;
}

function pickTokens(result: RecordedResult | null) {
  const { promptTokens, completionTokens, cachedTokens } = readModelUsage(result);
  return { promptTokens, completionTokens, cachedTokens };
}

/** Zero without a model; unknown without a record, or for a program that does not report it. */
function readModelUsage(result: RecordedResult | null) {
  const nothing = result === null || result.agent.name.startsWith('exec:') ? null : 0;
  return (
    result?.asked ?? {
      promptTokens: nothing,
      completionTokens: nothing,
      cachedTokens: nothing,
      costUsd: nothing,
    }
  );
}
