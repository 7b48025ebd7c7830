import { PwpError } from '../../../bridge/lib/index.ts';
import type { Task } from '../../tasks/index.ts';
import { hasModelKey, type Model, openModel, openModelWithoutProbe } from '../models/index.ts';
import type { Agent } from './agent.ts';
import { ExecAgent, requireCommand } from './exec-agent.ts';
import {
  agentKinds,
  agentNames,
  type AgentSettings,
  asksModel,
  isCommandAgent,
  ModelAgent,
  nameAgent,
  playsSolution,
  readAgentCommand,
  readSystemPrompt,
  readTaskPictures,
  readToolSet,
} from './model/index.ts';
import { nullAgent, scriptAgent } from './scripted-agent.ts';

/** An agent as it is opened: its settings, with the model itself in place of the model's name. */
export interface OpenedAgent extends Omit<AgentSettings, 'name' | 'model'> {
  /** The name in tables and folders. */
  readonly name: string;
  readonly model?: Model | undefined;
}

export interface OpenAgentOptions {
  /**
   * Called with a model without a key. Its existence is then not checked, and it can take no turn. Default: an error.
   */
  readonly onUnasked?: (model: string) => void;
}

/**
 * Opens an agent with its model, whose name and key are checked at once, before any sandbox starts. The model serves all
 * episodes, and is disposed by the caller. Errors: `usage`; those of {@link openModel} and of `Model.check`.
 */
export async function openAgent(
  settings: AgentSettings,
  options: OpenAgentOptions = {},
): Promise<OpenedAgent> {
  const { agent, model } = settings;
  const name = nameAgent(settings);
  if (model === undefined) return { ...settings, name, model };
  if (!asksModel(agent))
    throw new PwpError('usage', `the agent ${agent} does not ask a model`, { help: 'Leave out the model.' });
  return { ...settings, name, model: await openCheckedModel(model, settings, options) };
}

async function openCheckedModel(
  name: string,
  { modelSeed: seed, answerTimeout, ...settings }: AgentSettings,
  { onUnasked }: OpenAgentOptions,
): Promise<Model> {
  const retry = answerTimeout === undefined ? undefined : { tryMs: Math.ceil(answerTimeout * 1000) };
  const given = { ...settings, seed, retry };
  if (onUnasked && !hasModelKey(name)) {
    onUnasked(name);
    return await openModelWithoutProbe(name, given);
  }
  const model = await openModel(name, given);
  try {
    await model.check();
    return model;
  } catch (error) {
    await model[Symbol.asyncDispose]();
    throw error;
  }
}

export interface ChooseAgentOptions {
  /** People talk with it, which its model's prompt explains. Default false. */
  readonly pairs?: boolean;
}

/**
 * An agent for one episode of one task. `oracle` plays the task's shell solution, or its tool calls without one,
 * `oracle-gui` its xdotool lines; `exec:<command>` asks a command. Errors: `no-solution`, `command-missing`; `usage` for a
 * name that is not an agent, or an agent that needs a model and was given none.
 */
export async function chooseAgent(
  opened: Omit<OpenedAgent, 'name'>,
  task: Task,
  { pairs = false }: ChooseAgentOptions = {},
): Promise<Agent> {
  const { agent: name, model, tools, textOnly = false } = opened;
  if (playsSolution(name)) return makeSolutionAgent(name, task);
  if (isCommandAgent(name)) return makeExecAgent(opened, task);
  const kind = agentKinds.find((one) => one.name === name);
  if (!kind)
    throw new PwpError('usage', `there is no agent ${JSON.stringify(name)}`, {
      help: `One of ${agentNames.join(', ')}, or a command, as in exec:./mine`,
    });
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
  return new ModelAgent({ ...opened, kind, model, system, tools: set, pictures });
}

async function makeExecAgent(opened: Omit<OpenedAgent, 'name'>, task: Task): Promise<Agent> {
  const command = readAgentCommand(opened.agent);
  await requireCommand(command);
  const tools = await readToolSet(opened.tools ?? task.config.pwp.tools ?? 'all');
  return new ExecAgent({ ...opened, command, task: task.id, tools });
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
