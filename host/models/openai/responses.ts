import type OpenAI from 'openai';
import { PwpError, type Cancellable } from '../../../bridge/lib/index.ts';
import { ask, checking, type Line } from '../ask.ts';
import type { Fetch, Through } from '../exchange.ts';
import type { Block, Model, ModelTurn, TurnOptions, TurnRequest } from '../model.ts';
import { defaultMaxOutput, type ModelSettings } from '../settings.ts';
import { Streaming } from '../streaming.ts';
import { fieldsOf, isCounted, usageFrom, type Usage } from '../usage.ts';
import { wholeAnswer } from '../whole.ts';
import { lineOf, openClient } from './client.ts';
import { computerToolOf, type ComputerTool } from './computer.ts';
import {
  openaiAnswer,
  refuses,
  sentBack,
  toBlocks,
  toInput,
  withoutCut,
  type OpenaiAnswer,
  type SaidItem,
} from './items.ts';
import { ResponsesJoiner } from './join-responses.ts';
import { takesTemperature, thinks } from './names.ts';

type Params = OpenAI.Responses.ResponseCreateParams;

/** Models of OpenAI's Responses API. It takes no seed; nothing of a conversation is stored there. */
export class ResponsesModel implements Model {
  readonly vendor = 'openai';
  readonly needsPictures = true;
  readonly name: string;
  readonly notSet: readonly string[];
  readonly #key: string;
  readonly #settings: ModelSettings;
  readonly #line: Line;
  readonly #streaming: Streaming;
  readonly #computerTool: ComputerTool | null;

  /** Errors: `usage` for an unknown computer tool. */
  constructor(name: string, key: string, settings: ModelSettings) {
    this.name = name;
    this.#key = key;
    this.#settings = settings;
    this.#computerTool = computerToolOf(name, settings.computerTool);
    this.#line = { ...lineOf(name, key, settings), join: () => new ResponsesJoiner(), usage: usageIn };
    this.#streaming = new Streaming(settings);
    const { temperature, seed, thinking } = settings;
    this.notSet = [
      ...(temperature !== undefined && !takesTemperature(name) ? ['temperature'] : []),
      ...(seed === undefined ? [] : ['seed']),
      ...(thinking !== undefined && !(typeof thinking === 'string' && thinks(name)) ? ['thinking'] : []),
    ];
  }

  get hasComputer(): boolean {
    return this.#computerTool !== null;
  }

  async check({ signal }: Cancellable = {}): Promise<void> {
    const send = async ({ fetch }: Through, limit: AbortSignal) =>
      (await this.#client(fetch)).models.retrieve(this.name, { signal: limit });
    await ask(checking(this.#line), send, { signal });
  }

  async turn(request: TurnRequest, options: TurnOptions = {}): Promise<ModelTurn> {
    try {
      return await this.#turnOnce(request, options);
    } catch (error) {
      // E.g. of organizations that OpenAI has not verified.
      if (!this.#streaming.learns(error)) throw error;
      return await this.#turnOnce(request, options);
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return Promise.resolve();
  }

  async #turnOnce(request: TurnRequest, options: TurnOptions): Promise<ModelTurn> {
    const params = this.#params(request);
    const send = async (through: Through, limit: AbortSignal) => {
      await (await this.#client(through.fetch)).responses.create(params, { signal: limit });
      return requireWhole(through.answer);
    };
    const { answer, ...rest } = await ask(this.#line, send, options);
    const said = withoutCut(answer);
    const blocks = toBlocks(said);
    const message = { role: 'model', blocks, verbatim: sentBack(said) } as const;
    return { message, stop: stopOf(answer, said, blocks), usage: usageOf(answer.usage), ...rest };
  }

  #params({ system, messages, tools, computer, maxOutput: room = Infinity }: TurnRequest): Params {
    const { maxOutput = defaultMaxOutput, temperature, thinking } = this.#settings;
    const reasons = thinks(this.name);
    return {
      model: this.name,
      instructions: system,
      input: toInput(messages),
      tools: [
        ...(computer && this.#computerTool ? [toolOf(this.#computerTool, computer)] : []),
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

  #client(through: Fetch): Promise<OpenAI> {
    return openClient(this.#key, this.#settings, through);
  }
}

function toolOf(
  type: ComputerTool,
  { width, height }: NonNullable<TurnRequest['computer']>,
): OpenAI.Responses.Tool {
  if (type === 'computer') return { type };
  return { type, display_width: width, display_height: height, environment: 'linux' };
}

/** Half a JSON is a text to the SDK, and a failure can come with status 200. */
function requireWhole(answer: unknown): OpenaiAnswer {
  const { status, error } = fieldsOf(answer);
  if (status === 'failed') {
    const { message } = fieldsOf(error);
    throw new PwpError(
      'model-answer',
      `it failed: ${typeof message === 'string' ? message : 'without a reason'}`,
    );
  }
  return wholeAnswer(openaiAnswer, answer, 'response');
}

function stopOf(
  answer: OpenaiAnswer,
  said: readonly SaidItem[],
  blocks: readonly Block[],
): ModelTurn['stop'] {
  if (refuses(said) || answer.incomplete_details?.reason === 'content_filter') return 'refusal';
  if (answer.status === 'incomplete') return 'length';
  return blocks.some(({ kind }) => kind === 'call' || kind === 'computer') ? 'calls' : 'end';
}

/** Compatible servers leave out counts that they do not have. */
function usageOf(usage: unknown): Usage {
  const counted = fieldsOf(usage);
  const [read, wrote] = [
    fieldsOf(counted['input_tokens_details']),
    fieldsOf(counted['output_tokens_details']),
  ];
  return usageFrom({
    input: counted['input_tokens'],
    output: counted['output_tokens'],
    cached: read['cached_tokens'],
    cacheWritten: read['cache_write_tokens'],
    thinking: wrote['reasoning_tokens'],
  });
}

function usageIn(response: unknown): Usage | null {
  const usage = usageOf(fieldsOf(response)['usage']);
  return isCounted(usage) ? usage : null;
}
