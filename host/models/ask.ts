import { PwpError, deadline, messageOf, neverAborted, pause, raceSignal } from '../../bridge/lib/index.ts';
import type { Joiner } from './answer-stream.ts';
import { Recorder, type Exchange, type Through, type Try } from './exchange.ts';
import { failureOf, type Failure } from './failure.ts';
import type { TurnOptions } from './model.ts';
import { paceOf, type Pace } from './pace.ts';
import type { Room } from './room.ts';
import type { RetrySettings } from './settings.ts';
import type { Usage } from './usage.ts';

/** Which server to ask, and how patiently. */
export interface Line {
  /** Origin of the server; with the model's name it says who shares a pace. */
  readonly server: string;
  readonly model: string;
  /** Never to be recorded. */
  readonly secrets: readonly string[];
  /** Header of the server's address; see {@link file://./network.ts ServerAddress}. */
  readonly authorization?: string | undefined;
  /** Joins an answer that is streamed. */
  readonly join?: () => Joiner;
  /** The usage that an answer reports, even one that can't be used; null without a report. */
  readonly usage?: (response: unknown) => Usage | null;
  readonly retry: RetrySettings;
}

export interface Answer<T> {
  readonly answer: T;
  readonly exchange: Exchange;
  readonly tries: readonly Try[];
  /** Milliseconds of the successful try. */
  readonly ms: number;
}

/** The tries of a turn that got no answer, newest last. */
export class ModelError extends PwpError {
  readonly tries: readonly Try[];
  /** The last of them. */
  readonly exchange: Exchange;
  /** For `model-too-long`: the server's limits, from its message. */
  readonly room: Room | undefined;

  constructor({ error, room }: Failure, tries: readonly Try[], exchange: Exchange) {
    const { code, message, help, cause } = error;
    super(code, message, { ...(help !== undefined && { help }), cause });
    this.tries = tries;
    this.exchange = exchange;
    this.room = room;
  }
}

/** Tries of a request that only checks whether a model exists. */
const mostChecks = 3;

/** The same line for such a request. */
export function checking(line: Line): Line {
  return { ...line, retry: { ...line.retry, tries: Math.min(mostChecks, line.retry.tries) } };
}

/** Servers that have answered anything in this process. */
const answered = new Set<string>();

/**
 * Asks until there is an answer, as the retry settings say. The retries of SDKs are off: this is the only place.
 * @param send one try, by an SDK through the given fetch. It throws for an answer that is not whole.
 */
export async function ask<T>(
  line: Line,
  send: (through: Through, signal: AbortSignal) => Promise<T>,
  options: TurnOptions = {},
): Promise<Answer<T>> {
  const tries: Try[] = [];
  try {
    return await askUntil(line, send, options, tries);
  } catch (error) {
    if (!(error instanceof ModelError)) options.onCut?.(tries);
    throw error;
  }
}

/** @param tries takes those that failed */
async function askUntil<T>(
  { server, model, secrets, authorization, join, usage, retry }: Line,
  send: (through: Through, signal: AbortSignal) => Promise<T>,
  { signal = neverAborted, onWait }: TurnOptions,
  tries: Try[],
): Promise<Answer<T>> {
  const pace = paceOf(server, model, retry.atOnce);
  for (let waitMs = 0; ;) {
    const begin = performance.now();
    const place = await placeAfter(waitMs, pace, signal, onWait);
    const recorder = new Recorder({ secrets, authorization, join, idleMs: retry.idleMs });
    const start = performance.now();
    const at = new Date().toISOString();
    const noted = (error: string | null): Try => ({
      at,
      ms: performance.now() - start,
      status: recorder.status,
      error,
      waitedMs: start - begin,
    });
    const failedWith = (error: string): Try => {
      const took = recorder.status === 200 ? usage?.(recorder.exchange.response) : null;
      return { ...noted(error), ...(took && { usage: took }) };
    };
    let failure: Failure;
    try {
      const answer = await tryOnce(`a turn of ${model}`, retry.tryMs, recorder, send, signal);
      const last = noted(null);
      answered.add(server);
      pace.speedUp();
      return { answer, exchange: recorder.exchange, tries: [...tries, last], ms: last.ms };
    } catch (error) {
      if (signal.aborted) tries.push(failedWith(messageOf(signal.reason)));
      signal.throwIfAborted();
      if (recorder.status !== null) answered.add(server);
      failure = failureOf(error, recorder, { model, first: !answered.has(server) });
    } finally {
      place[Symbol.dispose]();
    }
    tries.push(failedWith(failure.error.message));
    waitMs = failure.waitMs ?? backOff(tries.length, retry);
    // No longer than a try would wait: a server that names hours ends this turn, and must not hold up all others in silence.
    if (failure.busy) pace.slowDown(Math.min(waitMs, retry.mostPauseMs));
    if (!failure.again || tries.length >= retry.tries || waitMs > retry.mostPauseMs)
      throw new ModelError(failure, tries, recorder.exchange);
  }
}

/** Waits this long, and for a place. */
async function placeAfter(
  waitMs: number,
  pace: Pace,
  signal: AbortSignal,
  onWait: TurnOptions['onWait'],
): Promise<Disposable> {
  using waiting = onWait?.();
  void waiting;
  if (waitMs > 0) await pause(waitMs, signal);
  return await pace.enter(signal);
}

async function tryOnce<T>(
  what: string,
  ms: number,
  recorder: Recorder,
  send: (through: Through, signal: AbortSignal) => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  using limit = deadline(what, ms, signal);
  return await raceSignal(send(recorder, limit.signal), limit.signal);
}

/** Doubled each time, and somewhere in its upper half, so that those that failed together do not come back together. */
function backOff(failed: number, { firstPauseMs, mostPauseMs }: RetrySettings): number {
  const ms = Math.min(mostPauseMs, firstPauseMs * 2 ** (failed - 1));
  return ms * (0.5 + Math.random() / 2);
}
