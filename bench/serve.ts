import { episodeRoutes, EpisodeTable, openServer } from '../host/doors/serve/index.ts';
import { createLocalNode, type Node } from '../host/node/index.ts';
import { Environment } from '../host/run/index.ts';
import { loadTask, type Task } from '../host/tasks/index.ts';
import { ServedClient } from './lib/served-client.ts';
import { summarise } from './lib/stats.ts';
import { renderComparison } from './lib/table.ts';

/** Environments at once, if none are given: 1, 2 and so on up to this many. */
const usualMost = 4;
/** Episodes of each environment in each round, and steps of each episode. */
const episodes = 2;
const steps = 6;
const rounds = 2;
const key = 'xdotool key Escape';
const MiB = 1024 * 1024;

const phases = ['open', 'step', 'grade', 'close'] as const;
type Phase = (typeof phases)[number];

/** One way to play an episode. */
interface Way {
  readonly open: () => Promise<PlayedEpisode>;
}

interface PlayedEpisode {
  readonly step: () => Promise<unknown>;
  readonly grade: () => Promise<unknown>;
  readonly close: () => Promise<unknown>;
}

/** Milliseconds of each phase, and how long all of it took. */
interface Played {
  readonly times: Readonly<Record<Phase, number[]>>;
  readonly ms: number;
}

/**
 * Episodes through `pwp serve --task` over HTTP, and the same through the library in this process, by turns: episodes and
 * steps a minute by the number of environments at once, where the time goes, and the memory of each environment.
 * @param most environments at once
 */
export async function serve(signal: AbortSignal, most: number = usualMost): Promise<void> {
  await using node = await createLocalNode({ signal });
  const task = await loadTask('tasks/vscode/swap-text-test');
  const problems: string[] = [];
  await using table = new EpisodeTable({
    ...{ node, tasks: [task], capacity: most, idleMs: 600_000 },
    onProblem: (problem) => void problems.push(problem),
  });
  await using server = await openServer(episodeRoutes(table), 0);
  const ways = {
    served: overHttp(new ServedClient(server.origin, server.token, signal)),
    direct: inProcess(node, task, signal),
  };
  await play(ways.direct, 1);
  for (let width = 1; width <= most; width *= 2) {
    const served: Played[] = [];
    const direct: Played[] = [];
    for (let round = 0; round < rounds; round += 1) {
      served.push(await play(ways.served, width));
      direct.push(await play(ways.direct, width));
    }
    console.log(`${tableOf(width, served, direct)}\n${await memoryText(ways.direct, node, width)}\n`);
  }
  if (problems.length > 0) throw new Error(problems.join('; '));
}

function overHttp(client: ServedClient): Way {
  return {
    async open() {
      const id = await client.open();
      return {
        step: () => client.call(id, 'step', { picture: 'none', actions: [key] }),
        grade: () => client.call(id, 'grade'),
        close: () => client.close(id),
      };
    },
  };
}

function inProcess(node: Node, task: Task, signal: AbortSignal): Way {
  return {
    async open() {
      const env = new Environment({ node, task });
      await env.reset({ signal });
      return {
        step: () => env.step([key], { signal }),
        grade: () => env.grade({ signal }),
        close: () => env.close(),
      };
    },
  };
}

/** Plays episodes in several environments at once. */
async function play(way: Way, width: number): Promise<Played> {
  const times: Record<Phase, number[]> = { open: [], step: [], grade: [], close: [] };
  const timed = async <T>(phase: Phase, run: () => Promise<T>): Promise<T> => {
    const start = performance.now();
    const result = await run();
    times[phase].push(performance.now() - start);
    return result;
  };
  const playAll = async () => {
    for (let count = 0; count < episodes; count += 1) {
      const episode = await timed('open', way.open);
      for (let step = 0; step < steps; step += 1) await timed('step', episode.step);
      await timed('grade', episode.grade);
      await timed('close', episode.close);
    }
  };
  const start = performance.now();
  await Promise.all(Array.from({ length: width }, playAll));
  return { times, ms: performance.now() - start };
}

function tableOf(width: number, served: readonly Played[], direct: readonly Played[]): string {
  const timesOf = (all: readonly Played[], phase: Phase) =>
    summarise(all.flatMap(({ times }) => times[phase]));
  const rows = phases.map((phase) => ({
    what: phase,
    first: timesOf(served, phase),
    second: timesOf(direct, phase),
  }));
  const text = renderComparison(['served', 'direct', 'served / direct'], rows, (a, b) => a / b);
  return `${width} at once\n${text}\n${rateText('served', width, served)}\n${rateText('direct', width, direct)}`;
}

function rateText(name: string, width: number, played: readonly Played[]): string {
  const minutes = played.reduce((sum, { ms }) => sum + ms, 0) / 60_000;
  const count = width * episodes * played.length;
  const rate = (per: number) => ((count * per) / minutes).toFixed(1);
  return `${name}: ${rate(1)} episodes and ${rate(steps)} steps a minute`;
}

/** What each environment holds when it is ready and has made a step. */
async function memoryText(way: Way, node: Node, width: number): Promise<string> {
  const open = await Promise.all(Array.from({ length: width }, way.open));
  try {
    await Promise.all(open.map(({ step }) => step()));
    const own = (await node.list()).filter(({ role, owner }) => role === 'ide' && owner.pid === process.pid);
    const used = own.flatMap(({ usage }) => (usage ? [usage.memoryBytes / MiB] : []));
    const { median, p10, p90 } = summarise(used);
    return `memory of each: ${median.toFixed(0)} MiB (${p10.toFixed(0)} - ${p90.toFixed(0)})`;
  } finally {
    await Promise.all(open.map(({ close }) => close()));
  }
}
