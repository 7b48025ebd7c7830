import { InvalidArgumentError, Option, type Command } from 'commander';
import {
  asksModel,
  observationParts,
  toolSetNames,
  type AgentChoice,
  type ObservationPart,
} from '../agents/index.ts';
import { PwpError } from '../../bridge/lib/index.ts';
import { openModel, vendors, type Model } from '../models/index.ts';
import { count } from './options.ts';

/** Options of commands that run agents which ask a model. */
export interface ModelOptions {
  readonly model?: string;
  readonly tools?: string;
  readonly observe?: ObservationPart[];
  readonly view?: { readonly width: number; readonly height: number };
  readonly textOnly?: true;
  readonly temperature?: number;
  readonly modelSeed?: number;
  readonly thinking?: string;
  readonly maxOutput?: number;
  readonly computerTool?: string;
  readonly baseUrl?: string;
  readonly maxPictures?: number;
  readonly maxContext?: number;
}

export function addModelOptions(command: Command): Command {
  return command
    .option(
      '-m, --model <name>',
      `the model that the agent asks, e.g. claude-sonnet-5, chat:qwen3-vl, scripted:turns.jsonl; vendors: ${vendors.join(', ')}. Its key comes from the environment`,
    )
    .option('--tools <set>', `tools in place of the agent's own: ${toolSetNames.join(', ')}, or a JSON file`)
    .addOption(
      new Option(
        '--observe <parts...>',
        'what the model is shown of the IDE, in place of what suits it',
      ).choices(observationParts),
    )
    .option('--view <size>', 'size of its pictures, at most; default: 1280x720', viewSize)
    .option('--text-only', 'show no pictures of the task to the agent bash')
    .option('--temperature <n>', 'of the model, if it takes one', number)
    .option('--model-seed <n>', 'of the model, if it takes one', number)
    .option('--thinking <level>', "how hard it thinks: low, medium, high, … in the vendor's words, or tokens")
    .option('--max-output <tokens>', 'of one turn; default: 16384', count)
    .option('--computer-tool <type>', "the vendor's computer tool, e.g. computer_20251124, or none")
    .option('--base-url <url>', 'another server that speaks the same protocol')
    .option('--max-pictures <n>', 'pictures kept in a conversation; default: 20', count)
    .option('--max-context <tokens>', 'size of a conversation; default: 150000', count);
}

/** What makes an agent, without the task. Its model is for all episodes, and disposed by the caller. Errors: `usage`. */
export async function agentChoice(name: string, options: ModelOptions): Promise<AgentChoice> {
  if (!asksModel(name)) {
    if (options.model === undefined) return { name };
    throw new PwpError('usage', `the agent ${name} asks no model`, { help: 'Leave out --model.' });
  }
  const { tools, observe: parts, view, textOnly, maxPictures: pictures, maxContext: tokens } = options;
  return {
    name,
    model: options.model === undefined ? undefined : await opened(options.model, options),
    tools,
    parts,
    view: view && { within: view },
    textOnly,
    window: { ...(pictures !== undefined && { pictures }), ...(tokens !== undefined && { tokens }) },
  };
}

/** Its name and key are tried at once, before any sandbox starts. */
async function opened(name: string, options: ModelOptions): Promise<Model> {
  const { temperature, modelSeed: seed, thinking, maxOutput, computerTool, baseUrl } = options;
  const budget = thinking !== undefined && /^\d+$/.test(thinking) ? Number(thinking) : thinking;
  const model = await openModel(name, {
    ...{ temperature, seed, maxOutput, computerTool, baseUrl },
    thinking: budget,
  });
  try {
    await model.check();
    return model;
  } catch (error) {
    await model[Symbol.asyncDispose]();
    throw error;
  }
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
