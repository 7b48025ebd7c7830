import { formatDollars } from '../../lib/index.ts';
import type {
  EpisodeEnding,
  EpisodeHistory,
  RecordedEffect,
  RecordedResult,
  RecordedTurn,
} from '../../run/index.ts';
import { type Html, markup } from './html-page.ts';

/** A duration for people: `84 ms`, `5.2 s`, `2 min 05 s`. */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, '0')} s`;
}

/** A score without needless digits: `1`, `0.75`, `0.333`. */
export function formatScore(reward: number): string {
  return String(Number(reward.toFixed(3)));
}

/** `12,345`. */
function formatNumber(value: number): string {
  return value.toLocaleString('en-US');
}

/** `1 step`, `3 steps`. */
export function formatCount(number: number, one: string): string {
  return `${number} ${one}${number === 1 ? '' : 's'}`;
}

/** `21 November 2026, 06:10 UTC`; the same on every machine. */
export function formatTime(iso: string): string {
  const date = new Date(iso);
  const day = date.toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });
  return `${day}, ${iso.slice(11, 16)} UTC`;
}

/** The median of a list of numbers; null for an empty one. */
export function computeMedian(numbers: readonly number[]): number | null {
  const sorted = [...numbers].sort((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.floor((sorted.length - 1) / 2)];
  return upper === undefined || lower === undefined ? null : (upper + lower) / 2;
}

/** A result in words. `tone` selects the colour and the sign. */
export interface ResultVerdict {
  readonly tone: 'good' | 'partial' | 'bad' | 'none';
  readonly word: string;
  /** Null without a score. */
  readonly score: string | null;
  /** How the episode ended. */
  readonly ended: string;
}

export function describeResult(result: Pick<RecordedResult, 'reward' | 'ended'>): ResultVerdict {
  const ended = describeEnding(result);
  const { reward } = result;
  if (reward === null) return { tone: 'none', word: 'No score', score: null, ended };
  if (reward >= 1) return { tone: 'good', word: 'Passed', score: formatScore(reward), ended };
  if (reward > 0) return { tone: 'partial', word: 'Partly passed', score: formatScore(reward), ended };
  return { tone: 'bad', word: 'Failed', score: formatScore(reward), ended };
}

const endingWords: Readonly<Record<EpisodeEnding, string>> = {
  finished: 'The agent finished',
  'step-limit': 'Stopped at the step limit',
  'time-limit': 'Stopped at the time limit',
  'token-limit': 'Stopped at the limit of tokens',
  'cost-limit': 'Stopped at the limit of cost',
  'context-limit': 'Stopped: the conversation is longer than the model takes',
  'model-refused': 'The model refused to continue',
  'agent-failed': 'The agent failed, and its final state was graded',
  'model-failed': 'The model could not be asked',
  'sandbox-failed': 'The sandbox failed, and its disk was graded',
  'grading-failed': 'The tests gave no verdict',
  'infrastructure-error': 'The infrastructure failed',
  cancelled: 'Cancelled',
};

function describeEnding({ ended }: Pick<RecordedResult, 'ended'>): string {
  return ended === null ? 'The run was cut off' : endingWords[ended.how];
}

interface EffectLook {
  readonly sign: string;
  readonly word: string;
  readonly tone: 'good' | 'partial' | 'bad' | 'none';
  readonly meaning: string;
}

const effectLooks: Readonly<Record<RecordedEffect, EffectLook>> = {
  confirmed: { sign: '✓', word: 'Confirmed', tone: 'good', meaning: 'It was seen to happen' },
  partial: { sign: '◐', word: 'Partial', tone: 'partial', meaning: 'Part of it was seen to happen' },
  'no-effect': { sign: '∅', word: 'No effect', tone: 'bad', meaning: 'Nothing was seen to happen' },
  unverifiable: {
    sign: '?',
    word: 'Unverifiable',
    tone: 'none',
    meaning: 'It could not be checked',
  },
  refused: { sign: '✕', word: 'Refused', tone: 'bad', meaning: 'It was not tried' },
};

/** A badge that needs no colour to be read. */
export function renderEffectBadge(effect: RecordedEffect): Html {
  const { sign, word, tone, meaning } = effectLooks[effect];
  return markup`<span class="badge ${tone}" title="${meaning}"
    ><span aria-hidden="true">${sign}</span> ${word}</span
  >`;
}

const effectOrder: readonly RecordedEffect[] = [
  'refused',
  'no-effect',
  'partial',
  'unverifiable',
  'confirmed',
];

/** The effect to show for a whole step: the worst of its actions. Null if it had none. */
export function findWorstEffect(effects: readonly RecordedEffect[]): RecordedEffect | null {
  return effectOrder.find((effect) => effects.includes(effect)) ?? null;
}

/** A step's effect as a dot on its thumbnail. */
export function renderEffectDot(effect: RecordedEffect | null): Html | null {
  if (effect === null) return null;
  const { sign, word, tone } = effectLooks[effect];
  return markup`<span class="dot ${tone}" title="${word}"><span aria-hidden="true">${sign}</span></span>`;
}

export function nameEffect(effect: RecordedEffect): string {
  return effectLooks[effect].word.toLowerCase();
}

/** The agent's message in a turn, and the usage of its model. */
export function renderTurn(turn: RecordedTurn): Html {
  const { message, reasoning } = turn;
  const asked = describeModelUsage(turn);
  return markup`${message !== undefined && message !== '' && markup`<blockquote>${message}</blockquote>`}
    ${
      reasoning !== undefined &&
      reasoning !== '' &&
      markup`<details class="reasoning">
        <summary>Reasoning</summary>
        <pre tabindex="0">${reasoning}</pre>
      </details>`
    }
    ${asked !== null && markup`<p class="quiet">${asked}</p>`}`;
}

/** The agent's final message, without actions. */
export function renderLastMessage({ lastTurn }: Pick<EpisodeHistory, 'lastTurn'>): Html | null {
  if (lastTurn === null) return null;
  return markup`<section class="last-turn" aria-labelledby="last-turn">
    <h2 id="last-turn">The end</h2>
    <p class="quiet">The agent finished after ${formatDuration(lastTurn.ms)}.</p>
    ${renderTurn(lastTurn.turn)}
  </section>`;
}

/** Null if no model was asked. */
function describeModelUsage(turn: RecordedTurn): string | null {
  const { llmCalls = 0, promptTokens, completionTokens, costUsd, modelMs, tries = 1, model } = turn;
  const known = [promptTokens, completionTokens, costUsd, modelMs].some((one) => one !== undefined);
  if (llmCalls === 0 && !known) return null;
  const parts = [
    ...(model === undefined ? [] : [model]),
    formatTokens(turn),
    costUsd === undefined ? 'cost unknown' : formatDollars(costUsd),
    ...(modelMs === undefined ? [] : [`${formatDuration(modelMs)} for the answer`]),
    ...(tries > 1 ? [formatCount(tries, 'request')] : []),
  ];
  return parts.join(' · ');
}

/** `1,200 tokens in (900 cached), 80 out (40 thinking)`. */
export function formatTokens({
  promptTokens,
  completionTokens,
  cachedTokens,
  thinkingTokens,
}: {
  readonly promptTokens?: number | null | undefined;
  readonly completionTokens?: number | null | undefined;
  readonly cachedTokens?: number | null | undefined;
  readonly thinkingTokens?: number | null | undefined;
}): string {
  const text = (tokens: number | null | undefined) =>
    typeof tokens === 'number' ? formatNumber(tokens) : 'unknown';
  const part = (tokens: number | null | undefined, what: string) =>
    typeof tokens === 'number' && tokens > 0 ? ` (${formatNumber(tokens)} ${what})` : '';
  const cached = part(cachedTokens, 'cached');
  const thinking = part(thinkingTokens, 'thinking');
  return `tokens: ${text(promptTokens)} in${cached}, ${text(completionTokens)} out${thinking}`;
}
