import { mean, passAtK, sum } from '../numbers/index.ts';
import { byAgent, hasBegun, isPassed, tokensOf, type AttemptRow } from '../rows/index.ts';
import { taskResults } from './tasks.ts';

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
  return byAgent(rows).map(([agent, all]) => {
    const own = all.filter(hasBegun);
    const tries = known(all.map(({ allTriesUsd }) => allTriesUsd));
    const passed = own.filter(isPassed);
    const costs = known(own.map(({ costUsd }) => costUsd));
    const perSuccess = meanOf(passed.map(tokensOf));
    const pass = bestPass(own);
    return {
      ...{ agent, begun: own.length, notBegun: all.length - own.length, allTriesUsd: tries && sum(tries) },
      ...{ meanSteps: mean(own.map(({ steps }) => steps)), meanTokens: meanOf(own.map(tokensOf)) },
      ...{ meanUsd: costs && mean(costs), totalUsd: costs && sum(costs) },
      usdPerSuccess: costs && passed.length > 0 ? sum(costs) / passed.length : null,
      tokensPerSuccess: perSuccess,
      efficiency:
        perSuccess === null || perSuccess === 0 || pass === null ? null : (pass * 100) / (perSuccess / 1000),
    };
  });
}

/** pass@5, or with the most attempts that a task has. */
function bestPass(rows: readonly AttemptRow[]): number | null {
  const tasks = taskResults(rows);
  const k = Math.min(
    5,
    tasks.reduce((all, { scored }) => Math.max(all, scored), 0),
  );
  return k === 0 ? null : mean(tasks.flatMap(({ scored, passed }) => passAtK(scored, passed, k) ?? []));
}

function meanOf(values: readonly (number | null)[]): number | null {
  const all = known(values);
  return all && mean(all);
}

function known(values: readonly (number | null)[]): number[] | null {
  const all = values.filter((value) => value !== null);
  return all.length === values.length ? all : null;
}
