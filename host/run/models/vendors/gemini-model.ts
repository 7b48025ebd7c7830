import type {
  Environment,
  FinishReason,
  GenerateContentParameters,
  GoogleGenAI,
  ThinkingConfig,
  ThinkingLevel,
  ToolUnion,
} from '@google/genai';
import { type Cancellable, PwpError } from '../../../../bridge/lib/index.ts';
import { checkAnswer } from '../answer-reader.ts';
import { askModel, limitProbeTries, type ModelEndpoint } from '../ask-model.ts';
import type { FetchFunction, SdkTransport } from '../model-exchange.ts';
import { collectSecrets, defaultMaxOutput, type ModelSettings, resolveRetry } from '../model-settings.ts';
import type { AnswerBlock, Model, ModelTurn, TurnOptions, TurnRequest } from '../model.ts';
import { makeUsageFinder, readObjectFields, readTokenUsage, type TokenUsage } from '../token-usage.ts';
import {
  ContentsJoiner,
  geminiAnswer,
  type GeminiCandidate,
  hasGeminiComputerTool,
  keepSendableParts,
  readGeminiBlocks,
  toContents,
} from './gemini-contents.ts';

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
  readonly #line: ModelEndpoint;

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
    this.hasComputer =
      computerTool === undefined ? hasGeminiComputerTool(name) : computerTool === 'computerUse';
    this.#line = {
      server: baseUrl,
      model: name,
      secrets: collectSecrets(key, settings),
      authorization: settings.authorization,
      join: () => new ContentsJoiner(),
      usage: makeUsageFinder(readUsageCounts, 'usageMetadata'),
      retry: resolveRetry(settings),
    };
  }

  async check({ signal }: Cancellable = {}): Promise<void> {
    const send = async ({ fetch }: SdkTransport, limit: AbortSignal) =>
      (await this.#client(fetch)).models.get({ model: this.name, config: { abortSignal: limit } });
    await askModel(limitProbeTries(this.#line), send, { signal });
  }

  async turn(request: TurnRequest, options: TurnOptions = {}): Promise<ModelTurn> {
    const params = this.#params(request);
    const { stream = true } = this.#settings;
    const send = async (through: SdkTransport, limit: AbortSignal) => {
      const asked = { ...params, config: { ...params.config, abortSignal: limit } };
      const { models } = await this.#client(through.fetch);
      await (stream ? models.generateContentStream(asked) : models.generateContent(asked));
      return requireWhole(through.answer);
    };
    const { answer, ...rest } = await askModel(this.#line, send, options);
    const { candidate, usageMetadata } = answer;
    const parts = candidate?.content?.parts ?? [];
    const blocks = readGeminiBlocks(parts, this.hasComputer && request.computer !== undefined);
    return {
      message: { role: 'model', blocks, verbatim: keepSendableParts(parts) },
      stop: readStopReason(candidate, blocks),
      usage: readUsageCounts(usageMetadata),
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
      ...(tools.length > 0 ? [{ functionDeclarations: tools.map(toFunctionDeclaration) }] : []),
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
        ...(thinking !== undefined && { thinkingConfig: toThinkingConfig(thinking) }),
      },
    };
  }

  /** SDKs take long to load, so only the ones in use are loaded. */
  async #client(through: FetchFunction): Promise<GoogleGenAI> {
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

function toFunctionDeclaration({ name, description, schema }: TurnRequest['tools'][number]) {
  return { name, description, parametersJsonSchema: schema };
}

function toThinkingConfig(thinking: string | number): ThinkingConfig {
  const how =
    typeof thinking === 'number'
      ? { thinkingBudget: thinking }
      : { thinkingLevel: thinking.toUpperCase() as ThinkingLevel };
  return { ...how, includeThoughts: true };
}

/** A filter of the vendor's leaves an answer without candidates: that is whole, too. */
function requireWhole(answer: unknown) {
  const { candidates, promptFeedback, usageMetadata } = checkAnswer(geminiAnswer, answer, 'answer of Gemini');
  const [candidate] = candidates ?? [];
  const isEmpty = !candidate?.content && !candidate?.finishReason;
  if (isEmpty && !promptFeedback?.blockReason)
    throw new PwpError('model-answer', 'the answer has no candidate');
  const reason = candidate?.finishReason ?? '';
  if (brokenReasons.some((one) => one === reason))
    throw new PwpError('model-answer', `the model's own server could not read its answer: ${reason}`);
  return { candidate, usageMetadata };
}

const brokenReasons: readonly GeminiStopReason[] = [
  'MALFORMED_FUNCTION_CALL',
  'MALFORMED_RESPONSE',
  'UNEXPECTED_TOOL_CALL',
  'TOO_MANY_TOOL_CALLS',
  'OTHER',
];

const refusalReasons: readonly GeminiStopReason[] = [
  'SAFETY',
  'RECITATION',
  'BLOCKLIST',
  'PROHIBITED_CONTENT',
  'SPII',
];

type GeminiStopReason = `${FinishReason}`;

function readStopReason(
  candidate: GeminiCandidate | undefined,
  blocks: readonly AnswerBlock[],
): ModelTurn['stop'] {
  const reason = candidate?.finishReason;
  if (!candidate || refusalReasons.some((one) => one === reason)) return 'refusal';
  if (reason === 'MAX_TOKENS') return 'length';
  return blocks.some(({ kind }) => kind === 'call' || kind === 'computer') ? 'calls' : 'end';
}

/** Thinking is not counted among the candidates' tokens. */
function readUsageCounts(usage: unknown): TokenUsage {
  const counted = readObjectFields(usage);
  const { thoughtsTokenCount: thinking, candidatesTokenCount: written } = counted;
  return readTokenUsage({
    input: counted['promptTokenCount'],
    // The API leaves out a count that is zero.
    output: sumCounts([written, thinking]),
    cached: counted['cachedContentTokenCount'],
    cacheWritten: null,
    thinking,
  });
}

function sumCounts(counts: readonly unknown[]): number | null {
  const known = counts.filter((one) => one !== undefined && one !== null);
  return known.reduce<number | null>((all, one) => (typeof one === 'number' ? (all ?? 0) + one : NaN), null);
}
