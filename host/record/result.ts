import * as z from 'zod';
import { changesSummary } from './changes.ts';
import { turnsOf, type RecordedEvents } from './history.ts';
import { check, ending, recordMeta, type Ending, type Turn } from './meta.ts';
import { suppression, suppressionOf } from './suppression.ts';
import { deaths, deathsOf, doubtsOf } from './trust.ts';
import { everHit, limitName, recordedUsage } from './usage.ts';

const milliseconds = z.number().nonnegative();

/** `result.json`: the outcome of an episode, for tables and scripts. */
export const result = z
  .object({
    session: recordMeta.shape.session,
    task: recordMeta.shape.task,
    agent: recordMeta.shape.agent.pick({ name: true, version: true, model: true }),
    reward: z
      .number()
      .nullable()
      .describe(
        'null when it was not graded, and always after a failure of the machine, the model or the grading',
      ),
    rewardTrustworthy: z
      .boolean()
      .nullable()
      .default(null)
      .describe(
        'false if the sandbox was not whole: a study repeats the episode; null if there is no reward',
      ),
    doubts: z.array(z.string()).default([]).describe('why the reward is not trustworthy'),
    trust: z
      .string()
      .nullable()
      .default(null)
      .describe(
        "why the agent's code could have forged a pass: the tests run it beside them; null if they don't, without a reward, and in older records",
      ),
    deaths: z.array(deaths).default([]).describe('parts of the desktop that died'),
    checks: z.array(check),
    changes: changesSummary
      .nullable()
      .default(null)
      .describe("the agent's changes to its workspace; null if it was not graded, and in older records"),
    ended: z
      .object({ how: ending, reason: z.string().optional() })
      .nullable()
      .describe('null if the run was killed before'),
    steps: z.int().nonnegative().describe('including those on abandoned branches'),
    branches: z.int().nonnegative().default(0).describe('how often the sandbox was restored'),
    forkedFrom: recordMeta.shape.forkedFrom,
    refusedConnections: z
      .int()
      .nonnegative()
      .default(0)
      .describe("connections that the task's network policy did not allow; counted up to 1000"),
    startedAt: z.iso.datetime(),
    durations: z.object({
      totalMs: milliseconds.describe('from opening the record to its last line'),
      startMs: milliseconds.nullable().describe('until the IDE was ready'),
      stepsMs: milliseconds.describe("sum of all steps, without the agent's thinking"),
      gradeMs: milliseconds.nullable(),
    }),
    usage: recordedUsage
      .nullable()
      .describe('of the sandbox, when the agent had ended; null if it could not be read'),
    limitsHit: z.array(limitName).describe('the limits that the sandbox has hit'),
    asked: z
      .object({
        turns: z.int().nonnegative(),
        promptTokens: z.int().nonnegative().nullable(),
        completionTokens: z.int().nonnegative().nullable(),
        cachedTokens: z.int().nonnegative().nullable(),
        costUsd: z.number().nonnegative().nullable(),
        modelMs: milliseconds,
      })
      .nullable()
      .default(null)
      .describe(
        'total usage of its model; null without a model. A sum with an unknown part is null, never less',
      ),
    suppressed: suppression.nullable().default(null).describe('an action that was silently skipped'),
    sandbox: z.string().nullable(),
    image: z.string().nullable().describe('key of the sandbox image; null if no sandbox started'),
    seed: recordMeta.shape.seed,
    versions: recordMeta.shape.versions,
  })
  .refine((value) => !isWithoutScore(value.ended?.how) || value.reward === null, {
    path: ['reward'],
    message: 'a failure of the machine, the model or the grading never carries a reward',
  });
export type Result = z.output<typeof result>;

/** Makes the result from a history. */
export function resultOf(history: RecordedEvents): Result {
  const { start, reset, steps, end, lastMs } = history;
  const usage = history.usages.at(-1)?.usage ?? null;
  // A broken sandbox gives no score, regardless of what was measured in it.
  const grade = isWithoutScore(end?.how) ? null : history.grade;
  const doubts = doubtsOf(history);
  const { name, version, model } = start.agent;
  const { session, task, seed, versions } = start;
  return {
    session,
    task,
    agent: { name, version, model },
    reward: grade?.reward ?? null,
    rewardTrustworthy: grade === null ? null : doubts.length === 0,
    doubts,
    trust: grade?.trust ?? null,
    deaths: deathsOf(history),
    checks: grade?.checks ?? [],
    changes: history.changes && changesSummary.parse(history.changes),
    ended: end === null ? null : { how: end.how, reason: end.reason },
    steps: steps.length,
    branches: history.restores.length,
    forkedFrom: start.forkedFrom,
    refusedConnections: history.refusals.length,
    startedAt: start.at,
    durations: {
      totalMs: lastMs,
      startMs: reset?.startMs ?? null,
      stepsMs: steps.reduce((sum, step) => sum + step.timing.totalMs, 0),
      gradeMs: grade?.durationMs ?? null,
    },
    asked: askedOf(history),
    suppressed: suppressionOf(steps),
    usage,
    limitsHit: usage === null ? [] : everHit(usage),
    sandbox: reset?.sandbox ?? null,
    image: reset?.image ?? null,
    ...(seed === undefined ? {} : { seed }),
    versions,
  };
}

function isWithoutScore(how: Ending | undefined): boolean {
  return how === 'infrastructure-error' || how === 'grading-failed' || how === 'model-failed';
}

function isUsage({ llmCalls, promptTokens, completionTokens, costUsd }: Turn): boolean {
  return [llmCalls, promptTokens, completionTokens, costUsd].some((one) => one !== undefined);
}

function askedOf(history: RecordedEvents): Result['asked'] {
  const turns = turnsOf(history);
  // An agent that is a program may ask its own model, and report the usage.
  if (history.start.agent.model === undefined && turns.every((turn) => !isUsage(turn))) return null;
  const sum = (key: 'promptTokens' | 'completionTokens' | 'cachedTokens' | 'costUsd') =>
    turns.reduce<number | null>((all, turn) => {
      const one = turn[key];
      return all === null || one === undefined ? null : all + one;
    }, 0);
  return {
    turns: turns.reduce((all, { llmCalls = 0 }) => all + llmCalls, 0),
    promptTokens: sum('promptTokens'),
    completionTokens: sum('completionTokens'),
    cachedTokens: sum('cachedTokens'),
    costUsd: sum('costUsd'),
    modelMs: turns.reduce((all, { modelMs = 0 }) => all + modelMs, 0),
  };
}
