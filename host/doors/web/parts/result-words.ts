import { formatInteger } from '../../../../bridge/text/index.ts';
import type { EpisodeEnding, RecordedEffect, RecordedResult } from '../../../run/index.ts';
import { html, type Html } from './html.ts';

/** Selects the colours. */
export type Tone = 'good' | 'partial' | 'bad' | 'none';

/** A score without needless digits: `1`, `0.75`, `0.333`. */
export function formatScore(reward: number): string {
  return String(Number(reward.toFixed(3)));
}

/** A result in words. */
export interface ResultVerdict {
  readonly tone: Tone;
  readonly word: string;
  /** Null without a score. */
  readonly score: string | null;
  /** How the episode ended. */
  readonly ended: string;
}

export function describeResult({ reward, ended }: Pick<RecordedResult, 'reward' | 'ended'>): ResultVerdict {
  const how = ended === null ? 'The run was cut off' : endingWords[ended.how];
  if (reward === null) return { tone: 'none', word: 'No score', score: null, ended: how };
  const [tone, word] =
    reward >= 1
      ? (['good', 'Passed'] as const)
      : reward > 0
        ? (['partial', 'Partly passed'] as const)
        : (['bad', 'Failed'] as const);
  return { tone, word, score: formatScore(reward), ended: how };
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

interface EffectLook {
  readonly sign: string;
  readonly word: string;
  readonly tone: Tone;
  readonly meaning: string;
}

/** The worst first. */
const effectLooks: Readonly<Record<RecordedEffect, EffectLook>> = {
  refused: { sign: '✕', word: 'Refused', tone: 'bad', meaning: 'It was not tried' },
  'no-effect': { sign: '∅', word: 'No effect', tone: 'bad', meaning: 'Nothing was seen to happen' },
  partial: { sign: '◐', word: 'Partial', tone: 'partial', meaning: 'Part of it was seen to happen' },
  unverifiable: { sign: '?', word: 'Unverifiable', tone: 'none', meaning: 'It could not be checked' },
  confirmed: { sign: '✓', word: 'Confirmed', tone: 'good', meaning: 'It was seen to happen' },
};

/** The effect to show for a whole step: the worst of its actions. Null if it had none. */
export function findWorstEffect(effects: readonly RecordedEffect[]): RecordedEffect | null {
  return (Object.keys(effectLooks) as RecordedEffect[]).find((effect) => effects.includes(effect)) ?? null;
}

/** A badge that needs no colour to be read. */
export function effectBadge(effect: RecordedEffect): Html {
  const { sign, word, tone, meaning } = effectLooks[effect];
  return html`<span class="badge ${tone}" title="${meaning}"
    ><span aria-hidden="true">${sign}</span> ${word}</span
  >`;
}

/** A step's effect as a sign. */
export function effectDot(effect: RecordedEffect | null): Html | null {
  if (effect === null) return null;
  const { sign, tone } = effectLooks[effect];
  const word = nameEffect(effect);
  return html`<span class="dot ${tone}" role="img" aria-label="${word}" title="${word}">${sign}</span>`;
}

export function nameEffect(effect: RecordedEffect): string {
  return effectLooks[effect].word.toLowerCase();
}

type TokenField = 'promptTokens' | 'completionTokens' | 'cachedTokens' | 'thinkingTokens';

/** `1,200 in (900 cached), 80 out (40 thinking)`. */
export function formatTokens(
  counts: Readonly<Partial<Record<TokenField, number | null | undefined>>>,
): string {
  const { promptTokens, completionTokens, cachedTokens, thinkingTokens } = counts;
  const all = (tokens: number | null | undefined) =>
    typeof tokens === 'number' ? formatInteger(tokens) : 'unknown';
  const part = (tokens: number | null | undefined, what: string) =>
    typeof tokens === 'number' && tokens > 0 ? ` (${formatInteger(tokens)} ${what})` : '';
  return `${all(promptTokens)} in${part(cachedTokens, 'cached')}, ${all(completionTokens)} out${part(thinkingTokens, 'thinking')}`;
}
