import { costOf, priceOf, type Model } from '../models/index.ts';
import type { AttemptResult } from './attempt.ts';
import type { StudyConfig } from './config.ts';
import type { PlannedAttempt } from './plan.ts';

/** The expected usage of one agent's attempts. */
export interface AgentEstimate {
  readonly agent: string;
  /** The number of remaining attempts. */
  readonly attempts: number;
  /** Tokens in and out of all of them; 0 without a model. */
  readonly tokens: number;
  /** US dollars; null if the price is not known. */
  readonly costUsd: number | null;
  /** `measured` from the attempts of this study that are over, else `most`: if each takes all its steps. */
  readonly from: 'measured' | 'most' | 'no model';
}

/** Rough tokens: of a turn's picture of 1280x720 and list of marks; of a model's answer; of the prompt with its tools. */
const turnTokens = { in: 3500, out: 300 };
const promptTokens = 6000;
const defaultWindow = 150_000;

export function estimateStudy(
  config: StudyConfig,
  open: readonly PlannedAttempt[],
  done: readonly AttemptResult[],
): AgentEstimate[] {
  const agents = Map.groupBy(open, ({ agent }) => agent);
  return [...agents].map(([{ name, choice }, attempts]) => {
    const { model } = choice;
    const base = { agent: name, attempts: attempts.length };
    if (!model || model.vendor === 'scripted' || model.vendor === 'human')
      return { ...base, tokens: 0, costUsd: 0, from: 'no model' };
    const measured = measuredOf(done.filter((one) => one.agent === name));
    const one = measured ?? mostOf(model, config, choice.window?.tokens ?? defaultWindow);
    return {
      ...base,
      tokens: Math.round(one.tokens * attempts.length),
      costUsd: one.costUsd === null ? null : one.costUsd * attempts.length,
      from: measured ? 'measured' : 'most',
    };
  });
}

interface One {
  readonly tokens: number;
  readonly costUsd: number | null;
}

function measuredOf(done: readonly AttemptResult[]): One | null {
  const known = done.filter(
    ({ promptTokens: sent, completionTokens: said }) => sent !== null && said !== null,
  );
  if (known.length === 0) return null;
  const sum = (of: (one: AttemptResult) => number) =>
    known.reduce((all, one) => all + of(one), 0) / known.length;
  const priced = known.every(({ costUsd }) => costUsd !== null);
  return {
    tokens: sum((one) => (one.promptTokens ?? 0) + (one.completionTokens ?? 0)),
    costUsd: priced ? sum((one) => one.costUsd ?? 0) : null,
  };
}

/** Every turn sends the whole conversation again, most of it from the vendor's cache. */
function mostOf(model: Model, { max_steps, max_tokens, max_cost }: StudyConfig, window: number): One {
  const turns = Array.from({ length: max_steps }, (_, turn) =>
    Math.min(window, promptTokens + turn * (turnTokens.in + turnTokens.out)),
  );
  const input = turns.reduce((all, before) => all + before + turnTokens.in, 0);
  const cached = turns.slice(1).reduce((all, before) => all + before, 0);
  const output = max_steps * turnTokens.out;
  const cost = costOf(priceOf(model.vendor, model.name), {
    ...{ input, output, cached },
    ...{ cacheWritten: input - cached, thinking: null },
  });
  const share = Math.min(1, (max_tokens ?? Infinity) / (input + output));
  return {
    tokens: (input + output) * share,
    costUsd: cost === null ? null : Math.min(cost * share, max_cost ?? Infinity),
  };
}
