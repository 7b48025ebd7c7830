import { defaultWindow } from '../agents/index.ts';
import { computeCost, type Model, priceOf } from '../models/index.ts';
import type { AttemptResult } from './attempt-result.ts';
import type { StudyOptions } from './run-study.ts';
import type { StudyConfig } from './study-config.ts';
import { readAttempt } from './study-folder.ts';
import { assertPlayable, planAttempts, type PlannedAttempt } from './study-plan.ts';

/** A preview of a study's next run. */
export interface StudyPreview {
  /** The total number of attempts. */
  readonly planned: number;
  /** The number of finished ones. */
  readonly done: number;
  readonly estimates: readonly AgentEstimate[];
}

/** Reads the folder, and changes nothing. */
export async function previewStudy({
  folder,
  config,
  tasks,
  agents,
}: Pick<StudyOptions, 'folder' | 'config' | 'tasks' | 'agents'>): Promise<StudyPreview> {
  await assertPlayable(tasks, agents);
  const plan = planAttempts(tasks, agents, config.attempts);
  const results = await Promise.all(plan.map((attempt) => readAttempt(folder, attempt)));
  const done = results.filter((result) => result !== null);
  const open = plan.filter((_, index) => results[index] === null);
  return { planned: plan.length, done: done.length, estimates: estimateStudy(config, open, done) };
}

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
const estimatedTurnTokens = { in: 3500, out: 300 };
const estimatedPromptTokens = 6000;

function estimateStudy(
  config: StudyConfig,
  open: readonly PlannedAttempt[],
  done: readonly AttemptResult[],
): AgentEstimate[] {
  const agents = Map.groupBy(open, ({ agent }) => agent);
  return [...agents].map(([{ name, model, maxContext }, attempts]) => {
    const base = { agent: name, attempts: attempts.length };
    if (!model || model.vendor === 'scripted') return { ...base, tokens: 0, costUsd: 0, from: 'no model' };
    const measured = estimateFromDone(done.filter((one) => one.agent === name));
    const one = measured ?? estimateAtMost(model, config, maxContext ?? defaultWindow.tokens);
    return {
      ...base,
      tokens: Math.round(one.tokens * attempts.length),
      costUsd: one.costUsd === null ? null : one.costUsd * attempts.length,
      from: measured ? 'measured' : 'most',
    };
  });
}

interface AttemptEstimate {
  readonly tokens: number;
  readonly costUsd: number | null;
}

function estimateFromDone(done: readonly AttemptResult[]): AttemptEstimate | null {
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
function estimateAtMost(
  model: Model,
  { maxSteps, maxTokens, maxCost }: StudyConfig,
  window: number,
): AttemptEstimate {
  const turns = Array.from({ length: maxSteps }, (_, turn) =>
    Math.min(window, estimatedPromptTokens + turn * (estimatedTurnTokens.in + estimatedTurnTokens.out)),
  );
  const input = turns.reduce((all, before) => all + before + estimatedTurnTokens.in, 0);
  const cached = turns.slice(1).reduce((all, before) => all + before, 0);
  const output = maxSteps * estimatedTurnTokens.out;
  const cost = computeCost(priceOf(model.vendor, model.name), {
    ...{ input, output, cached },
    ...{ cacheWritten: input - cached, thinking: null },
  });
  const share = Math.min(1, (maxTokens ?? Infinity) / (input + output));
  return {
    tokens: (input + output) * share,
    costUsd: cost === null ? null : Math.min(cost * share, maxCost ?? Infinity),
  };
}
