import { PwpError, causesOf, clip, messageOf, type PwpErrorCode } from '../../bridge/lib/index.ts';
import type { Recorder } from './exchange.ts';
import { readRefusal, type Refused } from './refusal.ts';
import { roomOf, type Room } from './room.ts';

/** The consequences of a failed try for the next one. */
export interface Failure {
  readonly error: PwpError;
  /** Whether the same request may succeed later. */
  readonly again: boolean;
  /** Whether all that ask this server should wait. */
  readonly busy: boolean;
  /** Milliseconds that the server asks to wait; null where it does not say. */
  readonly waitMs: number | null;
  /** The server's limits, from its message, where the request was too long. */
  readonly room?: Room | undefined;
}

/** Longest text of a server in an error. */
const mostText = 500;
const busyStatuses = [429, 503, 529];
const againCodes: readonly PwpErrorCode[] = ['model-unavailable', 'model-answer'];

/** An address that is wrong, or a certificate that is not trusted: the next try would fail as well. */
const wrongAddress = /^(ERR_INVALID_URL|ERR_TLS_|CERT_|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_|ERR_SSL_WRONG)/;
/** The same where nothing was ever answered: a server may be restarted in the middle of a run. */
const notThere = /^(ENOTFOUND|ECONNREFUSED|EHOSTUNREACH|ENETUNREACH)$/;

export interface FailureContext {
  /** Name of the model, for the error. */
  readonly model: string;
  /** Nothing has been asked of this server before. */
  readonly first: boolean;
}

export function failureOf(error: unknown, recorder: Recorder, { model, first }: FailureContext): Failure {
  const refused = readRefusal(recorder.status, recorder.exchange.response);
  return refused ? ofServer(refused, recorder, model) : ofConnection(error, recorder, { model, first });
}

function ofServer(refused: Refused, recorder: Recorder, model: string): Failure {
  const { status, code, help, text, waitMs } = refused;
  const said = recorder.clean(text);
  return {
    error: new PwpError(code, `${model}: status ${status}: ${clip(said, mostText)}`, {
      ...(help && { help }),
    }),
    again: againCodes.includes(code),
    busy: code === 'model-unavailable' && busyStatuses.includes(status),
    waitMs: (recorder.headers ? askedPause(recorder.headers) : null) ?? waitMs,
    ...(code === 'model-too-long' && { room: roomOf(said) }),
  };
}

function ofConnection(error: unknown, recorder: Recorder, { model, first }: FailureContext): Failure {
  const known = [error, ...causesOf(error)].find(isOwn);
  const redirect = known?.code === 'model-redirected' ? known.code : undefined;
  const code = redirect ?? (recorder.status === null ? 'model-unavailable' : 'model-answer');
  const what = redirect ? 'a redirect' : recorder.status === null ? 'no answer' : 'a broken answer';
  const text = clip(recorder.clean(messageOf(known ?? error)), mostText);
  const help = known?.help ?? (isWrong(error, first) ? 'Is the address of its server right?' : undefined);
  return {
    error: new PwpError(code, `${model}: ${what}: ${text}`, {
      ...(help !== undefined && { help }),
      cause: cleanCauses(error, recorder),
    }),
    again: againCodes.includes(code) && !isWrong(error, first),
    busy: false,
    waitMs: null,
  };
}

/** The cause that an SDK hides behind a message of its own. */
function isOwn(error: unknown): error is PwpError {
  return error instanceof PwpError && ['model-redirected', 'model-answer', 'timeout'].includes(error.code);
}

function isWrong(error: unknown, first: boolean): boolean {
  const codes = [error, ...causesOf(error)].map((one) => (one as { readonly code?: unknown }).code);
  return codes.some(
    (code) => typeof code === 'string' && (wrongAddress.test(code) || (first && notThere.test(code))),
  );
}

/** The causes of an error in words alone: those of SDKs may quote what a server said, keys included. */
function cleanCauses(error: unknown, recorder: Recorder): Error | undefined {
  return causesOf(error).reduceRight<Error | undefined>(
    (cause, one) => new Error(recorder.clean(messageOf(one)), { cause }),
    undefined,
  );
}

/** `retry-after` in seconds or as a date (RFC 9110, 10.2.3), or `retry-after-ms`. */
function askedPause(headers: Headers): number | null {
  const ms = Number(headers.get('retry-after-ms') ?? NaN);
  if (Number.isFinite(ms) && ms >= 0) return ms;
  const after = headers.get('retry-after');
  if (after === null || after === '') return null;
  const seconds = Number(after);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const date = Date.parse(after);
  return Number.isNaN(date) ? null : Math.max(0, date - Date.now());
}
