import type OpenAI from 'openai';
import { PwpError, type Cancellable } from '../../../bridge/lib/index.ts';
import { ask, type Line } from '../ask.ts';
import type { Fetch } from '../exchange.ts';
import type { Block, Model, ModelTurn, TurnOptions, TurnRequest, Usage } from '../model.ts';
import { defaultMaxOutput, type ModelSettings } from '../settings.ts';
import { lineOf, openClient } from './client.ts';
import { computerToolOf, type ComputerTool } from './computer.ts';
import { toInput, toBlocks } from './items.ts';
import { takesTemperature, thinks } from './names.ts';

type Params = OpenAI.Responses.ResponseCreateParamsNonStreaming;

/** Models of OpenAI's Responses API. It takes no seed; nothing of a conversation is stored there. */
export class ResponsesModel implements Model {
  readonly vendor = 'openai';
  readonly needsPictures = true;
  readonly name: string;
  readonly notSet: readonly string[];
  readonly #key: string;
  readonly #settings: ModelSettings;
  readonly #line: Line;
  readonly #computerTool: ComputerTool | null;

  /** Errors: `usage` for a computer tool that is none. */
  constructor(name: string, key: string, settings: ModelSettings) {
    this.name = name;
    this.#key = key;
    this.#settings = settings;
    this.#computerTool = computerToolOf(name, settings.computerTool);
    this.#line = lineOf(name, key, settings);
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
    const send = async (through: Fetch, limit: AbortSignal) =>
      (await this.#client(through)).models.retrieve(this.name, { signal: limit });
    await ask(this.#line, send, { signal });
  }

  async turn(request: TurnRequest, options: TurnOptions = {}): Promise<ModelTurn> {
    const params = this.#params(request);
    const send = async (through: Fetch, limit: AbortSignal) =>
      requireWhole(await (await this.#client(through)).responses.create(params, { signal: limit }));
    const { answer, ...rest } = await ask(this.#line, send, options);
    const blocks = toBlocks(answer.output);
    const message = { role: 'model', blocks, verbatim: answer.output } as const;
    return { message, stop: stopOf(answer, blocks), usage: usageOf(answer.usage), ...rest };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return Promise.resolve();
  }

  #params({ system, messages, tools, computer }: TurnRequest): Params {
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
      max_output_tokens: maxOutput,
      store: false,
      // What it thought goes back with the next turn, for it to read alone.
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
function requireWhole(answer: OpenAI.Responses.Response): OpenAI.Responses.Response {
  const { output, status, error } = answer as Partial<OpenAI.Responses.Response>;
  if (status === 'failed')
    throw new PwpError('model-answer', `it failed: ${error?.message ?? 'without a reason'}`);
  if (!Array.isArray(output) || (status !== 'completed' && status !== 'incomplete'))
    throw new PwpError('model-answer', 'the answer is no response');
  return answer;
}

function stopOf(answer: OpenAI.Responses.Response, blocks: readonly Block[]): ModelTurn['stop'] {
  const refused = answer.output.some(
    (item) => item.type === 'message' && item.content.some(({ type }) => type === 'refusal'),
  );
  if (refused || answer.incomplete_details?.reason === 'content_filter') return 'refusal';
  if (answer.status === 'incomplete') return 'length';
  return blocks.some(({ kind }) => kind === 'call' || kind === 'computer') ? 'calls' : 'end';
}

function usageOf(usage: OpenAI.Responses.ResponseUsage | undefined): Usage {
  // Compatible servers leave out what they do not count.
  const { input_tokens_details: read, output_tokens_details: wrote } = (usage ??
    {}) as Partial<OpenAI.Responses.ResponseUsage>;
  return {
    input: usage?.input_tokens ?? null,
    output: usage?.output_tokens ?? null,
    cached: read?.cached_tokens ?? null,
    cacheWritten: read?.cache_write_tokens ?? null,
    thinking: wrote?.reasoning_tokens ?? null,
  };
}
