import { PwpError } from '../../../bridge/lib/index.ts';
import type { OpenedAgent } from '../agents/index.ts';
import { requirePrice } from '../models/index.ts';
import type { AttemptTry } from './attempt-result.ts';

/** The limits of a study; undefined: no limit. */
interface BudgetLimits {
  readonly usd?: number;
  readonly tokens?: number;
  /** Time in which attempts were under way, in all runs. */
  readonly ms?: number;
}

const budgetUnits: Readonly<Record<string, readonly [keyof BudgetLimits, number]>> = {
  usd: ['usd', 1],
  $: ['usd', 1],
  token: ['tokens', 1],
  tokens: ['tokens', 1],
  h: ['ms', 3_600_000],
  min: ['ms', 60_000],
};

/** Reads e.g. `25usd`, `$25`, `2000000tokens`, `8h`, `90min`. Errors: `usage`. */
export function parseBudget(parts: readonly string[]): BudgetLimits {
  return Object.assign({}, ...parts.map(parseBudgetPart)) as BudgetLimits;
}

function parseBudgetPart(text: string): BudgetLimits {
  const [, sign = '', digits = '', word = ''] =
    /^(\$?)([\d_]+(?:\.\d+)?)\s*([a-z]*)$/i.exec(text.trim()) ?? [];
  const unit = budgetUnits[sign || word.toLowerCase()];
  const value = Number(digits.replaceAll('_', ''));
  if (unit && value > 0 && !(sign && word)) return { [unit[0]]: value * unit[1] };
  throw new PwpError('usage', `${JSON.stringify(text)} is not a budget`, {
    help: 'For example 25usd, 2000000tokens, 8h or 90min.',
  });
}

/**
 * Refuses a limit in dollars for a model whose price is not known, since it could not be enforced.
 * @param usd any such limit, of the study or of an attempt. Errors: `usage`.
 */
export function assertPriced(usd: number | undefined, agents: readonly OpenedAgent[]): void {
  if (usd === undefined) return;
  for (const { model } of agents) if (model) requirePrice(model);
}

/**
 * A study's usage in all of its runs, compared with its limits. Failed tries count like others. Time is that of this run,
 * and of earlier runs the time in which at least one try was under way: between runs, nothing is used.
 */
export class StudyBudget {
  readonly #limits: BudgetLimits;
  readonly #start = performance.now();
  readonly #earlier: [startMs: number, endMs: number][] = [];
  #usd = 0;
  #tokens = 0;
  #unknown = 0;

  constructor(limits: BudgetLimits) {
    this.#limits = limits;
  }

  /** Counts a try of an earlier run. */
  addEarlier(made: AttemptTry): void {
    this.add(made);
    const start = made.startedAt === null ? NaN : Date.parse(made.startedAt);
    if (Number.isFinite(start)) this.#earlier.push([start, start + made.totalMs]);
  }

  /** Counts a try of this run. */
  add({ costUsd, promptTokens, completionTokens }: AttemptTry): void {
    if (costUsd === null) this.#unknown += 1;
    this.#usd += costUsd ?? 0;
    this.#tokens += (promptTokens ?? 0) + (completionTokens ?? 0);
  }

  /** US dollars so far. */
  get usd(): number {
    return this.#usd;
  }

  /** The number of tries of unknown cost. */
  get unknown(): number {
    return this.#unknown;
  }

  /** The limit that is reached, in words; undefined while all have some left. */
  get reached(): string | undefined {
    const { usd = Infinity, tokens = Infinity, ms = Infinity } = this.#limits;
    if (this.#usd >= usd) return `the budget of ${usd} US dollars is used`;
    if (this.#tokens >= tokens) return `the budget of ${tokens} tokens is used`;
    if (ms === Infinity) return undefined;
    const usedMs = measureUnionMs(this.#earlier) + performance.now() - this.#start;
    return usedMs >= ms ? `the budget of ${Math.round(ms / 60_000)} min is used` : undefined;
  }
}

/** The time in any of the intervals; overlaps count once. */
export function measureUnionMs(intervals: readonly (readonly [startMs: number, endMs: number])[]): number {
  let [all, until] = [0, -Infinity];
  for (const [start, end] of intervals.toSorted(([one], [other]) => one - other)) {
    all += Math.max(0, end - Math.max(start, until));
    until = Math.max(until, end);
  }
  return all;
}
