import { PwpError } from '../../bridge/lib/index.ts';
import type { Model } from '../models/index.ts';
import type { ViewOptions } from '../node/index.ts';
import type { Task } from '../tasks/index.ts';
import type { Agent } from './agent.ts';
import { ExecAgent, requireCommand } from './exec/index.ts';
import {
  ModelAgent,
  agentKinds,
  picturesOf,
  promptOf,
  readToolSet,
  type ObservationPart,
  type WindowLimits,
} from './model/index.ts';
import { nullAgent, scriptAgent } from './script.ts';

/** The prefix in the name of an agent that is a command. */
const execPrefix = 'exec:';
const scripted = ['null', 'oracle', 'oracle-gui'];

/** Names of all agents: those that play a task's solutions, and those that ask a model. */
export const agentNames: readonly string[] = [...scripted, ...agentKinds.map(({ name }) => name)];

/** Whether an agent of this name asks a model. */
export function asksModel(name: string): boolean {
  return agentKinds.some((kind) => kind.name === name);
}

/** Whether an agent of this name plays a task's solutions, and decides nothing. */
export function playsSolution(name: string): boolean {
  return scripted.includes(name);
}

/** Whether an agent of this name is a command. */
export function isCommand(name: string): boolean {
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
  if (playsSolution(name)) return playing(name, task);
  if (isCommand(name)) return running(name.slice(execPrefix.length), choice, task);
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
    Promise.all([name, ...(pairs ? ['pair'] : [])].map(promptOf)),
    readToolSet(tools ?? kind.tools),
    kind.computer || textOnly ? [] : picturesOf(task),
  ]);
  const system = prompts.join('\n\n');
  return new ModelAgent({ kind, model, system, tools: set, pictures, parts, view, window });
}

async function running(command: string, { tools, view, answerMs }: AgentChoice, task: Task): Promise<Agent> {
  await requireCommand(command);
  const set = await readToolSet(tools ?? task.config.pwp.tools ?? 'all');
  return new ExecAgent({ command, task: task.id, tools: set, view, answerMs });
}

async function playing(name: string, task: Task): Promise<Agent> {
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
