import type { Task } from '../tasks/index.ts';
import type { OpenedAgent } from './agents.ts';

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
  const taskNames = distinctNames(tasks.map(({ id }) => id));
  const agentNames = distinctNames(agents.map(({ name }) => name));
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
export function distinctNames(names: readonly string[]): string[] {
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
