import { join } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { PwpError } from '../../../bridge/lib/index.ts';
import type { Node } from '../../node/index.ts';
import { writeReport } from '../report/index.ts';
import {
  AgentChat,
  type AgentChoice,
  asksModel,
  chooseAgent,
  type EpisodeEvent,
  type EpisodeResult,
  finishTool,
  highestStepLimit,
  type ObservationPart,
  observationParts,
  openAgent,
  readSystemPrompt,
  requirePrice,
  runEpisode,
  toolSetNames,
  vendors,
} from '../../run/index.ts';
import type { Task } from '../../tasks/index.ts';
import { AgentServer } from '../serve/index.ts';
import { type AllowHostOption, parseCount, type StepsOption } from './options.ts';
import { narrateEpisode } from './progress.ts';
import { clientConfig } from './served-ide.ts';

/** Options, except the model, of agents that ask a model; some apply to agents that are commands, too. */
export interface ModelOptions {
  readonly tools?: string;
  readonly observe?: ObservationPart[];
  readonly view?: { readonly width: number; readonly height: number };
  readonly textOnly?: true;
  readonly temperature?: number;
  readonly modelSeed?: number;
  readonly thinking?: string | number;
  readonly maxOutput?: number;
  readonly computerTool?: string;
  readonly baseUrl?: string;
  readonly maxPictures?: number;
  readonly maxContext?: number;
  readonly stream?: boolean;
  readonly answerTimeout?: number;
}

/** @param several accept any number of models */
export function addModelOptions(command: Command, { several = false } = {}): Command {
  return command
    .option(
      several ? '-m, --model <name...>' : '-m, --model <name>',
      `the model that the agent asks, e.g. claude-opus-5, chat:qwen3-vl, scripted:turns.jsonl; vendors: ${vendors.join(', ')}. Its key comes from the environment`,
    )
    .option('--tools <set>', `tools in place of the agent's own: ${toolSetNames.join(', ')}, or a JSON file`)
    .addOption(
      new Option(
        '--observe <parts...>',
        'parts of the IDE to show to the model; default: by agent and model',
      ).choices(observationParts),
    )
    .option('--view <size>', 'maximum size of its pictures; default: 1280x720', parseViewSize)
    .option('--text-only', 'show no pictures of the task to the agent bash')
    .option('--temperature <n>', 'sampling temperature, if the model takes one', parseNumber)
    .option('--model-seed <n>', 'sampling seed, if the model takes one', parseNumber)
    .option(
      '--thinking <level>',
      "reasoning effort: low, medium, high, … in the vendor's words, or tokens",
      parseThinking,
    )
    .option('--max-output <tokens>', 'maximum output of one turn; default: 16384', parseCount)
    .option('--computer-tool <type>', "the vendor's computer tool, e.g. computer_20251124, or none")
    .option('--base-url <url>', 'another server that speaks the same protocol')
    .option('--max-pictures <n>', 'maximum number of pictures in a conversation; default: 20', parseCount)
    .option('--max-context <tokens>', 'maximum size of a conversation; default: 150000', parseCount)
    .option('--no-stream', 'request whole answers from the model, not streams')
    .option(
      '--answer-timeout <s>',
      'seconds to wait for one answer; default: 600 for a command, 1800 for a model',
      parseCount,
    );
}

/** As {@link openAgent}, from a command line. */
export function openAgentFromOptions(
  agent: string,
  options: ModelOptions & { readonly model?: string },
): Promise<AgentChoice> {
  return openAgent({ ...options, agent });
}

/** A level, or a number of tokens. */
function parseThinking(text: string): string | number {
  return /^\d+$/.test(text) ? Number(text) : text;
}

function parseNumber(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) throw new InvalidArgumentError('expected a number');
  return value;
}

function parseViewSize(text: string): { width: number; height: number } {
  const [, width, height] = /^(\d{3,4})x(\d{3,4})$/.exec(text) ?? [];
  if (width === undefined || height === undefined) throw new InvalidArgumentError('expected e.g. 1280x720');
  return { width: Number(width), height: Number(height) };
}

interface ServedAgentOptions extends ModelOptions, AllowHostOption {
  readonly agent: string;
  readonly model?: string | undefined;
  readonly maxTokens?: number | undefined;
  readonly maxCost?: number | undefined;
  readonly port: number;
}

/** Errors: `usage` for options that do not apply to a client of the Model Context Protocol. */
export function checkServedAgent(
  { agent, model, maxTokens, maxCost }: ServedAgentOptions,
  episodes: number,
): void {
  if (model !== undefined)
    throw new PwpError('usage', '--serve takes no --model: the client is in its place');
  if (maxTokens !== undefined || maxCost !== undefined)
    throw new PwpError(
      'usage',
      '--serve takes no --max-tokens and no --max-cost: the client asks its model itself',
      {
        help: 'Limit the steps with --max-steps.',
      },
    );
  if (!asksModel(agent))
    throw new PwpError('usage', `--serve takes an agent that asks a model, not ${agent}`);
  if (episodes !== 1)
    throw new PwpError('usage', `--serve is for one episode, and these are ${episodes}`, {
      help: 'Give one task, and no --attempts.',
    });
}

/**
 * Waits for a client of the Model Context Protocol, which is the agent of one episode.
 * @param owned gets the server, and disposes it
 */
export async function waitForServedAgent(
  options: ServedAgentOptions,
  owned: AsyncDisposableStack,
  signal: AbortSignal,
): Promise<AgentChoice> {
  const { agent, port, allowHost: allowHosts } = options;
  const choice = await openAgent({ ...options, agent, model: undefined });
  const system = await readSystemPrompt(agent);
  const token = process.env['PWP_TOKEN'];
  const seat = owned.use(
    await AgentServer.open({ system, finish: finishTool.name, port, token, allowHosts }),
  );
  process.stderr.write(`${clientConfig(seat.server)}\nwaiting for a client, which is the agent\n`);
  const client = await seat.taken(signal);
  process.stderr.write(`the agent is ${client.name}\n`);
  return { ...choice, model: client };
}

interface PairLimits {
  readonly limit: number;
  readonly maxTokens?: number;
  readonly maxCost?: number;
  readonly out: string;
  readonly video?: true;
}

export interface PairedOptions extends StepsOption, PairLimits, ModelOptions {
  readonly model?: string;
  readonly json?: true;
}

/** What an agent is asked to do in an IDE without a task. */
export const pairInstruction = 'Do in this IDE what people ask you for in the chat.';

/** The agent of a page, and what people say to it. */
export interface PairedAgent extends AsyncDisposable {
  readonly chat: AgentChat;
  /** Folder of the record. */
  readonly folder: string;
  /**
   * Its episode: until people end it, or a limit is reached.
   * @param joined id of the sandbox it works in; default: one of its own, in the initial state of the task
   */
  work(
    node: Node,
    task: Task,
    signal: AbortSignal,
    joined?: string,
    onEvent?: (event: EpisodeEvent) => void,
  ): Promise<EpisodeResult>;
}

/** Errors: those of `openAgent`. */
export async function openPairedAgent(
  name: string,
  id: string,
  options: PairedOptions,
): Promise<PairedAgent> {
  const choice = await openAgentFromOptions(name, options);
  const { model } = choice;
  try {
    if (model && options.maxCost !== undefined) requirePrice(model);
  } catch (error) {
    await model?.[Symbol.asyncDispose]();
    throw error;
  }
  const chat = new AgentChat(name);
  const folder = namePairRecord(options.out, id, name);
  return {
    chat,
    folder,
    work: (node, task, signal, joined, onEvent) =>
      playPairedEpisode({ node, task, signal, joined, onEvent, choice, chat, folder }, options),
    async [Symbol.asyncDispose]() {
      await model?.[Symbol.asyncDispose]();
    },
  };
}

interface PairedEpisode {
  readonly node: Node;
  readonly task: Task;
  readonly signal: AbortSignal;
  readonly joined: string | undefined;
  readonly onEvent: ((event: EpisodeEvent) => void) | undefined;
  readonly choice: AgentChoice;
  readonly chat: AgentChat;
  readonly folder: string;
}

async function playPairedEpisode(
  { node, task, signal, joined, onEvent, choice, chat, folder }: PairedEpisode,
  options: PairedOptions,
): Promise<EpisodeResult> {
  const say = options.json ? undefined : narrateEpisode(process.stdout);
  return runEpisode({
    ...{ node, task, folder, chat, signal, writeReport, join: joined },
    agent: await chooseAgent({ ...choice, pairs: true }, task),
    stepLimit: options.maxSteps ?? highestStepLimit,
    ...(options.maxTokens !== undefined && { tokenLimit: options.maxTokens }),
    ...(options.maxCost !== undefined && { costLimit: options.maxCost }),
    video: options.video ?? false,
    onEvent(event) {
      onEvent?.(event);
      say?.(event);
    },
  });
}

function namePairRecord(out: string, id: string, agent: string): string {
  const name = `pair-${id}-${agent}`.replaceAll(/[^\w.-]+/g, '-');
  return join(out, new Date().toISOString().replaceAll(/[:.]/g, '-'), name);
}
