import { PwpError } from '../../../bridge/lib/index.ts';

/** How a model is asked. Settings that a model does not take are left out, and named in its `notSet`. */
export interface ModelSettings {
  readonly temperature?: number | undefined;
  readonly seed?: number | undefined;
  /** How hard it thinks: a level in the vendor's words (`low`, `high`, …), or a budget in tokens. */
  readonly thinking?: string | number | undefined;
  /** Most tokens that one turn may put out. Default 16,384. */
  readonly maxOutput?: number | undefined;
  /** Type of the vendor's computer tool, e.g. `computer_20251124`. Default: chosen by the model's name. */
  readonly computerTool?: string | undefined;
  /** Another server that speaks the same protocol, e.g. `http://127.0.0.1:8000/v1`. */
  readonly baseUrl?: string | undefined;
  /** Value of the header `authorization`, in place of the key: made of the user and password of that address. */
  readonly authorization?: string | undefined;
  /** Ask for answers piece by piece. Default true. `false` is for a server whose streamed answers are worse. */
  readonly stream?: boolean | undefined;
  readonly retry?: Partial<RetrySettings> | undefined;
}

export interface RetrySettings {
  /** Tries of one turn, the first included. Default 8. */
  readonly tries: number;
  /** Pause before the second try, in milliseconds; doubled each time. Default 1000. */
  readonly firstPauseMs: number;
  /** Longest pause, also where the server asks for a longer one: then the turn fails at once. Default 300,000. */
  readonly mostPauseMs: number;
  /** Longest time that one try may take, in milliseconds. Default 1,800,000. */
  readonly tryMs: number;
  /** Longest silence of the server in a try, in milliseconds: before its answer begins, and within it. Default 600,000. */
  readonly idleMs: number;
  /** Turns of one model under way at once, at most. Default 16. */
  readonly atOnce: number;
}

/** The longest time that one try of a turn may take. */
export const defaultTryMs = 1_800_000;

const defaultRetry: RetrySettings = {
  tries: 8,
  firstPauseMs: 1000,
  mostPauseMs: 300_000,
  tryMs: defaultTryMs,
  idleMs: 600_000,
  atOnce: 16,
};

export const defaultMaxOutput = 16_384;

const leastRetry: Readonly<RetrySettings> = {
  ...{ tries: 1, firstPauseMs: 0, mostPauseMs: 0, tryMs: 1, idleMs: 1, atOnce: 1 },
};
/** The longest wait that a timer can take. */
const longestTimerMs = 2 ** 31 - 1;

/** Fills in the defaults. Errors: `usage`. */
export function resolveRetry({ retry = {} }: ModelSettings): RetrySettings {
  const all = { ...defaultRetry, ...retry };
  for (const name of Object.keys(leastRetry) as (keyof RetrySettings)[])
    if (!Number.isSafeInteger(all[name]) || all[name] < leastRetry[name] || all[name] > longestTimerMs)
      throw new PwpError('usage', `${name} of a model's retry settings is ${String(all[name])}`, {
        help: `A whole number from ${leastRetry[name]} to ${longestTimerMs}.`,
      });
  return all;
}

/** Texts that must not get into a record: the key, and user and password of the server's address as they are sent. */
export function collectSecrets(key: string, { authorization }: ModelSettings): string[] {
  const basic = authorization?.replace(/^Basic /, '') ?? '';
  return [key, basic, Buffer.from(basic, 'base64').toString()].filter((secret) => secret !== '');
}
