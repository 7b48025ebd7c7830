import type { AfterSuppressed } from '../record/index.ts';
import type { AttemptResult } from './attempt-result.ts';

/** The score of one agent at a number of tasks, in percent. */
export interface StudyScore {
  /** Mean reward of its attempts, in which all tasks weigh the same; null without a score. */
  readonly mean: number | null;
  /** Standard deviation of that mean over the attempts' numbers; null with fewer than two. */
  readonly deviation: number | null;
}

export interface AgentRow {
  readonly agent: string;
  /** In the order of {@link StudyTable.families}. */
  readonly families: readonly StudyScore[];
  /** Macro average, in which all families weigh the same. */
  readonly overall: StudyScore;
  readonly attempts: number;
  /** Attempts with a full reward from a sandbox that was whole. */
  readonly passed: number;
  /** Attempts with a score from a sandbox that was not whole: in the means, but not in `passed`. */
  readonly suspect: number;
  /** Attempts that ended without a score: in no mean. */
  readonly unscored: number;
  /** The ones among them that ended before their first step: also in no mean of steps and tokens. */
  readonly notBegun: number;
  /** Of the attempts that began. */
  readonly meanSteps: number | null;
  /** Tokens in and out of a mean attempt that began, by the try that counts; null if one is not known. */
  readonly meanTokens: number | null;
  /** What followed, in the attempts in which an action was suppressed. */
  readonly suppressed: Readonly<Record<AfterSuppressed, number>>;
  /** US dollars of all attempts, each by the try that counts; null if one is not known. */
  readonly costUsd: number | null;
  /** US dollars of all their tries, including repeated ones: what was paid. Null if one is not known. */
  readonly allTriesUsd: number | null;
}

/** Agents by families of tasks: a family is the folder that contains the task's folder. */
export interface StudyTable {
  readonly families: readonly string[];
  readonly rows: readonly AgentRow[];
}

export function makeStudyTable(results: readonly AttemptResult[]): StudyTable {
  const families = [...new Set(results.map(readTaskFamily))].toSorted();
  const agents = Map.groupBy(results, ({ agent }) => agent);
  return { families, rows: [...agents].map(([agent, own]) => makeAgentRow(agent, own, families)) };
}

function makeAgentRow(agent: string, own: readonly AttemptResult[], families: readonly string[]): AgentRow {
  const begun = own.filter(hasBegun);
  const parts = families.map((family) => own.filter((result) => readTaskFamily(result) === family));
  return {
    agent,
    families: parts.map((part) => computeScore([part])),
    overall: computeScore(parts.filter((part) => part.length > 0)),
    attempts: own.length,
    passed: own.filter(isPassed).length,
    suspect: own.filter(({ rewardTrustworthy }) => rewardTrustworthy === false).length,
    unscored: own.filter(({ reward }) => reward === null).length,
    notBegun: own.length - begun.length,
    meanSteps: averageIfKnown(begun.map(({ steps }) => steps)),
    meanTokens: averageIfKnown(begun.map(sumAttemptTokens)),
    suppressed: {
      repeated: countSuppressed(own, 'repeated'),
      other: countSuppressed(own, 'other'),
      nothing: countSuppressed(own, 'nothing'),
    },
    costUsd: sumKnown(own.map(({ costUsd }) => costUsd)),
    allTriesUsd: sumKnown(own.flatMap(({ tries }) => tries.map(({ costUsd }) => costUsd))),
  };
}

function countSuppressed(own: readonly AttemptResult[], then: AfterSuppressed): number {
  return own.filter(({ suppressed }) => suppressed === then).length;
}

/** A full reward that can be trusted. */
export function isPassed({
  reward,
  rewardTrustworthy,
}: Pick<AttemptResult, 'reward' | 'rewardTrustworthy'>): boolean {
  return reward !== null && reward >= 1 && rewardTrustworthy === true;
}

/** Whether its agent took a step, or it has a score. */
function hasBegun({ reward, steps }: AttemptResult): boolean {
  return reward !== null || steps > 0;
}

/** Null if a part is not known. */
export function sumKnown(parts: readonly (number | null)[]): number | null {
  return parts.reduce((all, one) => (all === null || one === null ? null : all + one), 0);
}

type Scored = Pick<AttemptResult, 'task' | 'number' | 'reward'>;

/**
 * The macro average over families, in percent, with its deviation over the attempts' numbers.
 * @param families the attempts at each, of one agent
 */
export function computeScore(families: readonly (readonly Scored[])[]): StudyScore {
  const numbers = [...new Set(families.flat().map(({ number }) => number))];
  const repeats = numbers.flatMap(
    (number) => computeMacroMean(families.map((part) => part.filter((one) => one.number === number))) ?? [],
  );
  return { mean: computeMacroMean(families), deviation: computeDeviation(repeats) };
}

function computeMacroMean(families: readonly (readonly Scored[])[]): number | null {
  return averageIfKnown(families.flatMap((part) => computeTaskMean(part) ?? []));
}

function computeTaskMean(results: readonly Scored[]): number | null {
  const tasks = [...Map.groupBy(results, ({ task }) => task).values()];
  return averageIfKnown(
    tasks.flatMap(
      (own) => averageIfKnown(own.flatMap(({ reward }) => (reward === null ? [] : reward * 100))) ?? [],
    ),
  );
}

function averageIfKnown(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  if (known.length === 0 || known.length < values.length) return null;
  return known.reduce((sum, value) => sum + value, 0) / known.length;
}

/** The standard deviation of a sample. */
function computeDeviation(values: readonly number[]): number | null {
  const middle = averageIfKnown(values);
  if (middle === null || values.length < 2) return null;
  const squares = values.reduce((sum, value) => sum + (value - middle) ** 2, 0);
  return Math.sqrt(squares / (values.length - 1));
}

/** Tokens in and out; null if one is not known. */
export function sumAttemptTokens({
  promptTokens,
  completionTokens,
}: Pick<AttemptResult, 'promptTokens' | 'completionTokens'>): number | null {
  return promptTokens === null || completionTokens === null ? null : promptTokens + completionTokens;
}

/** The folder that contains a task's folder. */
export function readTaskFamily({ task }: Pick<AttemptResult, 'task'>): string {
  return task.split('/', 1)[0] ?? task;
}
