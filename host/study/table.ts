import type { AfterSuppressed } from '../record/index.ts';
import type { AttemptResult } from './attempt.ts';

/** The score of one agent at a number of tasks, in percent. */
export interface Score {
  /** Mean reward of its attempts, in which all tasks weigh the same; null without a score. */
  readonly mean: number | null;
  /** Standard deviation of that mean over the attempts' numbers; null with fewer than two. */
  readonly deviation: number | null;
}

export interface AgentRow {
  readonly agent: string;
  /** In the order of {@link StudyTable.families}. */
  readonly families: readonly Score[];
  /** Macro average, in which all families weigh the same. */
  readonly overall: Score;
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

export function tableOf(results: readonly AttemptResult[]): StudyTable {
  const families = [...new Set(results.map(familyOf))].toSorted();
  const agents = Map.groupBy(results, ({ agent }) => agent);
  return { families, rows: [...agents].map(([agent, own]) => rowOf(agent, own, families)) };
}

function rowOf(agent: string, own: readonly AttemptResult[], families: readonly string[]): AgentRow {
  const begun = own.filter(hasBegun);
  const parts = families.map((family) => own.filter((result) => familyOf(result) === family));
  return {
    agent,
    families: parts.map((part) => scoreOf([part])),
    overall: scoreOf(parts.filter((part) => part.length > 0)),
    attempts: own.length,
    passed: own.filter(isPassed).length,
    suspect: own.filter(({ rewardTrustworthy }) => rewardTrustworthy === false).length,
    unscored: own.filter(({ reward }) => reward === null).length,
    notBegun: own.length - begun.length,
    meanSteps: mean(begun.map(({ steps }) => steps)),
    meanTokens: mean(begun.map(tokensOf)),
    suppressed: {
      repeated: countOf(own, 'repeated'),
      other: countOf(own, 'other'),
      nothing: countOf(own, 'nothing'),
    },
    costUsd: sumOf(own.map(({ costUsd }) => costUsd)),
    allTriesUsd: sumOf(own.flatMap(({ tries }) => tries.map(({ costUsd }) => costUsd))),
  };
}

function countOf(own: readonly AttemptResult[], then: AfterSuppressed): number {
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
export function sumOf(parts: readonly (number | null)[]): number | null {
  return parts.reduce((all, one) => (all === null || one === null ? null : all + one), 0);
}

type Scored = Pick<AttemptResult, 'task' | 'number' | 'reward'>;

/**
 * The macro average over families, in percent, with its deviation over the attempts' numbers.
 * @param families the attempts at each, of one agent
 */
export function scoreOf(families: readonly (readonly Scored[])[]): Score {
  const numbers = [...new Set(families.flat().map(({ number }) => number))];
  const repeats = numbers.flatMap(
    (number) => macroOf(families.map((part) => part.filter((one) => one.number === number))) ?? [],
  );
  return { mean: macroOf(families), deviation: deviationOf(repeats) };
}

function macroOf(families: readonly (readonly Scored[])[]): number | null {
  return mean(families.flatMap((part) => meanOfTasks(part) ?? []));
}

function meanOfTasks(results: readonly Scored[]): number | null {
  const tasks = [...Map.groupBy(results, ({ task }) => task).values()];
  return mean(
    tasks.flatMap((own) => mean(own.flatMap(({ reward }) => (reward === null ? [] : reward * 100))) ?? []),
  );
}

function mean(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  if (known.length === 0 || known.length < values.length) return null;
  return known.reduce((sum, value) => sum + value, 0) / known.length;
}

/** The standard deviation of a sample. */
function deviationOf(values: readonly number[]): number | null {
  const middle = mean(values);
  if (middle === null || values.length < 2) return null;
  const squares = values.reduce((sum, value) => sum + (value - middle) ** 2, 0);
  return Math.sqrt(squares / (values.length - 1));
}

function tokensOf({ promptTokens, completionTokens }: AttemptResult): number | null {
  return promptTokens === null || completionTokens === null ? null : promptTokens + completionTokens;
}

/** The folder that contains a task's folder. */
export function familyOf({ task }: Pick<AttemptResult, 'task'>): string {
  return task.split('/', 1)[0] ?? task;
}
