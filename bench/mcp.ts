import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { pause } from '../bridge/lib/index.ts';
import { agent } from '../bridge/protocol/index.ts';
import { ClientConnection } from '../host/doors/serve/mcp/client-connection.ts';
import { chooseServedTools } from '../host/doors/serve/mcp/served-tools.ts';
import { SharedIde } from '../host/doors/serve/mcp/shared-ide.ts';
import { callTool, stepReportsOf } from '../host/ide/index.ts';
import { createLocalNode, defaultLimits, type Sandbox } from '../host/node/index.ts';
import { starts } from './lib/mcp-starts.ts';
import { measure, summarise } from './lib/stats.ts';
import { type Pair, renderComparison } from './lib/table.ts';

const rounds = { calls: 20 } as const;
/** Minimum time for a model to read an answer and to decide, in milliseconds. */
const thinkMs = 1000;
/** For a start beside other load, in milliseconds. */
const longestMs = 180_000;

/**
 * Waiting times of an MCP client: from the start of the server to its first answer, and for each call with the view
 * *Agent* hidden, shown beside another open view, and open itself.
 */
export async function mcp(signal: AbortSignal): Promise<void> {
  await using node = await createLocalNode({ signal });
  console.log(await starts(node, signal));
  const display = { width: 1280, height: 800 };
  const spec = {
    name: 'bench',
    role: 'ide',
    seeds: [],
    keep: false,
    display,
    limits: defaultLimits,
  } as const;
  await using sandbox = await node.start(spec, { signal });
  await sandbox.ready({ signal });
  const hidden = await calls(sandbox, signal);
  await sandbox.call(agent.show, { shown: true }, { signal });
  compare('shown', hidden, await calls(sandbox, signal));
  await callTool(sandbox, { name: 'run_command', arguments: { command: 'pwp.steps.focus' } }, { signal });
  compare('open', hidden, await calls(sandbox, signal));
}

type Times = Readonly<Record<string, readonly number[]>>;

function compare(view: string, hidden: Times, times: Times): void {
  const pairs = Object.entries(hidden).map(([what, own]): Pair => ({
    what,
    first: summarise(own),
    second: summarise(times[what] ?? []),
  }));
  console.log(renderComparison(['hidden', view, 'slower'], pairs, (first, second) => second / first));
}

/** Rejects if the tool failed. */
async function call(client: Client, name: string, given: Record<string, unknown>): Promise<void> {
  const answer = await client.callTool({ name, arguments: given }, undefined, { timeout: longestMs });
  if (answer.isError) throw new Error(JSON.stringify(answer.content));
}

/** Milliseconds of calls of each kind. */
async function calls(sandbox: Sandbox, signal: AbortSignal): Promise<Times> {
  const [here, there] = InMemoryTransport.createLinkedPair();
  const server = await new ClientConnection(
    new SharedIde(Promise.resolve(sandbox)),
    chooseServedTools({}),
  ).connect(there);
  const client = new Client({ name: 'bench', version: '1' });
  await client.connect(here);
  const tool = () => call(client, 'list_dir', {});
  const step = () => call(client, 'computer_key', { keys: 'shift' });
  const idle = () => stepReportsOf(sandbox).idle(signal);
  try {
    return {
      'tool, one after another': await measure(rounds.calls, tool),
      'tool, until people see it': await measure(rounds.calls, async () => {
        await tool();
        await idle();
      }),
      'step, one after another': await measure(rounds.calls, step),
      'step, until people see it': await measure(rounds.calls, async () => {
        await step();
        await idle();
      }),
      'step, after a second of thinking': await thoughtful(step, signal),
    };
  } finally {
    await server.close();
  }
}

async function thoughtful(step: () => Promise<unknown>, signal: AbortSignal): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < rounds.calls; round += 1) {
    await pause(thinkMs, signal);
    const begin = performance.now();
    await step();
    times.push(performance.now() - begin);
  }
  return times;
}
