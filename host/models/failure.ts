import { PwpError, causesOf, messageOf, type PwpErrorCode, clip } from '../../bridge/lib/index.ts';
import type { Recorder } from './exchange.ts';

/** What a failed try means for the next one. */
export interface Failure {
  readonly error: PwpError;
  /** Whether the same request may succeed later. */
  readonly again: boolean;
  /** Whether all that ask this server should wait. */
  readonly busy: boolean;
  /** Milliseconds that the server asks to wait; null where it does not say. */
  readonly waitMs: number | null;
}

/** Longest text of a server in an error. */
const mostText = 500;
const busyStatuses = [429, 503, 529];

/** @param model its name, for the error */
export function failureOf(error: unknown, recorder: Recorder, model: string): Failure {
  const { status } = recorder;
  const refused = status !== null && status >= 400;
  const [code, help] = refused ? refusal(status) : ([answered(status), undefined] as const);
  const said = refused ? errorText(recorder.exchange.response) : messageOf(error);
  const what = status === null ? 'no answer' : refused ? `status ${status}` : 'a broken answer';
  const text = clip(recorder.clean(said), mostText);
  // What a server refuses with is in the message already.
  const cause = refused ? undefined : cleanCauses(error, recorder);
  return {
    error: new PwpError(code, `${model}: ${what}: ${text}`, { ...(help && { help }), cause }),
    again: code === 'model-unavailable' || code === 'model-answer',
    busy: refused && busyStatuses.includes(status),
    waitMs: recorder.headers ? askedPause(recorder.headers) : null,
  };
}

/** The causes of an error in words alone: those of SDKs may quote what a server said, keys included. */
function cleanCauses(error: unknown, recorder: Recorder): Error | undefined {
  return causesOf(error).reduceRight<Error | undefined>(
    (cause, one) => new Error(recorder.clean(messageOf(one)), { cause }),
    undefined,
  );
}

function answered(status: number | null): PwpErrorCode {
  return status === null ? 'model-unavailable' : 'model-answer';
}

function refusal(status: number): readonly [PwpErrorCode, string?] {
  if (status === 401 || status === 403)
    return ['model-denied', 'Is the key right, and may it use this model?'];
  if (status === 404) return ['no-such-model', "Names are those of the vendor's API."];
  if ([408, 409, 425, 429].includes(status) || status >= 500) return ['model-unavailable'];
  return ['model-refused-request'];
}

/** The message in a vendor's error, wherever it is; else all of it. */
function errorText(response: unknown): string {
  const { error } = (typeof response === 'object' ? (response ?? {}) : {}) as { readonly error?: unknown };
  const { message } = (typeof error === 'object' ? (error ?? {}) : {}) as { readonly message?: unknown };
  if (typeof message === 'string') return message;
  return typeof response === 'string' ? response : JSON.stringify(response);
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
