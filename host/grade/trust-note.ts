import type { Task } from '../tasks/index.ts';

/**
 * Why what an agent left could have forged a pass of this task; undefined where its tests run none of it beside them.
 * A task that does not say so itself is judged by the text of its tests.
 */
export async function trustNote({
  id,
  config,
  agentCodeUses,
}: Pick<Task, 'id' | 'config' | 'agentCodeUses'>): Promise<string | undefined> {
  const { agent_code: declared } = config.pwp;
  if (declared === 'beside')
    return `tests of ${id.split('/', 1)[0] ?? id} run the agent's code beside them, which can forge a pass`;
  const [first, ...others] = declared === undefined ? await agentCodeUses() : [];
  if (first === undefined) return undefined;
  const more = others.length > 0 ? `, and ${others.length} more` : '';
  return `the tests seem to run the agent's code beside them, which could forge a pass (${first}${more})`;
}
