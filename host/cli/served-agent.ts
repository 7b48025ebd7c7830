import { PwpError } from '../../bridge/lib/index.ts';
import { asksModel, finishTool, openAgent, promptOf, type AgentChoice } from '../agents/index.ts';
import { AgentSeat } from '../serve/index.ts';
import type { ModelOptions } from './model-options.ts';
import type { AllowHostOption } from './options.ts';
import { clientConfig } from './serving.ts';

export interface ServedAgentOptions extends ModelOptions, AllowHostOption {
  readonly agent: string;
  readonly model?: string | undefined;
  readonly maxTokens?: number | undefined;
  readonly maxCost?: number | undefined;
  readonly port: number;
}

/** Errors: `usage` for options that do not apply to a client of the Model Context Protocol. */
export function checkServed(
  { agent, model, maxTokens, maxCost }: ServedAgentOptions,
  episodes: number,
): void {
  if (model !== undefined)
    throw new PwpError('usage', '--serve takes no --model: the client is in its place');
  if (maxTokens !== undefined || maxCost !== undefined)
    throw new PwpError(
      'usage',
      '--serve takes no --max-tokens and no --max-cost: the client asks its model itself',
      {
        help: 'Limit the steps with --max-steps.',
      },
    );
  if (!asksModel(agent))
    throw new PwpError('usage', `--serve takes an agent that asks a model, not ${agent}`);
  if (episodes !== 1)
    throw new PwpError('usage', `--serve is for one episode, and these are ${episodes}`, {
      help: 'Give one task, and no --attempts.',
    });
}

/**
 * Waits for a client of the Model Context Protocol, which is the agent of one episode.
 * @param owned gets the server, and disposes it
 */
export async function servedAgent(
  options: ServedAgentOptions,
  owned: AsyncDisposableStack,
  signal: AbortSignal,
): Promise<AgentChoice> {
  const { agent, port, allowHost: allowHosts } = options;
  const choice = await openAgent({ ...options, agent, model: undefined });
  const system = await promptOf(agent);
  const token = process.env['PWP_TOKEN'];
  const seat = owned.use(await AgentSeat.open({ system, finish: finishTool.name, port, token, allowHosts }));
  process.stderr.write(`${clientConfig(seat.server)}\nwaiting for a client, which is the agent\n`);
  const client = await seat.taken(signal);
  process.stderr.write(`the agent is ${client.name}\n`);
  return { ...choice, model: client };
}
