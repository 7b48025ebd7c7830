import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type Cancellable, describeError, neverAborted } from '../../../bridge/lib/index.ts';
import { forEachParallel } from '../../lib/index.ts';
import { defaultDisplay, type Display, type Node } from '../../node/index.ts';
import {
  type CheckResult,
  loadTask,
  type Solution,
  type Task,
  withVariant,
  withVariants,
} from '../../tasks/index.ts';
import { privateFolder, proofsMark } from '../record/index.ts';
import { type EpisodeEvent, runEpisode, type WriteReport } from './episode.ts';
import { interleaveProofs, type PlannedProof, planProofs, planSolutionProofs } from './proof-plan.ts';

export interface TaskCheckOptions extends Cancellable {
  readonly node: Node;
  readonly tasks: readonly Task[];
  /** Records go into folders below this one. */
  readonly folder: string;
  /** Episodes at a time. */
  readonly parallel: number;
  /** How often to repeat everything, to find results that vary. Default 1. */
  readonly rounds?: number;
  /** Solutions in xdotool lines are played at each of these sizes; default: only at the task's own. */
  readonly displays?: readonly Display[];
  /** Boot the IDE for each episode. Default false. */
  readonly cold?: boolean;
  /** Writes the reports of the episodes. Default: no reports. */
  readonly writeReport?: WriteReport | undefined;
  readonly onFinding?: (finding: Finding) => void;
  /** Called when an episode reaches a stage; its finding follows. */
  readonly onStage?: (run: ProofRun, stage: ProofStage) => void;
}

/** One episode of a proof. */
export type ProofRun = Pick<Finding, 'task' | 'run' | 'round' | 'display'>;

export type ProofStage = 'starting the IDE' | 'playing and grading';

/** Marks the folder, so that the proofs are not mistaken for results. */
async function markProofs(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: privateFolder });
  await writeFile(join(folder, proofsMark), 'Proofs of tasks, by pwp tasks check: no results.\n');
}

/** The number of tasks that are checked without an IDE at a time. */
const parallelLooks = 4;

/**
 * A task is valid if doing nothing fails, each solution passes and each false solution fails, if the agent can read no part
 * of the tests and solutions, and if one seed always makes the same task.
 */
export async function checkTasks(options: TaskCheckOptions): Promise<Finding[]> {
  const { node, displays = [], rounds = 1, parallel, signal = neverAborted, onFinding } = options;
  await markProofs(options.folder);
  const tasks = await withVariants(options.tasks, { node, signal });
  const still = (
    await forEachParallel(tasks, parallelLooks, signal, (task) => checkWithoutIde(task, options))
  ).flat();
  for (const finding of still) onFinding?.(finding);
  const plans = await Promise.all(tasks.map((task) => planProofs(task, displays, rounds)));
  const played = await forEachParallel(interleaveProofs(plans, parallel), parallel, signal, async (plan) => {
    const finding = await runProof(plan, options);
    // An interrupted run proves nothing, and is not a fault of the task.
    signal.throwIfAborted();
    onFinding?.(finding);
    return finding;
  });
  return tasks.flatMap(({ id }) => [...still, ...played].filter(({ task }) => task === id));
}

/** Plays one solution of a task alone, at each of the sizes. */
export async function checkSolution(
  task: Task,
  solution: Solution,
  options: Omit<TaskCheckOptions, 'tasks' | 'rounds'>,
): Promise<Finding[]> {
  const { displays = [], parallel, signal = neverAborted, onFinding } = options;
  return forEachParallel(planSolutionProofs(task, solution, displays), parallel, signal, async (plan) => {
    const finding = await runProof({ ...plan, round: 1 }, { ...options, tasks: [task] });
    onFinding?.(finding);
    return finding;
  });
}

/** The findings that need no IDE. */
async function checkWithoutIde(task: Task, options: TaskCheckOptions): Promise<Finding[]> {
  const base = { task: task.id, round: 1, display: null, expected: 1 } as const;
  const start = performance.now();
  const leaks = await task.leaks();
  const lines = leaks.map(
    ({ secret, inside, share }) => `${Math.round(share * 100)} % of ${secret} in ${inside}`,
  );
  const finding = (run: string, holds: boolean, why: string): Finding => {
    const ms = performance.now() - start;
    return { ...base, run, reward: holds ? 1 : 0, holds, why, warning: null, ms };
  };
  const missing = await findMissingSolutions(task);
  const found = [
    finding('leaks', leaks.length === 0, lines.join('; ') || 'nothing of tests or solutions is inside'),
    finding('complete', missing === undefined, missing ?? 'has solutions and false ones'),
    {
      ...finding('isolated', true, 'the tests were searched for runs of the agent’s code'),
      warning: await findAgentCodeUses(task),
    },
  ];
  if (task.seed === null) return found;
  const problem = await findVariantProblem(task, task.seed, options);
  return [...found, finding('variant', problem === undefined, problem ?? 'the same each time for one seed')];
}

async function findAgentCodeUses(task: Task): Promise<string | null> {
  const uses = await task.agentCodeUses();
  if (uses.length === 0) return null;
  return `seems to run the agent's code beside the tests: ${uses.slice(0, 5).join('; ')}`;
}

async function findMissingSolutions(task: Task): Promise<string | undefined> {
  if ((await task.solutions()).length === 0) return 'has no solution';
  return (await task.falseSolutions()).length === 0 ? 'has no false solution' : undefined;
}

async function findVariantProblem(
  task: Task,
  seed: number,
  options: TaskCheckOptions,
): Promise<string | undefined> {
  const load = async (other: number) => withVariant(await loadTask(task.path, { seed: other }), options);
  try {
    const again = await load(seed);
    const [one, two] = await Promise.all([task, again].map(readTaskContent));
    if (!isDeepStrictEqual(one, two)) return `two loads with seed ${seed} differ`;
    const other = await readTaskContent(await load(seed + 1));
    return isDeepStrictEqual(one, other) ? `seeds ${seed} and ${seed + 1} make the same task` : undefined;
  } catch (error) {
    return describeError(error);
  }
}

async function readTaskContent(task: Task): Promise<unknown> {
  const { instruction } = task;
  return [
    instruction,
    await task.seeds(),
    await task.testSeeds(),
    await task.solutions(),
    await task.falseSolutions(),
  ];
}

async function runProof(plan: PlannedProof, options: TaskCheckOptions): Promise<Finding> {
  const { task, run, round, expected } = plan;
  const display = plan.display ?? task.config.pwp.display ?? defaultDisplay;
  const name = `${nameProofRun({ run, display })} ${round}`.replaceAll(/[^a-z0-9.-]+/gi, '-');
  const folder = join(options.folder, task.id, name);
  const start = performance.now();
  const { node, signal, writeReport, cold = false } = options;
  const stage = (now: ProofStage) => options.onStage?.({ task: task.id, run, round, display }, now);
  const onEvent = ({ kind }: EpisodeEvent) => kind === 'reset' && stage('playing and grading');
  const episode = (to: string) => {
    stage('starting the IDE');
    const more = { display, cold, writeReport, signal, onEvent };
    return runEpisode({ node, task, agent: plan.agent(), folder: to, ...more });
  };
  const first = await episode(folder);
  // A sandbox that was not whole proves nothing about the task. One retry only: the solution itself may kill it.
  const result = first.rewardTrustworthy === false ? await episode(`${folder}-again`) : first;
  return {
    ...{ task: task.id, run, round, display, expected, reward: result.reward },
    holds: result.reward === expected,
    why: `${result.error ?? explainChecks(result.grade?.checks ?? [])} (${result.folder})`,
    warning: null,
    ms: performance.now() - start,
  };
}

function explainChecks(checks: readonly CheckResult[]): string {
  if (checks.length === 0) return 'the tests give no details';
  const failed = checks.filter(({ passed }) => passed === false).map(({ name, why }) => `${name}: ${why}`);
  return failed.join('; ') || 'no check failed';
}

/** The result of one run of a task's proof. */
export interface Finding {
  readonly task: string;
  /** `null`, `solution <name>`, `false <name>`, `leaks`, `complete`, `isolated` or `variant`. */
  readonly run: string;
  /** From 1. */
  readonly round: number;
  /** Null for a run without an IDE. */
  readonly display: Display | null;
  readonly expected: number;
  /** Null when the run ended without a score. */
  readonly reward: number | null;
  readonly holds: boolean;
  /** The reason for the score, or for a missing score. */
  readonly why: string;
  /** A warning for the author although the finding holds; null without one. */
  readonly warning: string | null;
  readonly ms: number;
}

/** The verdict on one task, from its findings. */
interface Validity {
  readonly task: string;
  /** Every finding holds, in every round. */
  readonly valid: boolean;
  readonly runs: number;
  /** One line for each finding that doesn't hold. */
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
  /** Runs that ended one way in one round and another in the next. */
  readonly flakes: readonly string[];
  /** Milliseconds of all runs together. */
  readonly ms: number;
}

/** One for each task, in the order of the findings. */
export function judgeValidity(findings: readonly Finding[]): Validity[] {
  const tasks = Map.groupBy(findings, ({ task }) => task);
  return [...tasks].map(([task, own]) => {
    const wrong = own.filter(({ holds }) => !holds);
    return {
      task,
      valid: wrong.length === 0,
      runs: own.length,
      problems: wrong.map(
        (finding) => `${nameProofRun(finding)}, round ${finding.round}: ${explainFinding(finding)}`,
      ),
      warnings: own.flatMap(({ warning }) => warning ?? []),
      flakes: findFlakes(own),
      ms: own.reduce((sum, { ms }) => sum + ms, 0),
    };
  });
}

/** A run with the display that it was on, e.g. `solution gui at 1280x800`. */
export function nameProofRun({ run, display }: Pick<Finding, 'run' | 'display'>): string {
  return display === null ? run : `${run} at ${display.width}x${display.height}`;
}

function explainFinding({ reward, expected, why }: Finding): string {
  return reward === null ? `no score: ${why}` : `scores ${reward}, expected ${expected}: ${why}`;
}

function findFlakes(findings: readonly Finding[]): string[] {
  const runs = Map.groupBy(findings, nameProofRun);
  return [...runs]
    .filter(([, own]) => new Set(own.map(({ reward }) => reward)).size > 1)
    .map(([name]) => name);
}
