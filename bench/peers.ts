import { join } from 'node:path';
import { describeError, pause } from '../bridge/lib/index.ts';
import { Session } from '../host/ide/index.ts';
import { packageFolder } from '../host/lib/index.ts';
import {
  type CheckpointInfo,
  createLocalNode,
  defaultLimits,
  type Node,
  type Sandbox,
} from '../host/node/index.ts';
import { byPlaywright } from './peers/by-playwright.ts';
import { byScreen } from './peers/by-screen.ts';
import { byTools } from './peers/by-tools.ts';
import { CountedClient } from './peers/counted-client.ts';
import { type Job, jobs, type Scripts } from './peers/jobs.ts';
import { installPlaywrightMcp, openPlaywright, playwrightMcp } from './peers/playwright.ts';
import { comparison, type Done } from './peers/table.ts';
import { jobSeed, makeRepository } from './peers/workspace.ts';

const display = { width: 1280, height: 800 };
/** A job counts as done if it is done within this many milliseconds after its last call; and the interval of checks. */
const graceMs = 3000;
const againMs = 200;

/** An MCP server on an IDE, and how its client does the jobs. */
interface Way {
  readonly name: string;
  readonly scripts: Scripts<CountedClient>;
  /** Connects to a sandbox; returns the milliseconds until it can be used. */
  open(sandbox: Sandbox): Promise<{ client: CountedClient; startMs: number }>;
}

/**
 * Twelve jobs of everyday work in the same VS Code, by our tools, by our screen, and by Playwright MCP: how many are done,
 * by files and VS Code's own state, and what they cost. Each round is on a fresh fork of one IDE.
 * @param rounds default 3
 */
export async function peers(signal: AbortSignal, rounds = 3): Promise<void> {
  const program = await installPlaywrightMcp(signal);
  const ways: readonly Way[] = [
    { name: 'pwp, tools', scripts: byTools, open: (sandbox) => openOwn(sandbox, []) },
    {
      name: 'pwp, screen',
      scripts: byScreen,
      open: (sandbox) => openOwn(sandbox, ['--families', 'computer']),
    },
    { name: playwrightMcp, scripts: byPlaywright, open: (sandbox) => openPlaywright(program, sandbox) },
  ];
  await using node = await createLocalNode({ signal });
  await using base = await node.start(
    { name: 'peers', role: 'ide', seeds: [await jobSeed()], keep: false, display, limits: defaultLimits },
    { signal },
  );
  await base.ready({ signal });
  await makeRepository(base, signal);
  using session = new Session(base);
  await session.settle({ signal });
  const from = await base.checkpoint({ signal });
  try {
    const done: Done[] = [];
    for (let round = 0; round < rounds; round += 1)
      for (const way of ways) done.push(await once(way, node, from, signal));
    console.log(
      comparison(
        jobs,
        ways.map(({ name }) => name),
        done,
      ),
    );
  } finally {
    await node.deleteCheckpoint(from.id);
  }
}

async function once(way: Way, node: Node, from: CheckpointInfo, signal: AbortSignal): Promise<Done> {
  await using sandbox = await node.fork(from.id, { name: 'peers', keep: false, signal });
  await sandbox.ready({ signal });
  const opened = await way.open(sandbox);
  await using client = opened.client;
  const listing = await client.listing();
  const of: Done['jobs'][number][] = [];
  for (const job of jobs) {
    const before = client.cost;
    const { done, why } = await doJob(job, way, client, sandbox, signal);
    const { calls, bytes, ms } = client.cost;
    of.push({
      name: job.name,
      done,
      cost: { calls: calls - before.calls, bytes: bytes - before.bytes, ms: ms - before.ms },
    });
    if (!done) console.log(`${way.name}: not done: ${job.task}: ${why.slice(0, 700)}`);
  }
  return { way: way.name, startMs: opened.startMs, listing, jobs: of };
}

async function doJob(
  job: Job,
  way: Way,
  client: CountedClient,
  sandbox: Sandbox,
  signal: AbortSignal,
): Promise<{ done: boolean; why: string }> {
  try {
    const said = await way.scripts[job.name](client);
    let { done, seen } = await job.check(sandbox, said, signal);
    // Pending work, such as writing a setting, may take a moment.
    const begin = performance.now();
    while (!done && performance.now() - begin < graceMs) {
      await pause(againMs, signal);
      ({ done, seen } = await job.check(sandbox, said, signal));
    }
    return { done, why: `${JSON.stringify(seen)} after ${said}` };
  } catch (error) {
    signal.throwIfAborted();
    return { done: false, why: describeError(error) };
  }
}

async function openOwn(
  { id }: Sandbox,
  options: readonly string[],
): Promise<{ client: CountedClient; startMs: number }> {
  const begin = performance.now();
  const command = [
    join(packageFolder(), 'dist/pwp.js'),
    'mcp',
    '--sandbox',
    id,
    '--node',
    'local',
    ...options,
  ];
  const client = await CountedClient.start(process.execPath, command);
  await using owned = new AsyncDisposableStack();
  owned.use(client);
  await client.call(options.length === 0 ? 'list_dir' : 'computer_cursor_position');
  owned.move();
  return { client, startMs: performance.now() - begin };
}
