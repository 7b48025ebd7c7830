import { PwpError } from '../../../bridge/lib/index.ts';
import type { ViewOptions } from '../../node/index.ts';
import type { Task } from '../../tasks/index.ts';
import { hasModelKey, type Model, openModel, openModelWithoutProbe } from '../models/index.ts';
import type { Agent } from './agent.ts';
import { ExecAgent, requireCommand } from './exec-agent.ts';
import {
  agentKinds,
  ModelAgent,
  type ObservationPart,
  readSystemPrompt,
  readTaskPictures,
  readToolSet,
  type WindowLimits,
} from './model/index.ts';
import { nullAgent, scriptAgent } from './scripted-agent.ts';

/** An agent and its model, as a command line or a study writes them. */
export interface AgentSettings {
  readonly agent: string;
  readonly model?: string | undefined;
  readonly tools?: string | undefined;
  readonly observe?: readonly ObservationPart[] | undefined;
  readonly view?: { readonly width: number; readonly height: number } | undefined;
  readonly textOnly?: boolean | undefined;
  readonly temperature?: number | undefined;
  readonly modelSeed?: number | undefined;
  /** A level in the vendor's words, or a number of tokens. */
  readonly thinking?: string | number | undefined;
  readonly maxOutput?: number | undefined;
  readonly computerTool?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly maxPictures?: number | undefined;
  readonly maxContext?: number | undefined;
  /** Ask the model for its answers piece by piece. Default true. */
  readonly stream?: boolean | undefined;
  /** The time limit for one answer of a command, or one try of a model, in seconds. */
  readonly answerTimeout?: number | undefined;
}

export interface OpenAgentOptions {
  /**
   * Called with a model without a key. Its existence is then not checked, and it can take no turn. Default: an error.
   */
  readonly onUnasked?: (model: string) => void;
}

/**
 * Everything that makes an agent, except the task. Its model's name and key are checked at once, before any sandbox
 * starts. The model serves all episodes, and is disposed by the caller. Errors: `usage`; those of {@link openModel} and of
 * `Model.check`.
 */
export async function openAgent(
  settings: AgentSettings,
  options: OpenAgentOptions = {},
): Promise<AgentChoice> {
  const { agent: name, model, tools, observe: parts, view, textOnly, maxPictures, maxContext } = settings;
  if (!asksModel(name)) {
    if (model === undefined)
      return { name, tools, view: view && { within: view }, answerMs: readAnswerMs(settings) };
    throw new PwpError('usage', `the agent ${name} does not ask a model`, { help: 'Leave out the model.' });
  }
  return {
    name,
    model: model === undefined ? undefined : await openCheckedModel(model, settings, options),
    tools,
    parts,
    view: view && { within: view },
    textOnly,
    window: {
      ...(maxPictures !== undefined && { pictures: maxPictures }),
      ...(maxContext !== undefined && { tokens: maxContext }),
    },
  };
}

async function openCheckedModel(
  name: string,
  settings: AgentSettings,
  { onUnasked }: OpenAgentOptions,
): Promise<Model> {
  const { temperature, modelSeed: seed, thinking, maxOutput, computerTool, baseUrl, stream } = settings;
  const tryMs = readAnswerMs(settings);
  const retry = tryMs === undefined ? undefined : { tryMs };
  const set = { temperature, seed, thinking, maxOutput, computerTool, baseUrl, stream, retry };
  if (onUnasked && !hasModelKey(name)) {
    onUnasked(name);
    return await openModelWithoutProbe(name, set);
  }
  const model = await openModel(name, set);
  try {
    await model.check();
    return model;
  } catch (error) {
    await model[Symbol.asyncDispose]();
    throw error;
  }
}

function readAnswerMs({ answerTimeout }: AgentSettings): number | undefined {
  return answerTimeout === undefined ? undefined : Math.ceil(answerTimeout * 1000);
}

/** The prefix in the name of an agent that is a command. */
const execPrefix = 'exec:';
const solutionAgents = ['null', 'oracle', 'oracle-gui'];

/** Names of all agents: those that play a task's solutions, and those that ask a model. */
export const agentNames: readonly string[] = [...solutionAgents, ...agentKinds.map(({ name }) => name)];

/** Whether an agent of this name asks a model. */
export function asksModel(name: string): boolean {
  return agentKinds.some((kind) => kind.name === name);
}

/** Whether an agent of this name plays a task's solutions, and decides nothing. */
export function playsSolution(name: string): boolean {
  return solutionAgents.includes(name);
}

/** Whether an agent of this name is a command. */
export function isCommandAgent(name: string): boolean {
  return name.startsWith(execPrefix);
}

/**
 * An agent by its name, with its options. A command takes `tools`, `view` and `answerMs`, an agent that asks a model all
 * except `answerMs`.
 */
export interface AgentChoice {
  readonly name: string;
  readonly model?: Model | undefined;
  /** A set of tools in place of its own: a name, or the path of a file. */
  readonly tools?: string | undefined;
  /** The parts of an observation that it is shown. Default: by its kind and its model. */
  readonly parts?: readonly ObservationPart[] | undefined;
  /** How it sees the screen. Default: within 1280x720. */
  readonly view?: ViewOptions | undefined;
  readonly window?: Partial<WindowLimits> | undefined;
  /** Leave out the pictures of the task, which the agent `bash` is shown. Default false. */
  readonly textOnly?: boolean | undefined;
  /** The time limit for one answer of a command, in milliseconds. Default: ten minutes. */
  readonly answerMs?: number | undefined;
  /** People talk with it, which its model's prompt explains. Default false. */
  readonly pairs?: boolean | undefined;
}

/**
 * An agent for one episode of one task. `oracle` plays the task's shell solution, or its tool calls without one,
 * `oracle-gui` its xdotool lines; `exec:<command>` asks a command. Errors: `no-solution`, `command-missing`; `usage` for a
 * name that is not an agent, or an agent that needs a model and was given none.
 */
export async function chooseAgent(choice: AgentChoice, task: Task): Promise<Agent> {
  const { name } = choice;
  if (playsSolution(name)) return makeSolutionAgent(name, task);
  if (isCommandAgent(name)) return makeExecAgent(name.slice(execPrefix.length), choice, task);
  const kind = agentKinds.find((one) => one.name === name);
  if (!kind)
    throw new PwpError('usage', `there is no agent ${JSON.stringify(name)}`, {
      help: `One of ${agentNames.join(', ')}, or a command, as in exec:./mine`,
    });
  const { model, tools, textOnly = false, pairs = false, parts, view, window } = choice;
  if (!model)
    throw new PwpError('usage', `the agent ${name} needs a model`, {
      help: 'For example -m claude-opus-5, or -m scripted:turns.jsonl to play a file.',
    });
  const [prompts, set, pictures] = await Promise.all([
    Promise.all([name, ...(pairs ? ['pair'] : [])].map(readSystemPrompt)),
    readToolSet(tools ?? kind.tools),
    kind.computer || textOnly ? [] : readTaskPictures(task),
  ]);
  const system = prompts.join('\n\n');
  return new ModelAgent({ kind, model, system, tools: set, pictures, parts, view, window });
}

async function makeExecAgent(
  command: string,
  { tools, view, answerMs }: AgentChoice,
  task: Task,
): Promise<Agent> {
  await requireCommand(command);
  const set = await readToolSet(tools ?? task.config.pwp.tools ?? 'all');
  return new ExecAgent({ command, task: task.id, tools: set, view, answerMs });
}

async function makeSolutionAgent(name: string, task: Task): Promise<Agent> {
  if (name === 'null') return nullAgent();
  const kinds = name === 'oracle' ? ['shell', 'tools'] : ['xdotool'];
  const solution = (await task.solutions()).find(({ kind }) => kinds.includes(kind));
  if (!solution)
    throw new PwpError(
      'no-solution',
      `task ${task.id} has no ${kinds.join(' or ')} solution for agent ${name}`,
    );
  return scriptAgent(name, solution);
}

/** Maximum steps of an agent at a task, as in the paper on Programming with Pixels. */
export const defaultStepLimit = 20;
/** A solution ends by itself, and people end a session, so this only stops one that would go on for ever. */
export const highestStepLimit = 1000;

/**
 * The maximum number of steps of an episode.
 * @param agent its name
 * @param asked the requested number; default: {@link defaultStepLimit} for agents that decide for themselves
 */
export function chooseStepLimit(agent: string, asked?: number): number {
  return asked ?? (playsSolution(agent) ? highestStepLimit : defaultStepLimit);
}
