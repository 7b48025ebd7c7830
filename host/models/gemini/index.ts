import type {
  Environment,
  FinishReason,
  GoogleGenAI,
  GenerateContentParameters,
  GenerateContentResponse,
  ThinkingConfig,
  ThinkingLevel,
  ToolUnion,
} from '@google/genai';
import { PwpError, type Cancellable } from '../../../bridge/lib/index.ts';
import { ask, type Line } from '../ask.ts';
import type { Fetch } from '../exchange.ts';
import type { Block, Model, ModelTurn, TurnOptions, TurnRequest, Usage } from '../model.ts';
import { defaultMaxOutput, defaultRetry, type ModelSettings } from '../settings.ts';
import { takesComputer } from './computer.ts';
import { toBlocks, toContents, type Candidate } from './contents.ts';

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

  /** Errors: `usage` for a computer tool that is none. */
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
      secrets: [key],
      retry: { ...defaultRetry, ...settings.retry },
    };
  }

  async check({ signal }: Cancellable = {}): Promise<void> {
    const send = async (through: Fetch, limit: AbortSignal) =>
      (await this.#client(through)).models.get({ model: this.name, config: { abortSignal: limit } });
    await ask(this.#line, send, { signal });
  }

  async turn(request: TurnRequest, options: TurnOptions = {}): Promise<ModelTurn> {
    const params = this.#params(request);
    const send = async (through: Fetch, limit: AbortSignal) => {
      const config = { ...params.config, abortSignal: limit };
      return requireWhole(await (await this.#client(through)).models.generateContent({ ...params, config }));
    };
    const { answer, ...rest } = await ask(this.#line, send, options);
    const { candidate, usageMetadata } = answer;
    const said = candidate?.content ?? { role: 'model', parts: [] };
    const blocks = toBlocks(said, this.hasComputer && request.computer !== undefined);
    return {
      message: { role: 'model', blocks, verbatim: said },
      stop: stopOf(candidate, blocks),
      usage: usageOf(usageMetadata),
      ...rest,
    };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return Promise.resolve();
  }

  #params({ system, messages, tools, computer }: TurnRequest): GenerateContentParameters {
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
        maxOutputTokens: maxOutput,
        ...(offered.length > 0 && { tools: offered }),
        automaticFunctionCalling: { disable: true },
        ...(temperature !== undefined && { temperature }),
        ...(seed !== undefined && { seed }),
        ...(thinking !== undefined && { thinkingConfig: thinkingOf(thinking) }),
      },
    };
  }

  /** SDKs take long to load, so only those that are used are. */
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
function requireWhole({ candidates = [], promptFeedback, usageMetadata }: GenerateContentResponse) {
  const [candidate] = candidates;
  if (!candidate && promptFeedback?.blockReason === undefined)
    throw new PwpError('model-answer', 'the answer has no candidate');
  const reason = reasonOf(candidate);
  if (broken.includes(reason))
    throw new PwpError('model-answer', `the model's own server could not read its answer: ${reason}`);
  return { candidate, usageMetadata };
}

const broken: readonly (Reason | undefined)[] = [
  'MALFORMED_FUNCTION_CALL',
  'MALFORMED_RESPONSE',
  'UNEXPECTED_TOOL_CALL',
  'TOO_MANY_TOOL_CALLS',
  'OTHER',
];

const refusals: readonly (Reason | undefined)[] = [
  'SAFETY',
  'RECITATION',
  'BLOCKLIST',
  'PROHIBITED_CONTENT',
  'SPII',
];

type Reason = `${FinishReason}`;

function reasonOf(candidate: Candidate | undefined): Reason | undefined {
  return candidate?.finishReason;
}

function stopOf(candidate: Candidate | undefined, blocks: readonly Block[]): ModelTurn['stop'] {
  if (!candidate || refusals.includes(reasonOf(candidate))) return 'refusal';
  if (reasonOf(candidate) === 'MAX_TOKENS') return 'length';
  return blocks.some(({ kind }) => kind === 'call' || kind === 'computer') ? 'calls' : 'end';
}

/** What it thought is not among the candidates' tokens. */
function usageOf(usage: GenerateContentResponse['usageMetadata']): Usage {
  const thinking = usage?.thoughtsTokenCount ?? null;
  const written = usage?.candidatesTokenCount;
  return {
    input: usage?.promptTokenCount ?? null,
    output: written === undefined ? null : written + (thinking ?? 0),
    cached: usage?.cachedContentTokenCount ?? null,
    cacheWritten: null,
    thinking,
  };
}
