import { loadavg } from 'node:os';
import { deadline } from '../bridge/lib/index.ts';
import { parseAction, Session } from '../host/ide/index.ts';
import {
  createDockerNode,
  createLocalNode,
  defaultDisplay,
  defaultLimits,
  type Node,
  type Sandbox,
} from '../host/node/index.ts';
import { measure, summarise } from './lib/stats.ts';
import { renderComparison } from './lib/table.ts';

const rounds = 5;
/** For one sandbox to start on a busy machine, in milliseconds. */
const patienceMs = 120_000;

const kinds = { local: createLocalNode, docker: createDockerNode } as const;

/** Milliseconds of each round, by measurement. */
type Times = ReadonlyMap<string, readonly number[]>;

/** The same measurements on both kinds of node, one after the other: the cost of the container and the socket to it. */
export async function nodes(signal: AbortSignal): Promise<void> {
  console.log(
    `median of ${rounds}; load of the machine before: ${loadavg()
      .map((n) => n.toFixed(1))
      .join(' ')}`,
  );
  const local = await measureKind(() => kinds.local({ signal }), signal);
  const docker = await measureKind(() => kinds.docker(), signal);
  const rows = [...local].map(([what, times]) => ({
    what,
    first: summarise(times),
    second: summarise(docker.get(what) ?? []),
  }));
  console.log(renderComparison(['local', 'docker', 'docker / local'], rows, (a, b) => b / a));
}

async function measureKind(open: () => Promise<Node>, signal: AbortSignal): Promise<Times> {
  const first = await measureStarts(() => firstSandbox(open, signal));
  await using node = await open();
  await using holder = await start(node, 'bare', signal);
  const spec = { argv: ['true'], cwd: '/', env: {}, timeoutMs: 30_000, maxOutputBytes: 1000 };
  const bare = await measureStarts(() => start(node, 'bare', signal));
  const exec = await measure(rounds, () => holder.exec(spec, { signal }));
  const ides = await measureStarts(() => start(node, 'ide', signal));
  return new Map([
    ['node: start to its first bare sandbox', first],
    ['bare sandbox: start', bare],
    ['IDE: start to ready', ides],
    ['exec of true', exec],
    ...(await steps(node, signal)),
  ]);
}

/** Milliseconds of starts alone, after one that does not count: each ends before the next begins. */
async function measureStarts(begin: () => Promise<AsyncDisposable>): Promise<number[]> {
  const times: number[] = [];
  for (let round = -1; round < rounds; round += 1) {
    const from = performance.now();
    await using started = await begin();
    if (round >= 0) times.push(performance.now() - from);
    void started;
  }
  return times;
}

/** A node in Docker makes its container with the first sandbox, so that one is part of its start. */
async function firstSandbox(open: () => Promise<Node>, signal: AbortSignal): Promise<AsyncDisposable> {
  const node = await open();
  try {
    await start(node, 'bare', signal);
    return node;
  } catch (error) {
    await node[Symbol.asyncDispose]();
    throw error;
  }
}

/** A key that opens or closes the palette: act, settle, screenshot and marks. */
async function steps(node: Node, signal: AbortSignal): Promise<[string, number[]][]> {
  await using sandbox = await start(node, 'ide', signal);
  using session = new Session(sandbox);
  const waits: number[] = [];
  const whole = await measure(rounds, async (round) => {
    const key = round % 2 === 0 ? 'F1' : 'Escape';
    const { info } = await session.step([parseAction(`xdotool key ${key}`)], { signal });
    waits.push(info.settled.ms);
  });
  const work = whole.map((ms, round) => ms - (waits[round + 1] ?? 0));
  return [
    ['step: key, settle, screenshot, marks', whole],
    ['step without settling', work],
    ['screenshot', await measure(rounds, () => sandbox.capture({ signal }))],
  ];
}

async function start(node: Node, role: 'ide' | 'bare', signal: AbortSignal): Promise<Sandbox> {
  using limit = deadline('one of the sandboxes', patienceMs, signal);
  const spec = { name: 'bench', role, seeds: [], keep: false } as const;
  const sandbox = await node.start(
    { ...spec, display: defaultDisplay, limits: defaultLimits },
    { signal: limit.signal },
  );
  if (role === 'ide') await sandbox.ready({ signal: limit.signal });
  return sandbox;
}
