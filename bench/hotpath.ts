import { join } from 'node:path';
import { dom } from '../bridge/protocol/index.ts';
import { callTool, parseAction, Session } from '../host/ide/index.ts';
import { runFolder } from '../host/lib/index.ts';
import {
  createLocalNode,
  defaultDisplay,
  defaultLimits,
  type Node,
  type Sandbox,
} from '../host/node/index.ts';
import { SeedDesign, seedWaitMs } from './lib/seed.ts';
import { measure, summarise } from './lib/stats.ts';
import { renderTable, type Row } from './lib/table.ts';
import { inputOf } from './lib/xdotool.ts';

/** Keys that open, move in, and close parts of the workbench: each changes the screen. */
const keys = ['ctrl+shift+e', 'Down', 'ctrl+p', 'Escape', 'ctrl+b', 'ctrl+b', 'F1', 'Escape'] as const;
const rounds = { starts: 3, single: 200, loop: 60, seedSingle: 12, seedLoop: 8 } as const;

/** The parts of a step and the whole step, beside the seed design on the same screen in the same run. */
export async function hotpath(signal: AbortSignal): Promise<void> {
  await using node = await createLocalNode({ signal });
  const starts: number[] = [];
  let sandbox = await start(node, starts, signal);
  for (let i = 1; i < rounds.starts; i += 1) {
    await sandbox.stop();
    sandbox = await start(node, starts, signal);
  }
  await using running = sandbox;
  using seed = new SeedDesign(join(runFolder, running.id, 'desk', 'X1'));
  const rows: Row[] = [
    { what: 'sandbox: start to ready', own: summarise(starts) },
    await act(running, seed, signal),
    await screenshot(running, seed, signal),
    {
      what: 'marks',
      own: summarise(await measure(rounds.single, () => running.call(dom.observe, {}, { signal }))),
    },
    ...(await tools(running, signal)),
    ...(await loop(running, seed, signal)),
  ];
  process.stdout.write(`${renderTable(rows)}\n`);
}

async function start(node: Node, times: number[], signal: AbortSignal): Promise<Sandbox> {
  const begin = performance.now();
  const sandbox = await node.start(
    { name: 'bench', role: 'ide', seeds: [], keep: false, display: defaultDisplay, limits: defaultLimits },
    { signal },
  );
  try {
    await sandbox.ready({ signal });
  } catch (error) {
    await sandbox.stop();
    throw error;
  }
  times.push(performance.now() - begin);
  return sandbox;
}

function keyOf(round: number): string {
  return `key ${keys[(round + keys.length) % keys.length] ?? 'Escape'}`;
}

async function act(sandbox: Sandbox, seed: SeedDesign, signal: AbortSignal): Promise<Row> {
  const play = (round: number) => sandbox.input(inputOf(`xdotool ${keyOf(round)}`), { signal });
  const own = summarise(await measure(rounds.single, play));
  return {
    what: 'act: one key',
    own,
    seed: summarise(await measure(rounds.seedSingle, (i) => seed.act(keyOf(i)))),
  };
}

/** Pictures of a changed screen: an unchanged one costs us next to nothing, but the seed design as much as any. */
async function screenshot(sandbox: Sandbox, seed: SeedDesign, signal: AbortSignal): Promise<Row> {
  const times: number[] = [];
  for (let i = 0; i < rounds.single; i += 1) {
    await sandbox.input(inputOf(`xdotool mousemove ${100 + i * 7} ${200 + i * 5}`), { signal });
    const begin = performance.now();
    await sandbox.capture({ signal });
    times.push(performance.now() - begin);
  }
  const other = summarise(await measure(rounds.seedSingle, () => seed.screenshot()));
  return { what: 'screenshot', own: summarise(times), seed: other };
}

/** Round trips of tools that only read: one on files, one that asks the IDE. */
async function tools(sandbox: Sandbox, signal: AbortSignal): Promise<Row[]> {
  const calls = [
    { name: 'list_dir', arguments: {} },
    { name: 'get_settings', arguments: { keys: ['editor.fontSize'] } },
  ];
  const rows: Row[] = [];
  for (const call of calls) {
    const times = await measure(rounds.single, () => callTool(sandbox, call, { signal }));
    rows.push({ what: `tool: ${call.name}`, own: summarise(times) });
  }
  return rows;
}

/** The whole loop and its wait: key, settle, screenshot and marks; against key, 2 s, screenshot. */
async function loop(sandbox: Sandbox, seed: SeedDesign, signal: AbortSignal): Promise<Row[]> {
  using session = new Session(sandbox);
  const waits: number[] = [];
  const own = await measure(rounds.loop, async (round) => {
    const { info } = await session.step([parseAction(`xdotool ${keyOf(round)}`)], { signal });
    waits.push(info.settled.ms);
  });
  const other = await measure(rounds.seedLoop, async (round) => {
    await seed.act(keyOf(round));
    await seed.wait();
    await seed.screenshot();
  });
  return [
    { what: 'settle', own: summarise(waits.slice(1)), seed: summarise([seedWaitMs]) },
    { what: 'whole step', own: summarise(own), seed: summarise(other) },
  ];
}
