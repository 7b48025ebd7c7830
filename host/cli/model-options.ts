import { InvalidArgumentError, Option, type Command } from 'commander';
import {
  observationParts,
  openAgent,
  toolSetNames,
  type AgentChoice,
  type ObservationPart,
} from '../agents/index.ts';
import { vendors } from '../models/index.ts';
import { count } from './options.ts';

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
    .option('--view <size>', 'maximum size of its pictures; default: 1280x720', viewSize)
    .option('--text-only', 'show no pictures of the task to the agent bash')
    .option('--temperature <n>', 'sampling temperature, if the model takes one', number)
    .option('--model-seed <n>', 'sampling seed, if the model takes one', number)
    .option(
      '--thinking <level>',
      "reasoning effort: low, medium, high, … in the vendor's words, or tokens",
      thinkingOf,
    )
    .option('--max-output <tokens>', 'maximum output of one turn; default: 16384', count)
    .option('--computer-tool <type>', "the vendor's computer tool, e.g. computer_20251124, or none")
    .option('--base-url <url>', 'another server that speaks the same protocol')
    .option('--max-pictures <n>', 'maximum number of pictures in a conversation; default: 20', count)
    .option('--max-context <tokens>', 'maximum size of a conversation; default: 150000', count)
    .option('--no-stream', 'request whole answers from the model, not streams')
    .option(
      '--answer-timeout <s>',
      'seconds to wait for one answer; default: 600 for a command, 1800 for a model',
      count,
    );
}

/** As {@link openAgent}, from a command line. */
export function agentChoice(
  agent: string,
  options: ModelOptions & { readonly model?: string },
): Promise<AgentChoice> {
  return openAgent({ ...options, agent });
}

/** A level, or a number of tokens. */
function thinkingOf(text: string): string | number {
  return /^\d+$/.test(text) ? Number(text) : text;
}

function number(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) throw new InvalidArgumentError('expected a number');
  return value;
}

function viewSize(text: string): { width: number; height: number } {
  const [, width, height] = /^(\d{3,4})x(\d{3,4})$/.exec(text) ?? [];
  if (width === undefined || height === undefined) throw new InvalidArgumentError('expected e.g. 1280x720');
  return { width: Number(width), height: Number(height) };
}
