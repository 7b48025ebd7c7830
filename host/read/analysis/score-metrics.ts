import { sumAttemptTokens } from '../../run/index.ts';
import {
  type AttemptRow,
  computeTestRate,
  groupByAgent,
  groupByFamily,
  groupByTask,
  hasBegun,
  hasPassed,
  isScored,
} from './attempt-rows.ts';
import {
  bootstrap,
  computeMean,
  computeSampleDeviation,
  computeSum,
  computeVariance,
  type Interval,
  passAtK,
  wilson,
} from './statistics.ts';

/** The results of one agent at one task. */
interface TaskResult {
  readonly task: string;
  readonly family: string;
  /** Attempts with a score. Attempts without one are not the agent's failure, and are in no figure. */
  readonly scored: number;
  /** Attempts with a full reward that can be trusted. A suspect one counts as failed: else an agent could hide behind it. */
  readonly passed: number;
  /** Mean reward of attempts with a score, including suspect ones; null without any. */
  readonly reward: number | null;
}

/** @param rows of one agent */
export function taskResults(rows: readonly AttemptRow[]): TaskResult[] {
  return groupByTask(rows).map(([task, own]) => {
    const scored = own.filter(isScored);
    return {
      ...{ task, family: own[0]?.family ?? '', scored: scored.length },
      passed: scored.filter(hasPassed).length,
      reward: computeMean(scored.flatMap(({ reward }) => reward ?? [])),
    };
  });
}

/** The families of all rows, by name. */
export function listFamilies(rows: readonly AttemptRow[]): string[] {
  return groupByFamily(rows).map(([family]) => family);
}

/** Mean rewards of one agent. */
export interface ScoreRow {
  readonly agent: string;
  /** All tasks weigh the same; the intervals are by resampling tasks. In the order of the families' names. */
  readonly families: readonly (Interval | null)[];
  /** All families weigh the same. */
  readonly macro: Interval | null;
  readonly attempts: number;
  readonly passed: number;
  /** With a score from a sandbox that was not whole: in the means, but not in `passed`. */
  readonly suspect: number;
  /** The passed attempts whose tests run the agent's code beside them, which can forge a pass. */
  readonly forgeable: number;
  /** Without a score: in no mean. */
  readonly unscored: number;
}

export function scoreRows(rows: readonly AttemptRow[]): ScoreRow[] {
  const families = listFamilies(rows);
  return groupByAgent(rows).map(([agent, own]) => {
    const tasks = taskResults(own);
    const groups = families.map((family) =>
      tasks.filter((task) => task.family === family).flatMap(({ reward }) => reward ?? []),
    );
    return {
      agent,
      families: groups.map((group) => bootstrap([group])),
      macro: bootstrap(groups),
      attempts: own.length,
      passed: own.filter(hasPassed).length,
      suspect: own.filter(({ trustworthy }) => trustworthy === false).length,
      forgeable: own.filter((row) => hasPassed(row) && row.trust !== null).length,
      unscored: own.filter((row) => !isScored(row)).length,
    };
  });
}

/** pass@k of one agent. */
export interface PassRow {
  readonly agent: string;
  readonly k: number;
  /** Tasks with at least k scores. */
  readonly tasks: number;
  /** Wilson's intervals; null without such a task. In the order of the families' names. */
  readonly families: readonly (Interval | null)[];
  readonly all: Interval | null;
  /** All families weigh the same; the interval is by resampling tasks. */
  readonly macro: Interval | null;
}

/** pass@1 to pass@k, up to the most attempts of a task. */
export function passRows(rows: readonly AttemptRow[]): PassRow[] {
  const families = listFamilies(rows);
  return groupByAgent(rows).flatMap(([agent, own]) => {
    const tasks = taskResults(own);
    const most = tasks.reduce((all, { scored }) => Math.max(all, scored), 0);
    return Array.from({ length: most }, (_, i) => i + 1).map((k) => {
      const groups = families.map((family) =>
        tasks
          .filter((task) => task.family === family)
          .flatMap(({ scored, passed }) => passAtK(scored, passed, k) ?? []),
      );
      const all = groups.flat();
      const row = {
        agent,
        k,
        tasks: all.length,
        families: groups.map(computePassShare),
        all: computePassShare(all),
      };
      return { ...row, macro: bootstrap(groups) };
    });
  });
}

/** The tasks are the trials: attempts at one task say little about another. */
function computePassShare(values: readonly number[]): Interval | null {
  const p = computeMean(values);
  return p === null ? null : wilson(p, values.length);
}

/** How consistent an agent is, at tasks with at least two scores. */
export interface ConsistencyRow {
  readonly agent: string;
  readonly tasks: number;
  /** Standard deviation of the test pass rate over the attempts, averaged over tasks. */
  readonly sigma: number | null;
  /** Variance of the tasks' means, and mean of the variances within tasks. */
  readonly between: number | null;
  readonly within: number | null;
  /** between / (between + within); null if nothing varies. */
  readonly icc: number | null;
  /** between / within; null if nothing varies within a task. */
  readonly reliability: number | null;
}

export function consistencyRows(rows: readonly AttemptRow[]): ConsistencyRow[] {
  return groupByAgent(rows).map(([agent, own]) => {
    const tasks = groupByTask(own)
      .map(([, ofTask]) => ofTask.flatMap((row) => computeTestRate(row) ?? []))
      .filter((rates) => rates.length >= 2);
    const between = computeVariance(tasks.flatMap((rates) => computeMean(rates) ?? []));
    const within = computeMean(tasks.flatMap((rates) => computeVariance(rates) ?? []));
    const isKnown = between !== null && within !== null;
    return {
      ...{
        agent,
        tasks: tasks.length,
        sigma: computeMean(tasks.flatMap((rates) => computeSampleDeviation(rates) ?? [])),
      },
      ...{ between, within },
      icc: isKnown && between + within > 0 ? between / (between + within) : null,
      reliability: isKnown && within > 0 ? between / within : null,
    };
  });
}

/** How much agents differ at one task. */
export interface DiscriminationRow {
  readonly task: string;
  /** Share of passed attempts of each agent, in the order in which agents appear; null without a score. */
  readonly agents: readonly (number | null)[];
  /** Standard deviation of a sample over the agents; null with fewer than two. */
  readonly deviation: number | null;
  readonly isDiscriminative: boolean;
}

/** The deviation from which a task is discriminative. */
export const discriminativeDeviation = 0.35;

/** The most discriminative first. */
export function discriminationRows(rows: readonly AttemptRow[]): DiscriminationRow[] {
  const agents = groupByAgent(rows).map(([, own]) => new Map(taskResults(own).map((one) => [one.task, one])));
  const tasks = [...new Set(agents.flatMap((own) => [...own.keys()]))].toSorted();
  const all = tasks.map((task) => {
    const shares = agents.map((own) => {
      const { passed = 0, scored = 0 } = own.get(task) ?? {};
      return scored === 0 ? null : passed / scored;
    });
    const spread = computeSampleDeviation(shares.flatMap((one) => one ?? []));
    return {
      task,
      agents: shares,
      deviation: spread,
      isDiscriminative: (spread ?? 0) >= discriminativeDeviation,
    };
  });
  return all.toSorted((one, other) => (other.deviation ?? -1) - (one.deviation ?? -1));
}

/**
 * The usage of an agent's attempts: the tries that count, of the attempts that began. Null if a part is not known, so that
 * no sum is too small.
 */
export interface CostRow {
  readonly agent: string;
  /** Attempts that began, over which the means are taken. */
  readonly begun: number;
  /** Attempts that ended without a score before their first step. */
  readonly notBegun: number;
  readonly meanSteps: number | null;
  readonly meanTokens: number | null;
  readonly meanUsd: number | null;
  readonly totalUsd: number | null;
  /** Of all tries of all attempts: what was paid. */
  readonly allTriesUsd: number | null;
  /** `totalUsd` per passed attempt; null without one. */
  readonly usdPerSuccess: number | null;
  /** Mean tokens of the attempts that passed. */
  readonly tokensPerSuccess: number | null;
  /** pass@5 in percent for each thousand of those tokens, or pass@k with fewer attempts; null without tokens. */
  readonly efficiency: number | null;
}

export function costRows(rows: readonly AttemptRow[]): CostRow[] {
  return groupByAgent(rows).map(([agent, all]) => {
    const own = all.filter(hasBegun);
    const tries = onlyKnown(all.map(({ allTriesUsd }) => allTriesUsd));
    const passed = own.filter(hasPassed);
    const costs = onlyKnown(own.map(({ costUsd }) => costUsd));
    const perSuccess = computeKnownMean(passed.map(sumAttemptTokens));
    const pass = findBestPass(own);
    return {
      ...{
        agent,
        begun: own.length,
        notBegun: all.length - own.length,
        allTriesUsd: tries && computeSum(tries),
      },
      ...{
        meanSteps: computeMean(own.map(({ steps }) => steps)),
        meanTokens: computeKnownMean(own.map(sumAttemptTokens)),
      },
      ...{ meanUsd: costs && computeMean(costs), totalUsd: costs && computeSum(costs) },
      usdPerSuccess: costs && passed.length > 0 ? computeSum(costs) / passed.length : null,
      tokensPerSuccess: perSuccess,
      efficiency:
        perSuccess === null || perSuccess === 0 || pass === null ? null : (pass * 100) / (perSuccess / 1000),
    };
  });
}

/** pass@5, or with the most attempts that a task has. */
function findBestPass(rows: readonly AttemptRow[]): number | null {
  const tasks = taskResults(rows);
  const k = Math.min(
    5,
    tasks.reduce((all, { scored }) => Math.max(all, scored), 0),
  );
  return k === 0
    ? null
    : computeMean(tasks.flatMap(({ scored, passed }) => passAtK(scored, passed, k) ?? []));
}

function computeKnownMean(values: readonly (number | null)[]): number | null {
  const all = onlyKnown(values);
  return all && computeMean(all);
}

function onlyKnown(values: readonly (number | null)[]): number[] | null {
  const all = values.filter((value) => value !== null);
  return all.length === values.length ? all : null;
}
