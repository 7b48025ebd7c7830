import { dollarsText } from '../lib/index.ts';
import type { EpisodeHistory, Turn } from '../record/index.ts';
import { count, duration, number } from './format.ts';
import { markup, type Html } from './markup.ts';

/** The agent's message in a turn, and the usage of its model. */
export function turnWords(turn: Turn): Html {
  const { message, reasoning } = turn;
  const asked = askedText(turn);
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
export function lastWords({ lastTurn }: Pick<EpisodeHistory, 'lastTurn'>): Html | null {
  if (lastTurn === null) return null;
  return markup`<section class="last-turn" aria-labelledby="last-turn">
    <h2 id="last-turn">The end</h2>
    <p class="quiet">The agent finished after ${duration(lastTurn.ms)}.</p>
    ${turnWords(lastTurn.turn)}
  </section>`;
}

/** Null if no model was asked. */
function askedText(turn: Turn): string | null {
  const { llmCalls = 0, promptTokens, completionTokens, costUsd, modelMs, tries = 1, model } = turn;
  const known = [promptTokens, completionTokens, costUsd, modelMs].some((one) => one !== undefined);
  if (llmCalls === 0 && !known) return null;
  const parts = [
    ...(model === undefined ? [] : [model]),
    tokensText(turn),
    costUsd === undefined ? 'cost unknown' : dollarsText(costUsd),
    ...(modelMs === undefined ? [] : [`${duration(modelMs)} for the answer`]),
    ...(tries > 1 ? [count(tries, 'request')] : []),
  ];
  return parts.join(' · ');
}

/** `1,200 tokens in (900 cached), 80 out (40 thinking)`. */
export function tokensText({
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
    typeof tokens === 'number' ? number(tokens) : 'unknown';
  const part = (tokens: number | null | undefined, what: string) =>
    typeof tokens === 'number' && tokens > 0 ? ` (${number(tokens)} ${what})` : '';
  const cached = part(cachedTokens, 'cached');
  const thinking = part(thinkingTokens, 'thinking');
  return `tokens: ${text(promptTokens)} in${cached}, ${text(completionTokens)} out${thinking}`;
}
