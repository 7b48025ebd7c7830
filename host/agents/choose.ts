import { PwpError } from '../../bridge/lib/index.ts';
import type { Task } from '../tasks/index.ts';
import type { Agent } from './agent.ts';
import { nullAgent, scriptAgent } from './script.ts';

/** Names that `--agent` takes. */
export const agentNames = ['null', 'oracle', 'oracle-gui'] as const;
export type AgentName = (typeof agentNames)[number];

/**
 * An agent by name, for one episode of one task. `oracle` plays the task's shell solution, or its tool calls where it has none, `oracle-gui` its xdotool
 * lines. Errors: `no-solution`.
 */
export async function chooseAgent(name: AgentName, task: Task): Promise<Agent> {
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
