import { join } from 'node:path';
import { type StepsOption } from './options.ts';
import {
  AgentChat,
  chooseAgent,
  runEpisode,
  type AgentChoice,
  type EpisodeEvent,
  type EpisodeResult,
  mostSteps,
} from '../agents/index.ts';
import { requirePrice } from '../models/index.ts';
import type { Node } from '../node/index.ts';
import type { Task } from '../tasks/index.ts';
import { agentChoice, type ModelOptions } from './model-options.ts';
import { narrate } from './narrate.ts';
import { writeReport } from '../report/index.ts';

export interface PairLimits {
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
export async function pairAgent(name: string, id: string, options: PairedOptions): Promise<PairedAgent> {
  const choice = await agentChoice(name, options);
  const { model } = choice;
  try {
    if (model && options.maxCost !== undefined) requirePrice(model);
  } catch (error) {
    await model?.[Symbol.asyncDispose]();
    throw error;
  }
  const chat = new AgentChat(name);
  const folder = recordFolder(options.out, id, name);
  return {
    chat,
    folder,
    work: (node, task, signal, joined, onEvent) =>
      play({ node, task, signal, joined, onEvent, choice, chat, folder }, options),
    async [Symbol.asyncDispose]() {
      await model?.[Symbol.asyncDispose]();
    },
  };
}

interface Play {
  readonly node: Node;
  readonly task: Task;
  readonly signal: AbortSignal;
  readonly joined: string | undefined;
  readonly onEvent: ((event: EpisodeEvent) => void) | undefined;
  readonly choice: AgentChoice;
  readonly chat: AgentChat;
  readonly folder: string;
}

async function play(
  { node, task, signal, joined, onEvent, choice, chat, folder }: Play,
  options: PairedOptions,
): Promise<EpisodeResult> {
  const say = options.json ? undefined : narrate(process.stdout);
  return runEpisode({
    ...{ node, task, folder, chat, signal, writeReport, join: joined },
    agent: await chooseAgent({ ...choice, pairs: true }, task),
    stepLimit: options.maxSteps ?? mostSteps,
    ...(options.maxTokens !== undefined && { tokenLimit: options.maxTokens }),
    ...(options.maxCost !== undefined && { costLimit: options.maxCost }),
    video: options.video ?? false,
    onEvent(event) {
      onEvent?.(event);
      say?.(event);
    },
  });
}

function recordFolder(out: string, id: string, agent: string): string {
  const name = `pair-${id}-${agent}`.replaceAll(/[^\w.-]+/g, '-');
  return join(out, new Date().toISOString().replaceAll(/[:.]/g, '-'), name);
}
