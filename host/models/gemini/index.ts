import type {
  Environment,
  FinishReason,
  GoogleGenAI,
  GenerateContentParameters,
  ThinkingConfig,
  ThinkingLevel,
  ToolUnion,
} from '@google/genai';
import { PwpError, type Cancellable } from '../../../bridge/lib/index.ts';
import { ask, checking, type Line } from '../ask.ts';
import type { Fetch, Through } from '../exchange.ts';
import type { Block, Model, ModelTurn, TurnOptions, TurnRequest } from '../model.ts';
import { defaultMaxOutput, retryOf, secretsOf, type ModelSettings } from '../settings.ts';
import { takesComputer } from './computer.ts';
import { fieldsOf, isCounted, usageFrom, type Usage } from '../usage.ts';
import { wholeAnswer } from '../whole.ts';
import { geminiAnswer, sentBack, toBlocks, toContents, type Candidate } from './contents.ts';
import { ContentsJoiner } from './join-contents.ts';

const publicServer = 'https://generativelanguage.googleapis.com';

/** Models of Google's Gemini API. */
export class GeminiModel implements Model {
  readonly vendor = 'gemini';
  readonly needsPictures = false;
  readonly notSet: readonly string[] = [];
  readonly hasComputer: boolean;
  readonly name: string;
  readonly #key: string;
  readonly #settings: ModelSettings;
  readonly #line: Line;

  /** Errors: `usage` for an unknown computer tool. */
  constructor(name: string, key: string, settings: ModelSettings) {
    const { computerTool, baseUrl = publicServer } = settings;
    if (computerTool !== undefined && !['computerUse', 'none'].includes(computerTool)) {
      throw new PwpError('usage', `Gemini has no computer tool ${JSON.stringify(computerTool)}`, {
        help: 'One of: computerUse, none',
      });
    }
    this.name = name;
    this.#key = key;
    this.#settings = settings;
    this.hasComputer = computerTool === undefined ? takesComputer(name) : computerTool === 'computerUse';
    this.#line = {
      server: baseUrl,
      model: name,
      secrets: secretsOf(key, settings),
      authorization: settings.authorization,
      join: () => new ContentsJoiner(),
      usage: usageIn,
      retry: retryOf(settings),
    };
  }

  async check({ signal }: Cancellable = {}): Promise<void> {
    const send = async ({ fetch }: Through, limit: AbortSignal) =>
      (await this.#client(fetch)).models.get({ model: this.name, config: { abortSignal: limit } });
    await ask(checking(this.#line), send, { signal });
  }

  async turn(request: TurnRequest, options: TurnOptions = {}): Promise<ModelTurn> {
    const params = this.#params(request);
    const { stream = true } = this.#settings;
    const send = async (through: Through, limit: AbortSignal) => {
      const asked = { ...params, config: { ...params.config, abortSignal: limit } };
      const { models } = await this.#client(through.fetch);
      await (stream ? models.generateContentStream(asked) : models.generateContent(asked));
      return requireWhole(through.answer);
    };
    const { answer, ...rest } = await ask(this.#line, send, options);
    const { candidate, usageMetadata } = answer;
    const parts = candidate?.content?.parts ?? [];
    const blocks = toBlocks(parts, this.hasComputer && request.computer !== undefined);
    return {
      message: { role: 'model', blocks, verbatim: sentBack(parts) },
      stop: stopOf(candidate, blocks),
      usage: usageOf(usageMetadata),
      ...rest,
    };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return Promise.resolve();
  }

  #params(request: TurnRequest): GenerateContentParameters {
    const { system, messages, tools, computer, maxOutput: room = Infinity } = request;
    const { maxOutput = defaultMaxOutput, temperature, seed, thinking } = this.#settings;
    const offered: ToolUnion[] = [
      ...(computer && this.hasComputer
        ? [{ computerUse: { environment: 'ENVIRONMENT_DESKTOP' as Environment } }]
        : []),
      ...(tools.length > 0 ? [{ functionDeclarations: tools.map(declarationOf) }] : []),
    ];
    return {
      model: this.name,
      contents: toContents(messages),
      config: {
        systemInstruction: system,
        maxOutputTokens: Math.min(maxOutput, room),
        ...(offered.length > 0 && { tools: offered }),
        automaticFunctionCalling: { disable: true },
        ...(temperature !== undefined && { temperature }),
        ...(seed !== undefined && { seed }),
        ...(thinking !== undefined && { thinkingConfig: thinkingOf(thinking) }),
      },
    };
  }

  /** SDKs take long to load, so only the ones in use are loaded. */
  async #client(through: Fetch): Promise<GoogleGenAI> {
    const { GoogleGenAI: Client } = await import('@google/genai');
    const { baseUrl = publicServer } = this.#settings;
    return new Client({
      apiKey: this.#key,
      // Environment variables of the SDK's own could choose another service.
      vertexai: false,
      httpOptions: {
        baseUrl,
        retryOptions: { attempts: 1 },
        timeout: this.#line.retry.tryMs,
        fetch: through,
      },
    });
  }
}

function declarationOf({ name, description, schema }: TurnRequest['tools'][number]) {
  return { name, description, parametersJsonSchema: schema };
}

function thinkingOf(thinking: string | number): ThinkingConfig {
  const how =
    typeof thinking === 'number'
      ? { thinkingBudget: thinking }
      : { thinkingLevel: thinking.toUpperCase() as ThinkingLevel };
  return { ...how, includeThoughts: true };
}

/** A filter of the vendor's leaves an answer without candidates: that is whole, too. */
function requireWhole(answer: unknown) {
  const { candidates, promptFeedback, usageMetadata } = wholeAnswer(geminiAnswer, answer, 'answer of Gemini');
  const [candidate] = candidates ?? [];
  const isEmpty = !candidate?.content && !candidate?.finishReason;
  if (isEmpty && !promptFeedback?.blockReason)
    throw new PwpError('model-answer', 'the answer has no candidate');
  const reason = candidate?.finishReason ?? '';
  if (broken.some((one) => one === reason))
    throw new PwpError('model-answer', `the model's own server could not read its answer: ${reason}`);
  return { candidate, usageMetadata };
}

const broken: readonly Reason[] = [
  'MALFORMED_FUNCTION_CALL',
  'MALFORMED_RESPONSE',
  'UNEXPECTED_TOOL_CALL',
  'TOO_MANY_TOOL_CALLS',
  'OTHER',
];

const refusals: readonly Reason[] = ['SAFETY', 'RECITATION', 'BLOCKLIST', 'PROHIBITED_CONTENT', 'SPII'];

type Reason = `${FinishReason}`;

function stopOf(candidate: Candidate | undefined, blocks: readonly Block[]): ModelTurn['stop'] {
  const reason = candidate?.finishReason;
  if (!candidate || refusals.some((one) => one === reason)) return 'refusal';
  if (reason === 'MAX_TOKENS') return 'length';
  return blocks.some(({ kind }) => kind === 'call' || kind === 'computer') ? 'calls' : 'end';
}

/** Thinking is not counted among the candidates' tokens. */
function usageOf(usage: unknown): Usage {
  const counted = fieldsOf(usage);
  const { thoughtsTokenCount: thinking, candidatesTokenCount: written } = counted;
  return usageFrom({
    input: counted['promptTokenCount'],
    // The API leaves out a count that is zero.
    output: sumOf([written, thinking]),
    cached: counted['cachedContentTokenCount'],
    cacheWritten: null,
    thinking,
  });
}

function sumOf(counts: readonly unknown[]): number | null {
  const known = counts.filter((one) => one !== undefined && one !== null);
  return known.reduce<number | null>((all, one) => (typeof one === 'number' ? (all ?? 0) + one : NaN), null);
}

function usageIn(response: unknown): Usage | null {
  const usage = usageOf(fieldsOf(response)['usageMetadata']);
  return isCounted(usage) ? usage : null;
}
