import type OpenAI from 'openai';
import { type Cancellable, PwpError } from '../../../../bridge/lib/index.ts';
import { checkAnswer } from '../answer-reader.ts';
import { askModel, limitProbeTries, type ModelEndpoint, StreamingSupport } from '../ask-model.ts';
import type { FetchFunction, SdkTransport } from '../model-exchange.ts';
import { defaultMaxOutput, type ModelSettings } from '../model-settings.ts';
import type { AnswerBlock, Model, ModelTurn, TurnOptions, TurnRequest } from '../model.ts';
import { makeUsageFinder, readObjectFields, readTokenUsage, type TokenUsage } from '../token-usage.ts';
import { makeOpenaiEndpoint, openOpenaiClient } from './openai-client.ts';
import {
  dropCutItems,
  isRefusedInWords,
  keepSendableItems,
  openaiAnswer,
  type OpenaiAnswer,
  readResponseBlocks,
  type ResponseItem,
  ResponsesJoiner,
  toResponseInput,
} from './openai-response-items.ts';

type Params = OpenAI.Responses.ResponseCreateParams;

/** Models of OpenAI's Responses API. It takes no seed; nothing of a conversation is stored there. */
export class ResponsesModel implements Model {
  readonly vendor = 'openai';
  readonly needsPictures = true;
  readonly name: string;
  readonly notSet: readonly string[];
  readonly #key: string;
  readonly #settings: ModelSettings;
  readonly #line: ModelEndpoint;
  readonly #streaming: StreamingSupport;
  readonly #computerTool: OpenaiComputerTool | null;

  /** Errors: `usage` for an unknown computer tool. */
  constructor(name: string, key: string, settings: ModelSettings) {
    this.name = name;
    this.#key = key;
    this.#settings = settings;
    this.#computerTool = chooseOpenaiComputerTool(name, settings.computerTool);
    this.#line = {
      ...makeOpenaiEndpoint(name, key, settings),
      join: () => new ResponsesJoiner(),
      usage: makeUsageFinder(readUsageCounts),
    };
    this.#streaming = new StreamingSupport(settings);
    const { temperature, seed, thinking } = settings;
    this.notSet = [
      ...(temperature !== undefined && !takesTemperature(name) ? ['temperature'] : []),
      ...(seed === undefined ? [] : ['seed']),
      ...(thinking !== undefined && !(typeof thinking === 'string' && isThinkingModel(name))
        ? ['thinking']
        : []),
    ];
  }

  get hasComputer(): boolean {
    return this.#computerTool !== null;
  }

  async check({ signal }: Cancellable = {}): Promise<void> {
    const send = async ({ fetch }: SdkTransport, limit: AbortSignal) =>
      (await this.#client(fetch)).models.retrieve(this.name, { signal: limit });
    await askModel(limitProbeTries(this.#line), send, { signal });
  }

  turn(request: TurnRequest, options: TurnOptions = {}): Promise<ModelTurn> {
    // Refused, e.g., of organizations that OpenAI has not verified.
    return this.#streaming.retried(() => this.#turnOnce(request, options));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return Promise.resolve();
  }

  async #turnOnce(request: TurnRequest, options: TurnOptions): Promise<ModelTurn> {
    const params = this.#params(request);
    const send = async (through: SdkTransport, limit: AbortSignal) => {
      await (await this.#client(through.fetch)).responses.create(params, { signal: limit });
      return requireWhole(through.answer);
    };
    const { answer, ...rest } = await askModel(this.#line, send, options);
    const said = dropCutItems(answer);
    const blocks = readResponseBlocks(said);
    const message = { role: 'model', blocks, verbatim: keepSendableItems(said) } as const;
    return {
      message,
      stop: readStopReason(answer, said, blocks),
      usage: readUsageCounts(answer.usage),
      ...rest,
    };
  }

  #params({ system, messages, tools, computer, maxOutput: room = Infinity }: TurnRequest): Params {
    const { maxOutput = defaultMaxOutput, temperature, thinking } = this.#settings;
    const reasons = isThinkingModel(this.name);
    return {
      model: this.name,
      instructions: system,
      input: toResponseInput(messages),
      tools: [
        ...(computer && this.#computerTool ? [toResponsesTool(this.#computerTool, computer)] : []),
        ...tools.map(({ name, description, schema }) => ({
          type: 'function' as const,
          ...{ name, description, parameters: { ...schema }, strict: false },
        })),
      ],
      max_output_tokens: Math.min(maxOutput, room),
      store: false,
      ...(this.#streaming.isOn && { stream: true }),
      // Its reasoning goes back with the next turn, readable by the model alone.
      ...(reasons && { include: ['reasoning.encrypted_content'] }),
      ...(reasons && {
        reasoning: {
          summary: 'auto',
          ...(typeof thinking === 'string' && { effort: thinking as OpenAI.ReasoningEffort }),
        },
      }),
      ...(temperature !== undefined && takesTemperature(this.name) && { temperature }),
      ...(this.#computerTool === 'computer_use_preview' && { truncation: 'auto' }),
    };
  }

  #client(through: FetchFunction): Promise<OpenAI> {
    return openOpenaiClient(this.#key, this.#settings, through);
  }
}

function toResponsesTool(
  type: OpenaiComputerTool,
  { width, height }: NonNullable<TurnRequest['computer']>,
): OpenAI.Responses.Tool {
  if (type === 'computer') return { type };
  return { type, display_width: width, display_height: height, environment: 'linux' };
}

/** Half a JSON is a text to the SDK, and a failure can come with status 200. */
function requireWhole(answer: unknown): OpenaiAnswer {
  const { status, error } = readObjectFields(answer);
  if (status === 'failed') {
    const { message } = readObjectFields(error);
    throw new PwpError(
      'model-answer',
      `it failed: ${typeof message === 'string' ? message : 'without a reason'}`,
    );
  }
  return checkAnswer(openaiAnswer, answer, 'response');
}

function readStopReason(
  answer: OpenaiAnswer,
  said: readonly ResponseItem[],
  blocks: readonly AnswerBlock[],
): ModelTurn['stop'] {
  if (isRefusedInWords(said) || answer.incomplete_details?.reason === 'content_filter') return 'refusal';
  if (answer.status === 'incomplete') return 'length';
  return blocks.some(({ kind }) => kind === 'call' || kind === 'computer') ? 'calls' : 'end';
}

/** Compatible servers leave out counts that they do not have. */
function readUsageCounts(usage: unknown): TokenUsage {
  const counted = readObjectFields(usage);
  const [read, wrote] = [
    readObjectFields(counted['input_tokens_details']),
    readObjectFields(counted['output_tokens_details']),
  ];
  return readTokenUsage({
    input: counted['input_tokens'],
    output: counted['output_tokens'],
    cached: read['cached_tokens'],
    cacheWritten: read['cache_write_tokens'],
    thinking: wrote['reasoning_tokens'],
  });
}

/** Forms of OpenAI's computer tool, newest first. */
const openaiComputerTools = ['computer', 'computer_use_preview'] as const;
type OpenaiComputerTool = (typeof openaiComputerTools)[number];

/**
 * The form that a model takes, or null.
 * @param asked the form in the settings, or `none`; default: by the model's name
 * Errors: `usage`.
 */
function chooseOpenaiComputerTool(model: string, asked?: string): OpenaiComputerTool | null {
  if (asked === 'none') return null;
  const found = openaiComputerTools.find((name) => name === asked);
  if (found) return found;
  if (asked !== undefined) {
    throw new PwpError('usage', `OpenAI has no computer tool ${JSON.stringify(asked)}`, {
      help: `One of: ${openaiComputerTools.join(', ')}, none`,
    });
  }
  if (model.startsWith('computer-use-preview')) return 'computer_use_preview';
  return /^gpt-(5\.[4-9]|[6-9])/.test(model) ? 'computer' : null;
}

/** Whether a model thinks before it answers, by its name: it takes an effort then, and no temperature. */
function isThinkingModel(model: string): boolean {
  return /^(o\d|gpt-([5-9]|\d\d))/.test(model) && !model.includes('chat-latest');
}

function takesTemperature(model: string): boolean {
  return !isThinkingModel(model) && !model.includes('chat-latest');
}
