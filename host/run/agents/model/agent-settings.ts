import * as z from 'zod';
import { countSchema, readNumberOrWord, readSize, setting, sizeSchema } from '../../../lib/index.ts';
import { defaultMaxOutput, defaultTryMs, vendors } from '../../models/index.ts';
import { agentKinds, observationParts } from './agent-kinds.ts';
import { toolSetNames } from './agent-tools.ts';
import { defaultWindow } from './conversation-window.ts';

/** Every model takes a picture of this size unchanged. */
export const defaultModelView = { width: 1280, height: 720 } as const;

/** The time limit for one answer of a command, in seconds. */
export const defaultAnswerTimeout = 600;

const solutionAgents = ['null', 'oracle', 'oracle-gui'];

/** Names of all agents: those that play a task's solutions, and those that ask a model. */
export const agentNames: readonly string[] = [...solutionAgents, ...agentKinds.map(({ name }) => name)];

/** An agent and its model, as a command line, a study or a program writes them. */
export const agentSettings = z.strictObject({
  name: setting(z.string().min(1).max(80).optional(), { help: 'name in tables', default: 'agent and model' }),
  agent: setting(z.string().min(1).max(1000), {
    flag: '-a, --agent <name>',
    help: `the agent: ${agentNames.join(', ')}, or a command, as in exec:./mine`,
  }),
  model: setting(z.string().min(1).max(1000).optional(), {
    flag: '-m, --model <name>',
    help: `the model that the agent asks, e.g. claude-opus-5, chat:qwen3-vl, scripted:turns.jsonl; vendors: ${vendors.join(', ')}. Its key comes from the environment`,
  }),
  tools: setting(z.string().optional(), {
    flag: '--tools <set>',
    help: `tools in place of the agent's own: ${toolSetNames.join(', ')}, or a JSON file`,
  }),
  observe: setting(z.array(z.enum(observationParts)).min(1).readonly().optional(), {
    flag: '--observe <parts...>',
    help: 'parts of the IDE to show to the model',
    default: 'by agent and model',
  }),
  view: setting(sizeSchema.optional(), {
    flag: '--view <size>',
    help: 'maximum size of its pictures',
    unit: 'pixels',
    default: `${defaultModelView.width}x${defaultModelView.height}`,
    example: '1280x720',
    read: readSize,
  }),
  textOnly: setting(z.boolean().optional(), {
    flag: '--text-only',
    help: 'show no pictures of the task to the agent bash',
  }),
  temperature: setting(z.number().min(0).max(10).optional(), {
    flag: '--temperature <n>',
    help: 'sampling temperature, if the model takes one',
  }),
  modelSeed: setting(z.int().optional(), {
    flag: '--model-seed <n>',
    help: 'sampling seed, if the model takes one',
  }),
  thinking: setting(z.union([z.string(), z.int()]).optional(), {
    flag: '--thinking <level>',
    help: "reasoning effort: low, medium, high, … in the vendor's words, or tokens",
    read: readNumberOrWord,
  }),
  maxOutput: setting(countSchema.optional(), {
    flag: '--max-output <tokens>',
    help: 'maximum output of one turn',
    unit: 'tokens',
    default: defaultMaxOutput,
  }),
  computerTool: setting(z.string().optional(), {
    flag: '--computer-tool <type>',
    help: "the vendor's computer tool, e.g. computer_20251124, or none",
    default: 'by the name of the model',
  }),
  baseUrl: setting(z.url().optional(), {
    flag: '--base-url <url>',
    help: 'another server that speaks the same protocol',
    example: 'http://127.0.0.1:8000/v1',
  }),
  maxPictures: setting(countSchema.optional(), {
    flag: '--max-pictures <n>',
    help: 'maximum number of pictures in a conversation',
    default: defaultWindow.pictures,
  }),
  maxContext: setting(countSchema.optional(), {
    flag: '--max-context <tokens>',
    help: 'maximum size of a conversation',
    unit: 'tokens',
    default: defaultWindow.tokens,
  }),
  stream: setting(z.boolean().optional(), {
    flag: '--no-stream',
    help: 'request whole answers from the model, not streams (in a file: false)',
    default: 'streams',
  }),
  answerTimeout: setting(z.number().positive().max(86_400).optional(), {
    flag: '--answer-timeout <s>',
    help: 'time to wait for one answer',
    unit: 'seconds',
    default: `${defaultAnswerTimeout} for a command, ${defaultTryMs / 1000} for a model`,
  }),
});
export type AgentSettings = Readonly<z.output<typeof agentSettings>>;

/** The agents that take a setting: those that ask a model, also those that are a command, or all. */
const takers = {
  ...{ name: 'all', agent: 'all', model: 'models' },
  ...{ tools: 'commands', view: 'commands', answerTimeout: 'commands' },
  ...{ observe: 'models', textOnly: 'models', maxPictures: 'models', maxContext: 'models' },
  ...{ temperature: 'models', modelSeed: 'models', thinking: 'models', maxOutput: 'models' },
  ...{ computerTool: 'models', baseUrl: 'models', stream: 'models' },
} satisfies Record<keyof AgentSettings, 'all' | 'models' | 'commands'>;

/** The settings that an agent takes, of those that are given for several. */
export function keepAgentSettings(agent: string, given: Partial<AgentSettings>): Partial<AgentSettings> {
  if (asksModel(agent)) return given;
  const taken: readonly string[] = isCommandAgent(agent) ? ['all', 'commands'] : ['all'];
  const names = Object.keys(takers) as (keyof AgentSettings)[];
  const kept = names.filter((name) => name in given && taken.includes(takers[name]));
  return Object.fromEntries(kept.map((name) => [name, given[name]]));
}

/** Its own name, or agent and model, e.g. `assisted claude-sonnet-5`. */
export function nameAgent({ name, agent, model }: AgentSettings): string {
  return name ?? (model === undefined ? agent : `${agent} ${model}`);
}

/** Each agent that asks a model with each model, each other agent once. */
export function crossAgents(
  agents: readonly string[],
  models: readonly string[],
): Pick<AgentSettings, 'agent' | 'model'>[] {
  return agents.flatMap((agent) =>
    asksModel(agent) ? models.map((model) => ({ agent, model })) : [{ agent }],
  );
}

/** Whether an agent of this name asks a model. */
export function asksModel(name: string): boolean {
  return agentKinds.some((kind) => kind.name === name);
}

/** Whether an agent of this name plays a task's solutions, and decides nothing. */
export function playsSolution(name: string): boolean {
  return solutionAgents.includes(name);
}

/** The prefix in the name of an agent that is a command. */
const execPrefix = 'exec:';

/** Whether an agent of this name is a command. */
export function isCommandAgent(name: string): boolean {
  return name.startsWith(execPrefix);
}

/** The command of an agent that is one. */
export function readAgentCommand(name: string): string {
  return name.slice(execPrefix.length);
}
