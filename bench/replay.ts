import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeError } from '../bridge/lib/index.ts';
import { packagedTasksFolder } from '../host/lib/index.ts';
import { createLocalNode, type Node } from '../host/node/index.ts';
import {
  chooseAgent,
  type EpisodeHistory,
  formatDifference,
  readRecord,
  replay,
  type ReplayedStep,
  runEpisode,
} from '../host/run/index.ts';
import { findTasks, type Task, withVariant } from '../host/tasks/index.ts';

/** Short tasks by mouse and keyboard, of both families. */
const usual = [
  'general-swe/rename-class',
  'general-swe/rename-shadowing',
  'general-swe/timeline-staged-version',
  'vscode/conditional-breakpoint',
  'vscode/dracula-theme',
  'vscode/flask-launch',
  'vscode/format-on-save-python',
  'vscode/missing-imports',
  'vscode/theme-solarized-dark',
  'vscode/tree-find-key',
];
const agents = ['oracle', 'oracle-gui'];
const points = 3;

interface Counts {
  episodes: number;
  states: number;
  screen: number;
  editor: number;
  files: number;
  all: number;
}

/**
 * Episodes of tasks by two kinds of solution, each replayed to three steps: how many of these states have the recorded
 * screen, editor and files, without a checkpoint and by the checkpoint that was taken there. Without one, the three are
 * checked in one replay to the last of them: a replay to an earlier step is the same, ended earlier.
 */
export async function replays(signal: AbortSignal, only: readonly string[] = usual): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'pwp-replay-'));
  const tasks = (await findTasks([packagedTasksFolder()])).filter(({ id }) => only.includes(id));
  const [without, by] = [noCounts(), noCounts()];
  try {
    await using node = await createLocalNode({ signal });
    for (const task of tasks) {
      for (const agent of agents) {
        const history = await record(node, task, agent, join(folder, task.id, agent), signal);
        const at = pointsOf(history);
        console.log(`${task.id} ${agent}: reward ${history.result.reward}, states ${at.join(', ')}`);
        await again(node, task, history, at, without, signal);
        await restored(node, task, history, at, by, signal);
        await dropCheckpoints(node, history);
      }
    }
  } finally {
    await rm(folder, { recursive: true });
  }
  console.log(countsText('without a checkpoint', without));
  console.log(countsText('by checkpoints', by));
}

async function record(
  node: Node,
  found: Task,
  agent: string,
  folder: string,
  signal: AbortSignal,
): Promise<EpisodeHistory> {
  const task = await withVariant(found, { node, signal });
  const solutions = await task.solutions();
  const kinds = agent === 'oracle' ? ['tools', 'shell'] : ['xdotool'];
  const lines = solutions.find(({ kind }) => kinds.includes(kind))?.text.split('\n') ?? [];
  const steps = agent === 'oracle' ? 1 : lines.filter((line) => line !== '' && !line.startsWith('#')).length;
  const checkpointEvery = Math.max(1, Math.floor(steps / points));
  const played = await chooseAgent({ agent }, task);
  await runEpisode({ node, task, agent: played, folder, checkpointEvery, signal });
  return readRecord(folder);
}

/** The first three steps after which a checkpoint was taken; with fewer of them, also the start. */
function pointsOf({ checkpoints }: EpisodeHistory): number[] {
  const steps = checkpoints.map(({ step }) => step).slice(0, points);
  return steps.length < points ? [0, ...steps] : steps;
}

async function again(
  node: Node,
  task: Task,
  history: EpisodeHistory,
  at: readonly number[],
  counts: Counts,
  signal: AbortSignal,
): Promise<void> {
  const seen = new Map<number, ReplayedStep>();
  const onStep = (step: ReplayedStep) => void seen.set(step.step, step);
  const to = at.at(-1) ?? 0;
  counts.episodes += 1;
  try {
    await using replayed = await replay({ node, task, history, to, checkpoints: false, onStep, signal });
    if (replayed.report.stopped !== null) console.log(`  stopped: ${replayed.report.stopped}`);
  } catch (error) {
    signal.throwIfAborted();
    console.log(`  failed: ${describeError(error)}`);
  }
  for (const step of at) count(counts, step, seen.get(step));
}

async function restored(
  node: Node,
  task: Task,
  history: EpisodeHistory,
  at: readonly number[],
  counts: Counts,
  signal: AbortSignal,
): Promise<void> {
  counts.episodes += 1;
  for (const to of at.filter((step) => step > 0)) {
    await using replayed = await replay({ node, task, history, to, signal });
    const { steps, beginning } = replayed.report;
    if (beginning.step !== to)
      console.log(`  step ${to}: not by its checkpoint: ${beginning.notes.join('; ')}`);
    count(counts, to, steps.at(-1));
  }
}

function count(counts: Counts, step: number, found: ReplayedStep | undefined): void {
  counts.states += 1;
  if (!found) return console.log(`  step ${step}: not reached`);
  const { differences, notCompared } = found;
  const isSame = (what: 'screen' | 'editor' | 'files') =>
    !differences.some((one) => one.what === what) && !notCompared.includes(what);
  const same = (['screen', 'editor', 'files'] as const).filter(isSame);
  for (const what of same) counts[what] += 1;
  if (same.length === 3) counts.all += 1;
  else
    console.log(
      `  step ${step}: ${[...differences.map(formatDifference), ...notCompared.map((what) => `${what} not compared`)].join('; ')}`,
    );
}

async function dropCheckpoints(node: Node, { checkpoints }: EpisodeHistory): Promise<void> {
  // Children first: else they would keep the checkpoints above them.
  for (const { checkpoint } of checkpoints.toReversed()) await node.deleteCheckpoint(checkpoint.id);
}

function noCounts(): Counts {
  return { episodes: 0, states: 0, screen: 0, editor: 0, files: 0, all: 0 };
}

function countsText(what: string, { episodes, states, screen, editor, files, all }: Counts): string {
  return `${what}: ${episodes} episodes, ${states} states; as recorded: all ${all}, screen ${screen}, editor ${editor}, files ${files}`;
}
