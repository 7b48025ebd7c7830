import { randomInt } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { deadline, describeError, pause } from '../bridge/lib/index.ts';
import { createDockerNode, createLocalNode, type Node } from '../host/node/index.ts';
import { chooseAgent, finishRecord, recordFiles, runEpisode } from '../host/run/index.ts';
import { loadTask } from '../host/tasks/index.ts';
import { killContainers } from './kills/container.ts';
import { isBad, type Outcome, tableOf } from './kills/outcome.ts';
import { type PartName, partNames, pidsOf } from './kills/processes.ts';

const usualCount = 20;
/** By files, settings, keybindings, the debugger, and refactoring; all with a solution in shell or tools and one in xdotool. */
const tasks = [
  'vscode/swap-text-test',
  'vscode/autosave-delay-1000',
  'vscode/tree-find-key',
  'vscode/conditional-breakpoint',
  'general-swe/rename-class',
];
const agents = ['oracle', 'oracle-gui'] as const;
type AgentName = (typeof agents)[number];
/** Something is killed at most this long after the reset; milliseconds. */
const latestKillMs = 8000;
/** An episode that has not ended by then hangs; milliseconds. */
const patienceMs = 300_000;

/** Targets that are killed from within the program that runs the episode. */
type Target = PartName | 'node container';

interface Plan {
  readonly task: string;
  readonly agent: AgentName;
  /** A part of the sandbox, the container of its node, or the program that runs the episode. */
  readonly target: Target | 'host';
  readonly afterMs: number;
}

/** Runs episodes of agents that know the solution, kills one random part in each, and reports the scores. */
export async function kills(
  signal: AbortSignal,
  count = usualCount,
  kind: 'local' | 'docker' = 'local',
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'pwp-kills-'));
  const outcomes: Outcome[] = [];
  try {
    await using node = kind === 'docker' ? await createDockerNode() : await createLocalNode({ signal });
    for (let i = 0; i < count; i++) {
      signal.throwIfAborted();
      const plan = draw(kind);
      const { target } = plan;
      const given = { ...plan, node, kind, folder: join(folder, String(i)), signal };
      const outcome = await (target === 'host' ? killHost(given) : killInside({ ...given, target }));
      outcomes.push(outcome);
      const line = `${i + 1}. ${plan.task} ${plan.agent}, ${outcome.killed} after ${plan.afterMs} ms`;
      const trust = outcome.trustworthy === false ? ' suspect' : '';
      console.log(`${line}: ${outcome.reward ?? 'no score'}${trust} ${outcome.detail}`);
    }
  } finally {
    if (!outcomes.some(isBad)) await rm(folder, { recursive: true, force: true });
  }
  console.log(`\n${kind}\n${tableOf(outcomes)}`);
  const bad = outcomes.filter(isBad).length;
  if (bad > 0) throw new Error(`${bad} of ${count} are wrong and not marked, or hang; records in ${folder}`);
}

function draw(kind: 'local' | 'docker'): Plan {
  const one = <T>(from: readonly T[]): T => from[randomInt(from.length)] as T;
  const container = kind === 'docker' ? (['node container'] as const) : [];
  return {
    task: one(tasks),
    agent: one(agents),
    target: one([...partNames, ...container, 'host'] as const),
    afterMs: randomInt(latestKillMs),
  };
}

interface Run extends Plan {
  readonly node: Node;
  readonly kind: 'local' | 'docker';
  readonly folder: string;
  readonly signal: AbortSignal;
}

async function killInside({
  task: id,
  agent: name,
  target,
  afterMs,
  node,
  folder,
  signal,
}: Run & { readonly target: Target }): Promise<Outcome> {
  const task = await loadTask(join('tasks', id));
  using limit = deadline('the episode', patienceMs, signal);
  let killing: Promise<string> | undefined;
  const over = new AbortController();
  const result = await runEpisode({
    node,
    task,
    agent: await chooseAgent({ agent: name }, task),
    folder,
    signal: limit.signal,
    onEvent: (event) => {
      if (event.kind === 'reset') killing = killLater(event.info.sandbox, target, afterMs, over.signal);
    },
  });
  over.abort();
  const killed = (await killing) ?? 'nothing';
  const { reward, rewardTrustworthy: trustworthy, doubts, error } = result;
  const detail = doubts.join('; ') || error?.split('\n')[0] || '';
  return { killed, reward, trustworthy, hung: limit.signal.aborted, detail };
}

async function killLater(sandbox: string, target: Target, ms: number, signal: AbortSignal): Promise<string> {
  try {
    await pause(ms, signal);
  } catch {
    return 'nothing';
  }
  const killed = target === 'node container' ? await killContainers() : await killPart(sandbox, target);
  return killed > 0 ? target : 'nothing';
}

async function killPart(sandbox: string, part: PartName): Promise<number> {
  const pids = await pidsOf(sandbox, part);
  for (const pid of pids) kill(pid);
  return pids.length;
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** The whole program that runs the episode is killed: its record must not look like a result. */
async function killHost({ task, agent, afterMs, kind, folder, signal }: Run): Promise<Outcome> {
  const args = ['run', '-t', join('tasks', task), '-a', agent, '--out', folder, '--json', '--node', kind];
  const child = execa(process.execPath, ['dist/pwp.js', ...args], { reject: false, cancelSignal: signal });
  await pause(2000 + 2 * afterMs, signal);
  const running = child.exitCode === null;
  child.kill('SIGKILL');
  await child;
  // If it was killed before it had begun, there is no folder.
  await mkdir(folder, { recursive: true });
  const paths = await readdir(folder, { recursive: true });
  const records = paths.filter((path) => path.endsWith(recordFiles.events));
  const [record] = records;
  if (record === undefined) return outcomeOfHost(running, null, null, 'no record yet');
  try {
    const { reward, rewardTrustworthy } = await finishRecord(join(folder, record, '..'));
    return outcomeOfHost(running, reward, rewardTrustworthy, '');
  } catch (error) {
    return outcomeOfHost(running, null, null, describeError(error));
  }
}

function outcomeOfHost(
  running: boolean,
  reward: number | null,
  trustworthy: boolean | null,
  detail: string,
): Outcome {
  return { killed: running ? 'host' : 'nothing', reward, trustworthy, hung: false, detail };
}
