import * as z from 'zod';
import { desktop, type Service, usage } from '../../../bridge/protocol/index.ts';
import { collectTurns, type EventOf, type EventsByKind } from './record-events.ts';
import {
  episodeEnding,
  type EpisodeEnding,
  recordedCheck,
  type RecordedTurn,
  recordMeta,
} from './record-meta.ts';
import type { RecordedAction } from './recorded-actions.ts';
import { changesSummary, findLimitHits, limitName } from './recorded-state.ts';

const partName = desktop.changed.params.shape.name;

/** Deaths of one part of the desktop. */
const partDeaths = z.object({
  part: partName,
  times: z.int().positive(),
  steps: z
    .array(z.int().positive())
    .describe('steps in which it was down; deaths between two steps are not listed'),
  returned: z.boolean().describe('it was ready again at the end'),
});
export type PartDeaths = z.output<typeof partDeaths>;

interface SeenServices {
  readonly service: Service;
  readonly step: number | null;
}

/** The parts of the desktop that died in an episode. */
function collectDeaths({ steps, services }: EventsByKind): PartDeaths[] {
  const seen: readonly SeenServices[] = [
    ...steps.flatMap(({ step, services: of }) => of.map((service) => ({ service, step }))),
    ...services.map(({ service }) => ({ service, step: null })),
  ];
  return partName.options.flatMap((part) => collectPartDeaths(part, seen) ?? []);
}

function collectPartDeaths(part: Service['name'], seen: readonly SeenServices[]): PartDeaths | undefined {
  const own = seen.filter(({ service }) => service.name === part);
  const down = own.filter(({ service: { state, restarts } }) => state === 'failed' || restarts > 0);
  // An extension host that ended with its window, e.g. when the agent reloaded it, has not died.
  const gone = down.filter(
    (_, i) => down.slice(i).find(({ service }) => isUp(service))?.service.reloaded !== true,
  );
  const counts = new Set(gone.map(({ service }) => service.restarts));
  if (gone.length === 0) return undefined;
  const inSteps = new Set(gone.flatMap(({ step }) => step ?? []));
  const last = own.at(-1);
  return {
    part,
    times: Math.max(1, counts.size),
    steps: [...inSteps],
    returned: last !== undefined && isUp(last.service),
  };
}

function isUp({ state }: Service): boolean {
  return state === 'ready';
}

/** Reasons to doubt a score: the sandbox was not whole while the agent worked or when it was graded. */
function collectDoubts(history: EventsByKind): string[] {
  const died = collectDeaths(history).map((of) => formatDeaths(of));
  const { grade, end } = history;
  return [
    ...died,
    ...(end?.how === 'sandbox-failed'
      ? [`the sandbox failed: ${end.reason?.split('\n', 1)[0] ?? 'no reason is known'}`]
      : []),
    ...(grade?.noVerdict === undefined
      ? []
      : [`the tests reach no verdict on the final state: ${grade.noVerdict}`]),
    ...(grade?.unwritten === undefined ? [] : [`VS Code may not have written all: ${grade.unwritten}`]),
  ];
}

/** One line for people. */
function formatDeaths({ part, times, steps, returned }: PartDeaths): string {
  const often = times === 1 ? 'died' : `died ${times} times`;
  const where = steps.length === 0 ? '' : ` (step ${steps.join(', ')})`;
  return `${part} ${often}${where} and ${returned ? 'came back' : 'did not come back'}`;
}

/** An agent's actions after an action that was silently skipped. */
export const afterSuppressed = ['repeated', 'other', 'nothing'] as const;
export type AfterSuppressed = (typeof afterSuppressed)[number];

const suppression = z.object({
  step: z.int().positive(),
  then: z
    .enum(afterSuppressed)
    .describe(
      `repeated: the same action is in one of the three steps that followed; other: it is not; nothing: no step followed`,
    ),
});
type Suppression = z.output<typeof suppression>;

/** The number of steps that count: an agent may look before it tries again. */
const stepsThatCount = 3;

/** Null if no action was suppressed. */
function findSuppression(steps: readonly EventOf<'step'>[]): Suppression | null {
  for (const [i, { step, outcomes }] of steps.entries()) {
    const suppressed = outcomes.find((one) => one.suppressed);
    if (!suppressed) continue;
    const following = steps.slice(i + 1, i + 1 + stepsThatCount);
    const tried = following.flatMap((one) => [...one.outcomes.map(({ action }) => action), ...one.skipped]);
    if (following.length === 0) return { step, then: 'nothing' };
    return {
      step,
      then: tried.some((action) => isSameAction(action, suppressed.action)) ? 'repeated' : 'other',
    };
  }
  return null;
}

function isSameAction(one: RecordedAction, other: RecordedAction): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

const milliseconds = z.number().nonnegative();

/** `result.json`: the outcome of an episode, for tables and scripts. */
export const recordedResult = z
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
    deaths: z.array(partDeaths).default([]).describe('parts of the desktop that died'),
    checks: z.array(recordedCheck),
    changes: changesSummary
      .nullable()
      .default(null)
      .describe("the agent's changes to its workspace; null if it was not graded, and in older records"),
    ended: z
      .object({ how: episodeEnding, reason: z.string().optional() })
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
    usage: usage
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
export type RecordedResult = z.output<typeof recordedResult>;

/** Makes the result from a history. */
export function makeResult(history: EventsByKind): RecordedResult {
  const { start, reset, steps, end, lastMs } = history;
  const usage = history.usages.at(-1)?.usage ?? null;
  // A broken sandbox gives no score, regardless of what was measured in it.
  const grade = isWithoutScore(end?.how) ? null : history.grade;
  const doubts = collectDoubts(history);
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
    deaths: collectDeaths(history),
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
    asked: summarizeQuestions(history),
    suppressed: findSuppression(steps),
    usage,
    limitsHit: usage === null ? [] : findLimitHits(usage),
    sandbox: reset?.sandbox ?? null,
    image: reset?.image ?? null,
    ...(seed === undefined ? {} : { seed }),
    versions,
  };
}

function isWithoutScore(how: EpisodeEnding | undefined): boolean {
  return how === 'infrastructure-error' || how === 'grading-failed' || how === 'model-failed';
}

function hasUsage({ llmCalls, promptTokens, completionTokens, costUsd }: RecordedTurn): boolean {
  return [llmCalls, promptTokens, completionTokens, costUsd].some((one) => one !== undefined);
}

function summarizeQuestions(history: EventsByKind): RecordedResult['asked'] {
  const turns = collectTurns(history);
  // An agent that is a program may ask its own model, and report the usage.
  if (history.start.agent.model === undefined && turns.every((turn) => !hasUsage(turn))) return null;
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
