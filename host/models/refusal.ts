import type { PwpErrorCode } from '../../bridge/lib/index.ts';
import { isTooLong } from './room.ts';

/** A server's refusal, in any form. */
export interface Refused {
  /** Status of the answer, or the one within it: some servers put an error into an answer of status 200. */
  readonly status: number;
  readonly code: PwpErrorCode;
  readonly help: string | undefined;
  readonly text: string;
  /** Milliseconds that its body asks to wait. */
  readonly waitMs: number | null;
}

/** Statuses of Anthropic's errors, which have none of their own within a stream. */
const statuses: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  authentication_error: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  timeout_error: 504,
  overloaded_error: 529,
};

interface Said {
  readonly text: string;
  /** Codes and types, in lower case. */
  readonly words: readonly string[];
  /** Number in the body, where it is that of an HTTP status. */
  readonly status: number | null;
  readonly waitMs: number | null;
}

/** Null where the answer is not a refusal. */
export function readRefusal(status: number | null, response: unknown): Refused | null {
  if (status === null || (status >= 300 && status < 400)) return null;
  const said = read(response);
  if (status < 400 && !isError(response)) return null;
  // Without a status of its own such an error says nothing about the request.
  const at = status < 400 ? (said.status ?? 500) : status;
  const [code, help] = meaning(at, said);
  return { status: at, code, help, text: said.text, waitMs: said.waitMs };
}

/** Money is used up, and no pause brings it back. */
const noCredit =
  /insufficient[_ ](quota|balance|credits?|funds)|billing_(hard_limit|not_active|error)|credit balance is too low|specified api usage limits|out of credits|requires? more credits/i;
/**
 * The same words are Gemini's for a limit of each minute, with a time to wait; a limit of a day has no time that helps.
 */
const usedUp = /exceeded your current quota/i;
const filtered =
  /content_filter|content_policy|invalid_prompt|content management policy|data_inspection_failed/i;

function meaning(status: number, { text, words, waitMs }: Said): readonly [PwpErrorCode, string?] {
  const all = [...words, text].join(' ');
  if (status === 402 || noCredit.test(all) || (usedUp.test(text) && waitMs === null))
    return ['model-no-credit', 'The account has no credit left, or has used its limit.'];
  if (isTooLong(status, words, text)) return ['model-too-long'];
  if (status === 401 || status === 403)
    return ['model-denied', 'Is the key right, and may it use this model?'];
  if (status === 400 && /api[_ ]key[_ ](not valid|invalid)|invalid[_ ]api[_ ]key/i.test(all))
    return ['model-denied', 'Is the key right, and may it use this model?'];
  if (status === 404) return ['no-such-model', "Names are those of the vendor's API."];
  if ([408, 409, 425, 429].includes(status) || status >= 500) return ['model-unavailable'];
  if (filtered.test(all)) return ['model-filtered'];
  return ['model-refused-request'];
}

/** Whether an answer, or an event of one, is an error in the form of any vendor. */
export function isError(response: unknown): boolean {
  const { error, type, object } = fieldsOf(response);
  return (error !== undefined && error !== null) || type === 'error' || object === 'error';
}

/** Vendors have it in `error`, vLLM at the top, FastAPI in `detail`, Gemini's older door in a list. */
function read(response: unknown): Said {
  const top = fieldsOf(Array.isArray(response) ? (response as unknown[])[0] : response);
  const inner = { ...top, ...fieldsOf(top['error']) };
  const texts = [inner['message'], top['error'], top['message'], top['detail']];
  const text = texts.find((one) => typeof one === 'string' && one !== '');
  const words = [inner['code'], inner['type'], inner['status'], top['code']].filter(
    (one) => typeof one === 'string',
  );
  const number = Number(inner['code'] ?? statuses[String(inner['type'])] ?? NaN);
  const whole = typeof response === 'string' ? response : JSON.stringify(response);
  return {
    text: `${(text as string | undefined) ?? whole}${numbersOf(inner)}`,
    words: words.map((one) => one.toLowerCase()),
    status: Number.isInteger(number) && number >= 400 && number < 600 ? number : null,
    waitMs: retryDelay(inner['details']),
  };
}

/** llama.cpp reports how much it takes beside its message. */
function numbersOf({ n_ctx: limit, n_prompt_tokens: input }: Readonly<Record<string, unknown>>): string {
  const said = [
    ...(typeof limit === 'number' ? [`n_ctx ${limit}`] : []),
    ...(typeof input === 'number' ? [`n_prompt_tokens ${input}`] : []),
  ];
  return said.length > 0 ? ` (${said.join(', ')})` : '';
}

/** Google's `RetryInfo`: `{"retryDelay": "34s"}` among the details. */
function retryDelay(details: unknown): number | null {
  const delays = (Array.isArray(details) ? (details as unknown[]) : []).map(
    (one) => fieldsOf(one)['retryDelay'],
  );
  const seconds = delays.map((one) => /^(\d{1,6}(?:\.\d{1,9})?)s$/.exec(String(one))?.[1]).find((one) => one);
  return seconds === undefined ? null : Number(seconds) * 1000;
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
