import type Anthropic from '@anthropic-ai/sdk';
import { PwpError, type Cancellable } from '../../../bridge/lib/index.ts';
import { ask, checking, type Line } from '../ask.ts';
import type { Fetch, Through } from '../exchange.ts';
import type { Block, Model, ModelTurn, TurnOptions, TurnRequest } from '../model.ts';
import { defaultMaxOutput, retryOf, secretsOf, type ModelSettings } from '../settings.ts';
import { Streaming } from '../streaming.ts';
import { countOf, fieldsOf, isCounted, usageFrom, type Usage } from '../usage.ts';
import { wholeAnswer } from '../whole.ts';
import { anthropicAnswer, sentBack, toBlocks, withoutCut, type AnthropicAnswer } from './blocks.ts';
import { computerToolOf, computerTools, isComputerTool, type ComputerTool } from './computer.ts';
import { MessagesJoiner } from './join-messages.ts';
import { toMessages } from './messages.ts';
import { bindingBeta, bindsThinking, lettingGo } from './preserved-thinking.ts';

type Params = Anthropic.MessageCreateParams;
type BetaParams = Anthropic.Beta.MessageCreateParams;

const publicServer = 'https://api.anthropic.com';

/** Models of Anthropic's Messages API. It takes neither a temperature nor a seed. */
export class AnthropicModel implements Model {
  readonly vendor = 'anthropic';
  readonly needsPictures = false;
  readonly hasComputer = true;
  readonly name: string;
  readonly notSet: readonly string[];
  readonly #settings: ModelSettings;
  readonly #key: string;
  readonly #line: Line;
  readonly #streaming: Streaming;
  readonly #computerTool: ComputerTool;

  /** Errors: `usage` for an unknown computer tool. */
  constructor(name: string, key: string, settings: ModelSettings) {
    this.name = name;
    this.#key = key;
    this.#settings = settings;
    this.notSet = (['temperature', 'seed'] as const).filter((one) => settings[one] !== undefined);
    const { computerTool = computerToolOf(name) } = settings;
    if (!isComputerTool(computerTool)) {
      throw new PwpError('usage', `Anthropic has no computer tool ${JSON.stringify(computerTool)}`, {
        help: `One of: ${Object.keys(computerTools).join(', ')}`,
      });
    }
    this.#computerTool = computerTool;
    this.#line = {
      server: settings.baseUrl ?? publicServer,
      model: name,
      secrets: secretsOf(key, settings),
      authorization: settings.authorization,
      join: () => new MessagesJoiner(),
      usage: usageIn,
      retry: retryOf(settings),
    };
    this.#streaming = new Streaming(settings);
  }

  async check({ signal }: Cancellable = {}): Promise<void> {
    const send = async ({ fetch }: Through, limit: AbortSignal) =>
      (await this.#client(fetch)).models.retrieve(this.name, {}, { signal: limit });
    await ask(checking(this.#line), send, { signal });
  }

  async turn(request: TurnRequest, options: TurnOptions = {}): Promise<ModelTurn> {
    try {
      return await this.#turnOnce(request, options);
    } catch (error) {
      if (!this.#streaming.learns(error)) throw error;
      return await this.#turnOnce(request, options);
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return Promise.resolve();
  }

  async #turnOnce(request: TurnRequest, options: TurnOptions): Promise<ModelTurn> {
    const params = this.#params(request);
    const { answer, ...rest } = await ask(
      this.#line,
      (through, limit) => this.#send(through, params, request, limit),
      options,
    );
    const said = withoutCut(answer);
    const blocks = toBlocks(said);
    const message = { role: 'model', blocks, verbatim: sentBack(said) } as const;
    return { message, stop: stopOf(answer.stop_reason, blocks), usage: usageOf(answer.usage), ...rest };
  }

  #params({ system, messages, tools, maxOutput: room = Infinity }: TurnRequest): Params {
    const { maxOutput = defaultMaxOutput, thinking } = this.#settings;
    const most = typeof thinking === 'number' ? maxOutput + thinking : maxOutput;
    return {
      model: this.name,
      max_tokens: Math.min(most, room),
      ...(this.#streaming.isOn && { stream: true }),
      system: [{ type: 'text', text: system }],
      messages: toMessages(messages, this.#isToolset()),
      tools: tools.map(({ name, description, schema }) => ({
        name,
        description,
        input_schema: schema as Anthropic.Tool.InputSchema,
      })),
      // The unchanged beginning is read from the cache at the next turn.
      cache_control: { type: 'ephemeral' },
      ...(typeof thinking === 'number' && { thinking: { type: 'enabled', budget_tokens: thinking } }),
      ...(typeof thinking === 'string' && {
        thinking: { type: 'adaptive' },
        output_config: { effort: thinking as NonNullable<Anthropic.OutputConfig['effort']> },
      }),
    };
  }

  async #send(
    through: Through,
    params: Params,
    { computer, shortened = false }: TurnRequest,
    signal: AbortSignal,
  ): Promise<AnthropicAnswer> {
    const client = await this.#client(through.fetch);
    const tool = computer && this.#toolFor(computer);
    const letsGo = shortened && bindsThinking(this.name);
    const betas = [...(tool?.betas ?? []), ...(letsGo ? [bindingBeta] : [])];
    const body = {
      ...params,
      ...(tool && { tools: [tool.definition, ...(params.tools ?? [])] }),
      ...(letsGo && { thinking: lettingGo(params.thinking) }),
    };
    // Without a time of its own the SDK refuses long answers that are not streamed.
    const options = { signal, timeout: this.#line.retry.tryMs };
    await (betas.length === 0
      ? client.messages.create(body as Params, options)
      : client.beta.messages.create({ ...body, betas } as BetaParams, options));
    return wholeAnswer(anthropicAnswer, through.answer, 'message');
  }

  /** The older forms of the tool need the size of the screen, and are in the beta API only. */
  #toolFor({ width, height }: NonNullable<TurnRequest['computer']>): {
    readonly definition: object;
    readonly betas: readonly string[];
  } {
    const type = this.#computerTool;
    if (type === 'computer_toolset_20260801') return { definition: { type }, betas: [] };
    const size = { display_width_px: width, display_height_px: height };
    const zoom = type === 'computer_20251124' && { enable_zoom: true };
    return { definition: { type, name: 'computer', ...size, ...zoom }, betas: [computerTools[type]] };
  }

  #isToolset(): boolean {
    return this.#computerTool === 'computer_toolset_20260801';
  }

  /** SDKs take long to load, so only the ones in use are loaded. */
  async #client(through: Fetch): Promise<Anthropic> {
    const { Anthropic: Client } = await import('@anthropic-ai/sdk');
    const { baseUrl = publicServer } = this.#settings;
    // Environment variables of the SDK's own could send another key or ask another server.
    const own = { apiKey: this.#key, authToken: null, baseURL: baseUrl };
    return new Client({ ...own, maxRetries: 0, fetch: through });
  }
}

function stopOf(reason: string | null | undefined, blocks: readonly Block[]): ModelTurn['stop'] {
  if (reason === 'max_tokens' || reason === 'model_context_window_exceeded') return 'length';
  if (reason === 'refusal') return 'refusal';
  return blocks.some(({ kind }) => kind === 'call' || kind === 'computer') ? 'calls' : 'end';
}

/** The API's count of input leaves out tokens that were read from or written to the cache. */
function usageOf(usage: unknown): Usage {
  const counted = fieldsOf(usage);
  const cached = countOf(counted['cache_read_input_tokens']);
  const cacheWritten = countOf(counted['cache_creation_input_tokens']);
  const fresh = countOf(counted['input_tokens']);
  return usageFrom({
    input: fresh === null ? null : fresh + (cached ?? 0) + (cacheWritten ?? 0),
    output: counted['output_tokens'],
    cached,
    cacheWritten,
    thinking: fieldsOf(counted['output_tokens_details'])['thinking_tokens'],
  });
}

function usageIn(response: unknown): Usage | null {
  const usage = usageOf(fieldsOf(response)['usage']);
  return isCounted(usage) ? usage : null;
}
