import {
  collectCauses,
  deadline,
  describeError,
  neverAborted,
  pause,
  PwpError,
  type PwpErrorCode,
  raceSignal,
} from '../../../bridge/lib/index.ts';
import { clip, toJson } from '../../../bridge/text/index.ts';
import type { AnswerJoiner } from './answer-reader.ts';
import { ExchangeRecorder, type RequestTry, type SdkTransport, type WireExchange } from './model-exchange.ts';
import type { ModelSettings, RetrySettings } from './model-settings.ts';
import type { TurnOptions } from './model.ts';
import { type RateLimiter, rateLimiterOf } from './rate-limiter.ts';
import {
  readRefusal,
  readReportedLimits,
  type ReportedLimits,
  type ServerRefusal,
} from './server-refusal.ts';
import type { TokenUsage } from './token-usage.ts';

/** Which server to ask, and how patiently. */
export interface ModelEndpoint {
  /** Origin of the server; with the model's name it says who shares a pace. */
  readonly server: string;
  readonly model: string;
  /** Never to be recorded. */
  readonly secrets: readonly string[];
  /** Header of the server's address; see {@link file://./model-exchange.ts ServerAddress}. */
  readonly authorization?: string | undefined;
  /** Joins an answer that is streamed. */
  readonly join?: () => AnswerJoiner;
  /** The usage that an answer reports, even one that can't be used; null without a report. */
  readonly usage?: (response: unknown) => TokenUsage | null;
  readonly retry: RetrySettings;
}

interface ModelAnswer<T> {
  readonly answer: T;
  readonly exchange: WireExchange;
  readonly tries: readonly RequestTry[];
  /** Milliseconds of the successful try. */
  readonly ms: number;
}

/** The tries of a turn that got no answer, newest last. */
export class ModelError extends PwpError {
  readonly tries: readonly RequestTry[];
  /** The last of them. */
  readonly exchange: WireExchange;
  /** For `model-too-long`: the server's limits, from its message. */
  readonly room: ReportedLimits | undefined;

  constructor({ error, room }: TryFailure, tries: readonly RequestTry[], exchange: WireExchange) {
    const { code, message, help, cause } = error;
    super(code, message, { ...(help !== undefined && { help }), cause });
    this.tries = tries;
    this.exchange = exchange;
    this.room = room;
  }
}

/** Tries of a request that only checks whether a model exists. */
const mostProbeTries = 3;

/** The same line for such a request. */
export function limitProbeTries(line: ModelEndpoint): ModelEndpoint {
  return { ...line, retry: { ...line.retry, tries: Math.min(mostProbeTries, line.retry.tries) } };
}

/** Servers that have answered anything in this process. */
const answeredServers = new Set<string>();

/**
 * Asks until there is an answer, as the retry settings say. The retries of SDKs are off: this is the only place.
 * @param send one try, by an SDK through the given fetch. It throws for an answer that is not whole.
 */
export async function askModel<T>(
  line: ModelEndpoint,
  send: (through: SdkTransport, signal: AbortSignal) => Promise<T>,
  options: TurnOptions = {},
): Promise<ModelAnswer<T>> {
  const tries: RequestTry[] = [];
  try {
    return await askUntil(line, send, options, tries);
  } catch (error) {
    if (!(error instanceof ModelError)) options.onCut?.(tries);
    throw error;
  }
}

/** @param tries takes those that failed */
async function askUntil<T>(
  { server, model, secrets, authorization, join, usage, retry }: ModelEndpoint,
  send: (through: SdkTransport, signal: AbortSignal) => Promise<T>,
  { signal = neverAborted, onWait }: TurnOptions,
  tries: RequestTry[],
): Promise<ModelAnswer<T>> {
  const pace = rateLimiterOf(server, model, retry.atOnce);
  for (let waitMs = 0; ;) {
    const begin = performance.now();
    const place = await waitForPlace(waitMs, pace, signal, onWait);
    const recorder = new ExchangeRecorder({ secrets, authorization, join, idleMs: retry.idleMs });
    const start = performance.now();
    const at = new Date().toISOString();
    const noted = (error: string | null): RequestTry => ({
      at,
      ms: performance.now() - start,
      status: recorder.status,
      error,
      waitedMs: start - begin,
    });
    const failedWith = (error: string): RequestTry => {
      const took = recorder.status === 200 ? usage?.(recorder.exchange.response) : null;
      return { ...noted(error), ...(took && { usage: took }) };
    };
    let failure: TryFailure;
    try {
      const answer = await tryRequest(`a turn of ${model}`, retry.tryMs, recorder, send, signal);
      const last = noted(null);
      answeredServers.add(server);
      pace.speedUp(sumTokens(usage?.(recorder.exchange.response)));
      return { answer, exchange: recorder.exchange, tries: [...tries, last], ms: last.ms };
    } catch (error) {
      if (signal.aborted) tries.push(failedWith(describeError(signal.reason)));
      signal.throwIfAborted();
      if (recorder.status !== null) answeredServers.add(server);
      failure = classifyFailure(error, recorder, { model, first: !answeredServers.has(server) });
    } finally {
      place[Symbol.dispose]();
    }
    tries.push(failedWith(failure.error.message));
    waitMs = failure.waitMs ?? chooseBackoffMs(tries.length, retry);
    // No longer than a try would wait: a server that names hours ends this turn, and must not hold up all others in silence.
    if (failure.busy) pace.slowDown(Math.min(waitMs, retry.mostPauseMs));
    if (!failure.again || tries.length >= retry.tries || waitMs > retry.mostPauseMs)
      throw new ModelError(failure, tries, recorder.exchange);
  }
}

function sumTokens(usage: TokenUsage | null | undefined): number {
  return (usage?.input ?? 0) + (usage?.output ?? 0);
}

/** Waits this long, and for a place. */
async function waitForPlace(
  waitMs: number,
  pace: RateLimiter,
  signal: AbortSignal,
  onWait: TurnOptions['onWait'],
): Promise<Disposable> {
  using waiting = onWait?.();
  void waiting;
  if (waitMs > 0) await pause(waitMs, signal);
  return await pace.enter(signal);
}

async function tryRequest<T>(
  what: string,
  ms: number,
  recorder: ExchangeRecorder,
  send: (through: SdkTransport, signal: AbortSignal) => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  using limit = deadline(what, ms, signal);
  return await raceSignal(send(recorder, limit.signal), limit.signal);
}

/** Doubled each time, and somewhere in its upper half, so that those that failed together do not come back together. */
function chooseBackoffMs(failed: number, { firstPauseMs, mostPauseMs }: RetrySettings): number {
  const ms = Math.min(mostPauseMs, firstPauseMs * 2 ** (failed - 1));
  return ms * (0.5 + Math.random() / 2);
}

/** The consequences of a failed try for the next one. */
interface TryFailure {
  readonly error: PwpError;
  /** Whether the same request may succeed later. */
  readonly again: boolean;
  /** Whether all that ask this server should wait. */
  readonly busy: boolean;
  /** Milliseconds that the server asks to wait; null where it does not say. */
  readonly waitMs: number | null;
  /** The server's limits, from its message, where the request was too long. */
  readonly room?: ReportedLimits | undefined;
}

/** Longest text of a server in an error. */
const longestServerText = 500;
const busyStatuses = [429, 503, 529];
const retriedCodes: readonly PwpErrorCode[] = ['model-unavailable', 'model-answer'];

/** An address that is wrong, or a certificate that is not trusted: the next try would fail as well. */
const wrongAddress = /^(ERR_INVALID_URL|ERR_TLS_|CERT_|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_|ERR_SSL_WRONG)/;
/** The same where nothing was ever answered: a server may be restarted in the middle of a run. */
const unreachableCodes = /^(ENOTFOUND|ECONNREFUSED|EHOSTUNREACH|ENETUNREACH)$/;

interface TryFailureContext {
  /** Name of the model, for the error. */
  readonly model: string;
  /** Nothing has been asked of this server before. */
  readonly first: boolean;
}

function classifyFailure(
  error: unknown,
  recorder: ExchangeRecorder,
  { model, first }: TryFailureContext,
): TryFailure {
  const refused = readRefusal(recorder.status, recorder.exchange.response);
  return refused
    ? classifyRefusal(refused, recorder, model)
    : classifyConnectionError(error, recorder, { model, first });
}

function classifyRefusal(refused: ServerRefusal, recorder: ExchangeRecorder, model: string): TryFailure {
  const { status, code, help, text, waitMs } = refused;
  const said = recorder.clean(text);
  return {
    error: new PwpError(code, `${model}: status ${status}: ${clip(said, longestServerText)}`, {
      ...(help && { help }),
    }),
    again: retriedCodes.includes(code),
    busy: code === 'model-unavailable' && busyStatuses.includes(status),
    waitMs: (recorder.headers ? readRetryAfterMs(recorder.headers) : null) ?? waitMs,
    ...(code === 'model-too-long' && { room: readReportedLimits(said) }),
  };
}

function classifyConnectionError(
  error: unknown,
  recorder: ExchangeRecorder,
  { model, first }: TryFailureContext,
): TryFailure {
  const known = [error, ...collectCauses(error)].find(isSdkCause);
  const redirect = known?.code === 'model-redirected' ? known.code : undefined;
  const code = redirect ?? (recorder.status === null ? 'model-unavailable' : 'model-answer');
  const what = redirect ? 'a redirect' : recorder.status === null ? 'no answer' : 'a broken answer';
  const text = clip(recorder.clean(describeError(known ?? error)), longestServerText);
  const help = known?.help ?? (isPermanent(error, first) ? 'Is the address of its server right?' : undefined);
  return {
    error: new PwpError(code, `${model}: ${what}: ${text}`, {
      ...(help !== undefined && { help }),
      cause: cleanCauses(error, recorder),
    }),
    again: retriedCodes.includes(code) && !isPermanent(error, first),
    busy: false,
    waitMs: null,
  };
}

/** The cause that an SDK hides behind a message of its own. */
function isSdkCause(error: unknown): error is PwpError {
  return error instanceof PwpError && ['model-redirected', 'model-answer', 'timeout'].includes(error.code);
}

function isPermanent(error: unknown, first: boolean): boolean {
  const codes = [error, ...collectCauses(error)].map((one) => (one as { readonly code?: unknown }).code);
  return codes.some(
    (code) => typeof code === 'string' && (wrongAddress.test(code) || (first && unreachableCodes.test(code))),
  );
}

/** The causes of an error in words alone: those of SDKs may quote what a server said, keys included. */
function cleanCauses(error: unknown, recorder: ExchangeRecorder): Error | undefined {
  return collectCauses(error).reduceRight<Error | undefined>(
    (cause, one) => new Error(recorder.clean(describeError(one)), { cause }),
    undefined,
  );
}

/** `retry-after` in seconds or as a date (RFC 9110, 10.2.3), or `retry-after-ms`. */
function readRetryAfterMs(headers: Headers): number | null {
  const ms = Number(headers.get('retry-after-ms') ?? NaN);
  if (Number.isFinite(ms) && ms >= 0) return ms;
  const after = headers.get('retry-after');
  if (after === null || after === '') return null;
  const seconds = Number(after);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const date = Date.parse(after);
  return Number.isNaN(date) ? null : Math.max(0, date - Date.now());
}

/** Whether one server is asked for streamed answers: as the settings say, until it refuses. */
export class StreamingSupport {
  #isOn: boolean;

  constructor({ stream = true }: ModelSettings) {
    this.#isOn = stream;
  }

  get isOn(): boolean {
    return this.#isOn;
  }

  /** Makes a turn, once more if the server refused to stream. */
  async retried<T>(turn: () => Promise<T>): Promise<T> {
    try {
      return await turn();
    } catch (error) {
      if (!this.learns(error)) throw error;
      return await turn();
    }
  }

  /** Whether the server refused to stream: it is asked for whole answers from now on, and the request can be sent again. */
  learns(error: unknown): boolean {
    if (!this.#isOn || !(error instanceof ModelError) || error.code !== 'model-refused-request') return false;
    this.#isOn = !/\bstream(ing)?\b/i.test(toJson(error.exchange.response));
    return !this.#isOn;
  }
}
