import { createHash } from 'node:crypto';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import * as z from 'zod';
import { PwpError } from '../../../bridge/lib/index.ts';

/** The most that one model is asked in a minute. A limit that is not given is not checked. */
export const modelRate = z.strictObject({
  requests: z.int().positive().optional(),
  tokens: z.int().positive().optional().describe('input and output; counted once an answer is there'),
});
export type ModelRate = z.output<typeof modelRate>;

/** Reads e.g. `60requests`, `200000tokens`. Errors: `usage`. */
export function parseModelRate(parts: readonly string[]): ModelRate {
  return Object.assign({}, ...parts.map(parseRatePart)) as ModelRate;
}

function parseRatePart(text: string): ModelRate {
  const [, digits = '', unit = ''] = /^([\d_]{1,15})\s*(requests|tokens)$/.exec(text.trim()) ?? [];
  const most = Number(digits.replaceAll('_', ''));
  if (most > 0) return { [unit]: most };
  throw new PwpError('usage', `${JSON.stringify(text)} is not a rate`, {
    help: 'The most of a minute, for example 60requests or 200000tokens.',
  });
}

/** What is asked of a pace that several share. */
export const paceQuestion = z.strictObject({
  kind: z
    .enum(['take', 'hold', 'spend'])
    .describe('may a request begin; none begins for a time; tokens were used'),
  model: z.string().min(1).max(2000).describe('its server and its name'),
  rate: modelRate,
  amount: z.number().nonnegative().describe('milliseconds of a hold, or tokens; 0 for a request'),
});
export type PaceQuestion = z.output<typeof paceQuestion>;

/** Resolves with the milliseconds until a request may be asked for again; 0 if it may begin, and is counted. */
export type AskPace = (question: PaceQuestion) => Promise<number>;

/** A counter of points that are forgotten `duration` seconds after the first of them. */
export type MakeLimiter = (name: string, points: number, duration: number) => RateLimiterAbstract;

/** Seconds over which limits of a minute are held. Requests: less, so that they don't come all at once. */
const usualWindows = { requests: 10, tokens: 60 } as const;
/** With fewer requests in a minute, they are counted over the whole of it. */
const leastSpread = 60;

/**
 * A pace that all share whose limiters count in one place.
 * @param windows in seconds
 */
export function makePace(
  make: MakeLimiter,
  windows: Record<'requests' | 'tokens', number> = usualWindows,
): AskPace {
  const limiters = new Map<string, RateLimiterAbstract>();
  const limiterOf = (name: string, points: number, duration: number) => {
    const key = `${name} ${points} ${duration}`;
    const limiter = limiters.get(key) ?? make(name, points, duration);
    limiters.set(key, limiter);
    return limiter;
  };
  const holds = () => limiterOf('hold', 1, 1);
  const tokensOf = (most: number) =>
    limiterOf('tokens', Math.ceil((most * windows.tokens) / 60), windows.tokens);
  const requestsOf = (most: number) => {
    const seconds = most < leastSpread ? 60 : windows.requests;
    return limiterOf('requests', Math.floor((most * seconds) / 60), seconds);
  };
  return async ({ kind, model: name, rate, amount }) => {
    // Of a bounded length.
    const model = createHash('sha256').update(name).digest('hex').slice(0, 32);
    const heldMs = (await holds().get(model))?.msBeforeNext ?? 0;
    if (kind === 'hold') {
      if (amount > heldMs) await holds().block(model, amount / 1000);
      return 0;
    }
    if (kind === 'spend') {
      if (rate.tokens !== undefined && amount > 0) await tokensOf(rate.tokens).penalty(model, amount);
      return 0;
    }
    if (heldMs > 0) return heldMs;
    if (rate.tokens !== undefined) {
      const used = await tokensOf(rate.tokens).get(model);
      if (used && used.remainingPoints <= 0) return used.msBeforeNext;
    }
    return rate.requests === undefined ? 0 : await consume(requestsOf(rate.requests), model);
  };
}

async function consume(limiter: RateLimiterAbstract, model: string): Promise<number> {
  try {
    await limiter.consume(model);
    return 0;
  } catch (error) {
    if (error instanceof RateLimiterRes) return Math.max(1, error.msBeforeNext);
    throw error;
  }
}

/** A pace of this process alone. */
export function makeOwnPace(): AskPace {
  return makePace((keyPrefix, points, duration) => new RateLimiterMemory({ keyPrefix, points, duration }));
}
