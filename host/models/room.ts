/** A server's limits, as far as its refusal of a request that was too long reports them. */
export interface Room {
  /** Tokens of the conversation and the answer together, or of the conversation alone. */
  readonly limit: number | null;
  /** Tokens of the request that was refused, without the answer. */
  readonly input: number | null;
}

const codes = [
  'context_length_exceeded',
  'exceed_context_size_error',
  'request_too_large',
  'string_above_max_length',
];

const texts = [
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
export function isTooLong(status: number, words: readonly string[], text: string): boolean {
  if (status === 413 || words.some((word) => codes.includes(word))) return true;
  return !busy.includes(status) && texts.some((one) => one.test(text));
}

/** Statuses of a busy server: its message is not about the request. */
const busy = [503, 529];

const number = String.raw`(\d[\d,_]*)`;

/** Each with its limit first. */
const limits = [
  new RegExp(String.raw`> ${number}(?: maximum|,|\b)`, 'i'),
  new RegExp(
    String.raw`(?:context|prompt|model) (?:length|size|window)(?: of the model)?(?: is| of| \()?(?: only)?:? ?${number}`,
    'i',
  ),
  new RegExp(String.raw`maximum number of tokens allowed \(?${number}`, 'i'),
  new RegExp(
    String.raw`(?:context length|context size|maximum model length)(?: of| is)?(?: only)?[ (]+${number}`,
    'i',
  ),
  new RegExp(String.raw`model with ${number} maximum context`, 'i'),
  new RegExp(String.raw`must be <= ${number}`, 'i'),
  new RegExp(String.raw`Limit:? ${number}`, 'i'),
  new RegExp(String.raw`"?n_ctx"?:? ?${number}`, 'i'),
];

const inputs = [
  new RegExp(String.raw`${number} tokens > `, 'i'),
  new RegExp(String.raw`limit: ${number} \+`, 'i'),
  new RegExp(
    String.raw`${number} (?:tokens )?(?:in|of|from) (?:the )?(?:messages|prompt|text input|input messages)`,
    'i',
  ),
  new RegExp(String.raw`has ${number} input tokens|passed ${number} input tokens`, 'i'),
  new RegExp(String.raw`input token count \(?${number}`, 'i'),
  new RegExp(String.raw`(?:request|input|prompt)(?: contains)?[ (]+(?:length )?${number}(?: tokens|\))`, 'i'),
  new RegExp(
    String.raw`messages resulted in ${number}|request contains ${number}|first ${number} tokens`,
    'i',
  ),
  new RegExp(String.raw`given: ${number} .?inputs`, 'i'),
  new RegExp(String.raw`Requested:? ${number}|"?n_prompt_tokens"?:? ?${number}`, 'i'),
];

/** Reads the numbers of such a refusal, in the words of each vendor and of the usual self-hosted servers. */
export function roomOf(text: string): Room {
  return { limit: firstOf(limits, text), input: firstOf(inputs, text) };
}

function firstOf(patterns: readonly RegExp[], text: string): number | null {
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
