import type { PwpErrorCode } from '../../../bridge/lib/index.ts';
import { readObjectFields } from './token-usage.ts';

/** A server's refusal, in any form. */
export interface ServerRefusal {
  /** Status of the answer, or the one within it: some servers put an error into an answer of status 200. */
  readonly status: number;
  readonly code: PwpErrorCode;
  readonly help: string | undefined;
  readonly text: string;
  /** Milliseconds that its body asks to wait. */
  readonly waitMs: number | null;
}

/** Statuses of Anthropic's errors, which have none of their own within a stream. */
const anthropicStatuses: Readonly<Record<string, number>> = {
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

interface RefusalText {
  readonly text: string;
  /** Codes and types, in lower case. */
  readonly words: readonly string[];
  /** Number in the body, where it is that of an HTTP status. */
  readonly status: number | null;
  readonly waitMs: number | null;
}

/** Null where the answer is not a refusal. */
export function readRefusal(status: number | null, response: unknown): ServerRefusal | null {
  if (status === null || (status >= 300 && status < 400)) return null;
  const said = readRefusalText(response);
  if (status < 400 && !isErrorAnswer(response)) return null;
  // Without a status of its own such an error says nothing about the request.
  const at = status < 400 ? (said.status ?? 500) : status;
  const [code, help] = classifyRefusalText(at, said);
  return { status: at, code, help, text: said.text, waitMs: said.waitMs };
}

/** Money is used up, and no pause brings it back. */
const noCreditWords =
  /insufficient[_ ](quota|balance|credits?|funds)|billing_(hard_limit|not_active|error)|credit balance is too low|specified api usage limits|out of credits|requires? more credits/i;
/**
 * The same words are Gemini's for a limit of each minute, with a time to wait; a limit of a day has no time that helps.
 */
const usedUpWords = /exceeded your current quota/i;
const filteredWords =
  /content_filter|content_policy|invalid_prompt|content management policy|data_inspection_failed/i;

function classifyRefusalText(
  status: number,
  { text, words, waitMs }: RefusalText,
): readonly [PwpErrorCode, string?] {
  const all = [...words, text].join(' ');
  if (status === 402 || noCreditWords.test(all) || (usedUpWords.test(text) && waitMs === null))
    return ['model-no-credit', 'The account has no credit left, or has used its limit.'];
  if (isTooLong(status, words, text)) return ['model-too-long'];
  if (status === 401 || status === 403)
    return ['model-denied', 'Is the key right, and may it use this model?'];
  if (status === 400 && /api[_ ]key[_ ](not valid|invalid)|invalid[_ ]api[_ ]key/i.test(all))
    return ['model-denied', 'Is the key right, and may it use this model?'];
  if (status === 404) return ['no-such-model', "Names are those of the vendor's API."];
  if ([408, 409, 425, 429].includes(status) || status >= 500) return ['model-unavailable'];
  if (filteredWords.test(all)) return ['model-filtered'];
  return ['model-refused-request'];
}

/** Whether an answer, or an event of one, is an error in the form of any vendor. */
export function isErrorAnswer(response: unknown): boolean {
  const { error, type, object } = readObjectFields(response);
  return (error !== undefined && error !== null) || type === 'error' || object === 'error';
}

/** Vendors have it in `error`, vLLM at the top, FastAPI in `detail`, Gemini's older door in a list. */
function readRefusalText(response: unknown): RefusalText {
  const top = readObjectFields(Array.isArray(response) ? (response as unknown[])[0] : response);
  const inner = { ...top, ...readObjectFields(top['error']) };
  const texts = [inner['message'], top['error'], top['message'], top['detail']];
  const text = texts.find((one) => typeof one === 'string' && one !== '');
  const words = [inner['code'], inner['type'], inner['status'], top['code']].filter(
    (one) => typeof one === 'string',
  );
  const number = Number(inner['code'] ?? anthropicStatuses[String(inner['type'])] ?? NaN);
  const whole = typeof response === 'string' ? response : JSON.stringify(response);
  return {
    text: `${(text as string | undefined) ?? whole}${formatServerNumbers(inner)}`,
    words: words.map((one) => one.toLowerCase()),
    status: Number.isInteger(number) && number >= 400 && number < 600 ? number : null,
    waitMs: readRetryDelay(inner['details']),
  };
}

/** llama.cpp reports how much it takes beside its message. */
function formatServerNumbers({
  n_ctx: limit,
  n_prompt_tokens: input,
}: Readonly<Record<string, unknown>>): string {
  const said = [
    ...(typeof limit === 'number' ? [`n_ctx ${limit}`] : []),
    ...(typeof input === 'number' ? [`n_prompt_tokens ${input}`] : []),
  ];
  return said.length > 0 ? ` (${said.join(', ')})` : '';
}

/** Google's `RetryInfo`: `{"retryDelay": "34s"}` among the details. */
function readRetryDelay(details: unknown): number | null {
  const delays = (Array.isArray(details) ? (details as unknown[]) : []).map(
    (one) => readObjectFields(one)['retryDelay'],
  );
  const seconds = delays.map((one) => /^(\d{1,6}(?:\.\d{1,9})?)s$/.exec(String(one))?.[1]).find((one) => one);
  return seconds === undefined ? null : Number(seconds) * 1000;
}

/** A server's limits, as far as its refusal of a request that was too long reports them. */
export interface ReportedLimits {
  /** Tokens of the conversation and the answer together, or of the conversation alone. */
  readonly limit: number | null;
  /** Tokens of the request that was refused, without the answer. */
  readonly input: number | null;
}

const tooLongCodes = [
  'context_length_exceeded',
  'exceed_context_size_error',
  'request_too_large',
  'string_above_max_length',
];

const tooLongTexts = [
  // Anthropic; also Bedrock's.
  /prompt is too long|exceed context limit|input is too long/i,
  // OpenAI, vLLM, DeepSeek, OpenRouter, Mistral and others.
  /(maximum|model'?s?|available|supported) (context|prompt|model) (length|size|window)|exceeds? (the |your )?(model'?s? )?(maximum |available )?context/i,
  /(exceeds|longer than|too large for) the (context|maximum model|model'?s? (maximum )?context)/i,
  // Gemini.
  /input token count.{0,40}exceeds/i,
  // Text Generation Inference.
  /`?inputs`? tokens \+ `?max_new_tokens`? must be/i,
  // LM Studio, Groq.
  /context length of only|reduce the length of (the|your) (messages|prompt|input)/i,
  // OpenAI and Groq, where one request is more than a minute's tokens.
  /request too large.{0,200}tokens per min/is,
];

/** Whether a request was refused for its length. */
function isTooLong(status: number, words: readonly string[], text: string): boolean {
  if (status === 413 || words.some((word) => tooLongCodes.includes(word))) return true;
  return !overloadedStatuses.includes(status) && tooLongTexts.some((one) => one.test(text));
}

/** Statuses of a busy server: its message is not about the request. */
const overloadedStatuses = [503, 529];

const numberPattern = String.raw`(\d[\d,_]*)`;

/** Each with its limit first. */
const limitPatterns = [
  new RegExp(String.raw`> ${numberPattern}(?: maximum|,|\b)`, 'i'),
  new RegExp(
    String.raw`(?:context|prompt|model) (?:length|size|window)(?: of the model)?(?: is| of| \()?(?: only)?:? ?${numberPattern}`,
    'i',
  ),
  new RegExp(String.raw`maximum number of tokens allowed \(?${numberPattern}`, 'i'),
  new RegExp(
    String.raw`(?:context length|context size|maximum model length)(?: of| is)?(?: only)?[ (]+${numberPattern}`,
    'i',
  ),
  new RegExp(String.raw`model with ${numberPattern} maximum context`, 'i'),
  new RegExp(String.raw`must be <= ${numberPattern}`, 'i'),
  new RegExp(String.raw`Limit:? ${numberPattern}`, 'i'),
  new RegExp(String.raw`"?n_ctx"?:? ?${numberPattern}`, 'i'),
];

const inputPatterns = [
  new RegExp(String.raw`${numberPattern} tokens > `, 'i'),
  new RegExp(String.raw`limit: ${numberPattern} \+`, 'i'),
  new RegExp(
    String.raw`${numberPattern} (?:tokens )?(?:in|of|from) (?:the )?(?:messages|prompt|text input|input messages)`,
    'i',
  ),
  new RegExp(String.raw`has ${numberPattern} input tokens|passed ${numberPattern} input tokens`, 'i'),
  new RegExp(String.raw`input token count \(?${numberPattern}`, 'i'),
  new RegExp(
    String.raw`(?:request|input|prompt)(?: contains)?[ (]+(?:length )?${numberPattern}(?: tokens|\))`,
    'i',
  ),
  new RegExp(
    String.raw`messages resulted in ${numberPattern}|request contains ${numberPattern}|first ${numberPattern} tokens`,
    'i',
  ),
  new RegExp(String.raw`given: ${numberPattern} .?inputs`, 'i'),
  new RegExp(String.raw`Requested:? ${numberPattern}|"?n_prompt_tokens"?:? ?${numberPattern}`, 'i'),
];

/** Reads the numbers of such a refusal, in the words of each vendor and of the usual self-hosted servers. */
export function readReportedLimits(text: string): ReportedLimits {
  return { limit: findFirstNumber(limitPatterns, text), input: findFirstNumber(inputPatterns, text) };
}

function findFirstNumber(patterns: readonly RegExp[], text: string): number | null {
  for (const pattern of patterns) {
    const found = pattern
      .exec(text)
      ?.slice(1)
      .find((one) => one !== undefined);
    const value = Number(found?.replaceAll(/[,_]/g, ''));
    if (found !== undefined && value > 0 && Number.isSafeInteger(value)) return value;
  }
  return null;
}
