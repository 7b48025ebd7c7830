import type Anthropic from '@anthropic-ai/sdk';
import { type Cancellable, PwpError } from '../../../../bridge/lib/index.ts';
import { checkAnswer } from '../answer-reader.ts';
import { askModel, limitProbeTries, type ModelEndpoint, StreamingSupport } from '../ask-model.ts';
import type { FetchFunction, SdkTransport } from '../model-exchange.ts';
import { collectSecrets, defaultMaxOutput, type ModelSettings, resolveRetry } from '../model-settings.ts';
import type { AnswerBlock, Model, ModelTurn, TurnOptions, TurnRequest } from '../model.ts';
import {
  makeUsageFinder,
  readObjectFields,
  readTokenCount,
  readTokenUsage,
  type TokenUsage,
} from '../token-usage.ts';
import {
  anthropicAnswer,
  type AnthropicAnswer,
  AnthropicJoiner,
  dropCutBlocks,
  keepSendableBlocks,
  readAnthropicBlocks,
  toMessages,
} from './anthropic-messages.ts';

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
  readonly #line: ModelEndpoint;
  readonly #streaming: StreamingSupport;
  readonly #computerTool: AnthropicComputerTool;

  /** Errors: `usage` for an unknown computer tool. */
  constructor(name: string, key: string, settings: ModelSettings) {
    this.name = name;
    this.#key = key;
    this.#settings = settings;
    this.notSet = (['temperature', 'seed'] as const).filter((one) => settings[one] !== undefined);
    const { computerTool = chooseAnthropicComputerTool(name) } = settings;
    if (!isAnthropicComputerTool(computerTool)) {
      throw new PwpError('usage', `Anthropic has no computer tool ${JSON.stringify(computerTool)}`, {
        help: `One of: ${Object.keys(anthropicComputerTools).join(', ')}`,
      });
    }
    this.#computerTool = computerTool;
    this.#line = {
      server: settings.baseUrl ?? publicServer,
      model: name,
      secrets: collectSecrets(key, settings),
      authorization: settings.authorization,
      join: () => new AnthropicJoiner(),
      usage: makeUsageFinder(readUsageCounts),
      retry: resolveRetry(settings),
    };
    this.#streaming = new StreamingSupport(settings);
  }

  async check({ signal }: Cancellable = {}): Promise<void> {
    const send = async ({ fetch }: SdkTransport, limit: AbortSignal) =>
      (await this.#client(fetch)).models.retrieve(this.name, {}, { signal: limit });
    await askModel(limitProbeTries(this.#line), send, { signal });
  }

  turn(request: TurnRequest, options: TurnOptions = {}): Promise<ModelTurn> {
    return this.#streaming.retried(() => this.#turnOnce(request, options));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return Promise.resolve();
  }

  async #turnOnce(request: TurnRequest, options: TurnOptions): Promise<ModelTurn> {
    const params = this.#params(request);
    const { answer, ...rest } = await askModel(
      this.#line,
      (through, limit) => this.#send(through, params, request, limit),
      options,
    );
    const said = dropCutBlocks(answer);
    const blocks = readAnthropicBlocks(said);
    const message = { role: 'model', blocks, verbatim: keepSendableBlocks(said) } as const;
    return {
      message,
      stop: readStopReason(answer.stop_reason, blocks),
      usage: readUsageCounts(answer.usage),
      ...rest,
    };
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
    through: SdkTransport,
    params: Params,
    { computer, shortened = false }: TurnRequest,
    signal: AbortSignal,
  ): Promise<AnthropicAnswer> {
    const client = await this.#client(through.fetch);
    const tool = computer && this.#toolFor(computer);
    const letsGo = shortened && bindsThinking(this.name);
    const betas = [...(tool?.betas ?? []), ...(letsGo ? [boundThinkingBeta] : [])];
    const body = {
      ...params,
      ...(tool && { tools: [tool.definition, ...(params.tools ?? [])] }),
      ...(letsGo && { thinking: dropBoundThinking(params.thinking) }),
    };
    // Without a time of its own the SDK refuses long answers that are not streamed.
    const options = { signal, timeout: this.#line.retry.tryMs };
    await (betas.length === 0
      ? client.messages.create(body as Params, options)
      : client.beta.messages.create({ ...body, betas } as BetaParams, options));
    return checkAnswer(anthropicAnswer, through.answer, 'message');
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
    return {
      definition: { type, name: 'computer', ...size, ...zoom },
      betas: [anthropicComputerTools[type]],
    };
  }

  #isToolset(): boolean {
    return this.#computerTool === 'computer_toolset_20260801';
  }

  /** SDKs take long to load, so only the ones in use are loaded. */
  async #client(through: FetchFunction): Promise<Anthropic> {
    const { Anthropic: Client } = await import('@anthropic-ai/sdk');
    const { baseUrl = publicServer } = this.#settings;
    // Environment variables of the SDK's own could send another key or ask another server.
    const own = { apiKey: this.#key, authToken: null, baseURL: baseUrl };
    return new Client({ ...own, maxRetries: 0, fetch: through });
  }
}

function readStopReason(
  reason: string | null | undefined,
  blocks: readonly AnswerBlock[],
): ModelTurn['stop'] {
  if (reason === 'max_tokens' || reason === 'model_context_window_exceeded') return 'length';
  if (reason === 'refusal') return 'refusal';
  return blocks.some(({ kind }) => kind === 'call' || kind === 'computer') ? 'calls' : 'end';
}

/** The API's count of input leaves out tokens that were read from or written to the cache. */
function readUsageCounts(usage: unknown): TokenUsage {
  const counted = readObjectFields(usage);
  const cached = readTokenCount(counted['cache_read_input_tokens']);
  const cacheWritten = readTokenCount(counted['cache_creation_input_tokens']);
  const fresh = readTokenCount(counted['input_tokens']);
  return readTokenUsage({
    input: fresh === null ? null : fresh + (cached ?? 0) + (cacheWritten ?? 0),
    output: counted['output_tokens'],
    cached,
    cacheWritten,
    thinking: readObjectFields(counted['output_tokens_details'])['thinking_tokens'],
  });
}

/** Forms of Anthropic's computer tool, newest first; each with the beta header that it wants, or none. */
const anthropicComputerTools = {
  computer_toolset_20260801: null,
  computer_20251124: 'computer-use-2025-11-24',
  computer_20250124: 'computer-use-2025-01-24',
  computer_20241022: 'computer-use-2024-10-22',
} as const;

type AnthropicComputerTool = keyof typeof anthropicComputerTools;

/** Models that take no newer form. */
const olderModels: readonly (readonly [RegExp, AnthropicComputerTool])[] = [
  [/^claude-3-5-/, 'computer_20241022'],
  [/^claude-(3-7|sonnet-4-(0|5|2025)|opus-4-(0|1|2025)|haiku-4-5)/, 'computer_20250124'],
  [/^claude-(opus-4-[5-8]|sonnet-4-6)/, 'computer_20251124'],
];

/** The newest form that a model takes, by its name; the newest of all for one that is not known. */
function chooseAnthropicComputerTool(model: string): AnthropicComputerTool {
  return olderModels.find(([names]) => names.test(model))?.[1] ?? 'computer_toolset_20260801';
}

function isAnthropicComputerTool(name: string): name is AnthropicComputerTool {
  return Object.hasOwn(anthropicComputerTools, name);
}

/** Header for {@link dropBoundThinking}. */
const boundThinkingBeta = 'thinking-binding-controls-2026-08-01';

/**
 * Whether each thinking block of a model is bound to all that was said before it: sent back after older pictures or turns
 * were left out, it is refused. So it is from Claude Fable 5.1 on.
 * Source: https://platform.claude.com/docs/en/build-with-claude/preserved-thinking
 */
function bindsThinking(model: string): boolean {
  const [, major, minor] = /^claude-[a-z]+-(\d{1,2})(?:-(\d{1,2}))?(?:-|$)/.exec(model) ?? [];
  return Number(major ?? 0) * 100 + Number(minor ?? 0) > 500;
}

/** The same thinking; the server drops blocks that are bound to a conversation that has changed since. */
function dropBoundThinking(
  thinking: Anthropic.ThinkingConfigParam | undefined,
): Anthropic.Beta.BetaThinkingConfigParam {
  const block_binding = { prefix_mismatch_behavior: 'drop_block' } as const;
  return thinking?.type === 'enabled' ? { ...thinking, block_binding } : { type: 'adaptive', block_binding };
}
