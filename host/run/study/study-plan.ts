import { PwpError } from '../../../bridge/lib/index.ts';
import type { Task } from '../../tasks/index.ts';
import {
  type AgentSettings,
  chooseAgent,
  nameAgent,
  openAgent,
  type OpenAgentOptions,
  type OpenedAgent,
} from '../agents/index.ts';

/** The agents of a study with their models, which are disposed with the result. */
export interface OpenedAgents extends AsyncDisposable {
  readonly agents: readonly OpenedAgent[];
}

/** Checks each model's name and key. Errors: `usage` if two agents have the same name; those of {@link openAgent}. */
export async function openAgents(
  agents: readonly AgentSettings[],
  options: OpenAgentOptions = {},
): Promise<OpenedAgents> {
  assertDistinctAgents(agents.map(nameAgent));
  await using opening = new AsyncDisposableStack();
  const opened: OpenedAgent[] = [];
  for (const agent of agents) {
    const one = await openAgent(agent, options);
    if (one.model) opening.use(one.model);
    opened.push(one);
  }
  const models = opening.move();
  return { agents: opened, [Symbol.asyncDispose]: () => models.disposeAsync() };
}

function assertDistinctAgents(names: readonly string[]): void {
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice === undefined) return;
  throw new PwpError('usage', `two agents of the study have the name ${JSON.stringify(twice)}`, {
    help: 'Give each its own name, e.g. name = "without-marks".',
  });
}

/**
 * Makes each agent for each task once, as a check, except for tasks whose variant is not made yet. Errors: `usage`,
 * `no-solution`: those of {@link chooseAgent}.
 */
export async function assertPlayable(tasks: readonly Task[], agents: readonly OpenedAgent[]): Promise<void> {
  for (const agent of agents) {
    for (const task of tasks) if (!task.make) await chooseAgent(agent, task);
  }
}

/** One attempt of one agent at one task. */
export interface PlannedAttempt {
  readonly task: Task;
  readonly agent: OpenedAgent;
  /** From 1 to k. */
  readonly number: number;
  /** Below the study's folder, e.g. `attempts/vscode-autosave-500/oracle/2`. Unique in the study. */
  readonly folder: string;
}

/**
 * All attempts of a study, in order: the first of each agent at each task, then the second, so that a stopped study has
 * tried everything equally often.
 */
export function planAttempts(
  tasks: readonly Task[],
  agents: readonly OpenedAgent[],
  attempts: number,
): PlannedAttempt[] {
  const taskNames = makeDistinctNames(tasks.map(({ id }) => id));
  const agentNames = makeDistinctNames(agents.map(({ name }) => name));
  const numbers = Array.from({ length: attempts }, (_, index) => index + 1);
  return numbers.flatMap((number) =>
    tasks.flatMap((task, i) =>
      agents.map((agent, j) => ({
        ...{ task, agent, number },
        folder: `attempts/${taskNames[i]}/${agentNames[j]}/${number}`,
      })),
    ),
  );
}

/** Names of folders: letters that every file system takes, and a number if two would be the same. */
export function makeDistinctNames(names: readonly string[]): string[] {
  const plain = names.map((name) =>
    name
      .replaceAll(/[^A-Za-z0-9.-]+/g, '-')
      .replaceAll(/^[.-]+|-+$/g, '')
      .slice(-100),
  );
  const times = new Map<string, number>();
  return plain.map((name) => {
    const before = times.get(name.toLowerCase()) ?? 0;
    times.set(name.toLowerCase(), before + 1);
    return before === 0 && name !== '' ? name : `${name || 'agent'}~${before + 1}`;
  });
}
