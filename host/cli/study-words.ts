import { dollarsText } from '../lib/index.ts';
import type { AttemptResult } from '../study/index.ts';

/** US dollars, as far as they are known. */
export interface Spent {
  usd: number;
  /** The number of tries of unknown cost. */
  unknown: number;
}

/** How an attempt ended, in one line. */
export function resultText({
  task,
  agent,
  number,
  end,
  limit,
  reward,
  rewardTrustworthy,
  why,
}: AttemptResult): string {
  const trust = rewardTrustworthy === false ? ' (suspect)' : '';
  const score = reward === null ? 'no score' : `score ${reward}${trust}`;
  const how = limit === null ? end : `limit of ${limit}`;
  const reason = why === null ? '' : `: ${why.split('\n', 1)[0]}`;
  return `${task} · ${agent} · ${number}: ${score}, ${how}${reason}`;
}

/** The known cost, with a note if it is not all. */
export function moneyText({ usd, unknown }: Spent): string {
  if (unknown === 0) return dollarsText(usd);
  return usd === 0 ? 'unknown' : `${dollarsText(usd)} + unknown`;
}

/** `h:mm:ss` */
export function clockText(ms: number): string {
  const seconds = Math.round(ms / 1000);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}
