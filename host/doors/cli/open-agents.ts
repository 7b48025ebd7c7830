import { join } from 'node:path';
import { PwpError } from '../../../bridge/lib/index.ts';
import type { Node } from '../../node/index.ts';
import { writeReport } from '../report/index.ts';
import {
  AgentChat,
  agentSettings,
  type AgentSettings,
  asksModel,
  chooseAgent,
  type EpisodeEvent,
  type EpisodeResult,
  finishTool,
  limitSettings,
  openAgent,
  type OpenedAgent,
  readSystemPrompt,
  requirePrice,
  runEpisode,
  type StudyFile,
} from '../../run/index.ts';
import type { Task } from '../../tasks/index.ts';
import { AgentServer } from '../serve/index.ts';
import type { AllowHostOption } from './options.ts';
import { narrateEpisode } from './progress.ts';
import { clientConfig } from './served-ide.ts';
import { givenSettings, type GivenSettings } from './setting-options.ts';

type AgentOptions = GivenSettings<typeof agentSettings.shape>;
type LimitOptions = GivenSettings<typeof limitSettings.shape>;

/** As {@link openAgent}, from a command line. */
export function openAgentFromOptions(agent: string, options: AgentOptions): Promise<OpenedAgent> {
  return openAgent({ ...givenSettings(options, agentSettings.shape), agent });
}

/** A client in the place of a model: the settings of its agent, and where it connects. */
export interface ServedAgentOptions extends AllowHostOption {
  readonly port: number;
}

/** Errors: `usage` for options that do not apply to a client of the Model Context Protocol. */
export function checkServedAgent(
  { agents, attempts, maxTokens, maxCost }: StudyFile,
  tasks: number,
): AgentSettings {
  const [settings] = agents;
  const episodes = tasks * agents.length * attempts;
  if (episodes !== 1 || !settings)
    throw new PwpError('usage', `--serve is for one episode, and these are ${episodes}`, {
      help: 'Give one task and one agent, and no --attempts.',
    });
  if (maxTokens !== undefined || maxCost !== undefined)
    throw new PwpError(
      'usage',
      '--serve takes no --max-tokens and no --max-cost: the client asks its model itself',
      {
        help: 'Limit the steps with --max-steps.',
      },
    );
  if (!asksModel(settings.agent))
    throw new PwpError('usage', `--serve takes an agent that asks a model, not ${settings.agent}`);
  return settings;
}

/**
 * Waits for a client of the Model Context Protocol, which is the agent of one episode.
 * @param owned gets the server, and disposes it
 */
export async function waitForServedAgent(
  settings: AgentSettings,
  { port, allowHost: allowHosts }: ServedAgentOptions,
  owned: AsyncDisposableStack,
  signal: AbortSignal,
): Promise<OpenedAgent> {
  const opened = await openAgent(settings);
  const system = await readSystemPrompt(settings.agent);
  const token = process.env['PWP_TOKEN'];
  const seat = owned.use(
    await AgentServer.open({ system, finish: finishTool.name, port, token, allowHosts }),
  );
  process.stderr.write(`${clientConfig(seat.server)}\nwaiting for a client, which is the agent\n`);
  const client = await seat.taken(signal);
  process.stderr.write(`the agent is ${client.name}\n`);
  return { ...opened, model: client };
}

export interface PairedOptions extends AgentOptions, LimitOptions {
  readonly out: string;
  readonly video?: true;
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
  const opened = await openAgentFromOptions(name, options);
  const { model } = opened;
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
      playPairedEpisode({ node, task, signal, joined, onEvent, opened, chat, folder }, options),
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
  readonly opened: OpenedAgent;
  readonly chat: AgentChat;
  readonly folder: string;
}

async function playPairedEpisode(
  { node, task, signal, joined, onEvent, opened, chat, folder }: PairedEpisode,
  options: PairedOptions,
): Promise<EpisodeResult> {
  const say = options.json ? undefined : narrateEpisode(process.stdout);
  return runEpisode({
    ...{ node, task, folder, chat, signal, writeReport, join: joined },
    ...givenSettings(options, limitSettings.shape),
    agent: await chooseAgent(opened, task, { pairs: true }),
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
