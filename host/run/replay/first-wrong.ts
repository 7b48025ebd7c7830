import { join } from 'node:path';
import { type Cancellable, neverAborted } from '../../../bridge/lib/index.ts';
import type { Node } from '../../node/index.ts';
import { type Solution, type Task, withVariant } from '../../tasks/index.ts';
import { scriptAgent } from '../agents/index.ts';
import type { Environment } from '../environment/index.ts';
import { runEpisode, type WriteReport } from '../episode/index.ts';
import type { EpisodeHistory } from '../record/index.ts';
import { branchFromStep } from './continue-episode.ts';
import { judgeEnd, replay, type ReplayedStep } from './replay.ts';

export interface FirstWrongOptions extends Cancellable {
  readonly node: Node;
  readonly history: EpisodeHistory;
  readonly task: Task;
  /** Records of the tries go into folders below this one. */
  readonly folder: string;
  /** Writes the reports of the tries. Default: no reports. */
  readonly writeReport?: WriteReport | undefined;
  readonly onTried?: (step: TriedStep) => void;
}

/** The results of the task's solutions, played from the state after a step. */
export interface TriedStep {
  readonly step: number;
  /** Whether that state was found to be the recorded one. */
  readonly state: 'same' | 'apart' | 'not-compared';
  /** The solution that scored 1; null without one. */
  readonly solvedBy: string | null;
  /** Rewards by the name of the solution, in the order in which they were played; null without a score. */
  readonly rewards: Readonly<Record<string, number | null>>;
}

export interface FirstWrong {
  readonly tried: readonly TriedStep[];
  /**
   * The step after the last from which a solution still succeeds. Null if one succeeds from the end, or if the states
   * around it may not be the recorded ones: {@link FirstWrong.why} says which.
   */
  readonly step: number | null;
  readonly why: string;
}

/**
 * Plays the task's solutions from the state after each step of an episode, in a fork. It tries every step: a later step
 * can repair an earlier one, so success need not be monotone, and a binary search could miss that. Errors: those of
 * `replay`.
 */
export async function findFirstWrong(options: FirstWrongOptions): Promise<FirstWrong> {
  const { node, history, task, onTried, signal } = options;
  const solutions = await (await withVariant(task, { node, signal })).solutions();
  const tried: TriedStep[] = [];
  const onStep = async (step: ReplayedStep, env: Environment) => {
    if (step.by === 'people') return;
    const one = await tryFrom(step, env, solutions, options);
    tried.push(one);
    onTried?.(one);
  };
  const to = findLastStep(history);
  await using replayed = await replay({ node, history, task, to, checkpoints: false, onStep, signal });
  return locateFirstWrong(tried, replayed.report.stopped);
}

/** Steps of abandoned branches are not on the way to the end. */
function findLastStep({ steps }: EpisodeHistory): number {
  return steps.at(-1)?.step ?? 0;
}

async function tryFrom(
  step: ReplayedStep,
  env: Environment,
  solutions: readonly Solution[],
  { node, history, task, folder, writeReport, signal = neverAborted }: FirstWrongOptions,
): Promise<TriedStep> {
  const branch = await branchFromStep(history, env, step, signal);
  const { width, height } = env.observation.screen;
  const rewards: Record<string, number | null> = {};
  try {
    for (const solution of solutions) {
      const name = `${solution.kind} ${solution.name}`;
      const agent = scriptAgent(`oracle ${name}`, solution);
      const to = join(folder, `step-${step.step}`, name.replaceAll(/[^\w-]+/g, '-'));
      const display = { width, height };
      const more = { display, branch, writeReport, signal };
      const { reward } = await runEpisode({ node, task, agent, folder: to, ...more });
      rewards[name] = reward;
      if (reward === 1) return { step: step.step, state: judgeEnd(step), solvedBy: name, rewards };
    }
    return { step: step.step, state: judgeEnd(step), solvedBy: null, rewards };
  } finally {
    await node.deleteCheckpoint(branch.checkpoint).catch(() => undefined);
  }
}

/** @param stopped why not every step was reached; null if all were */
export function locateFirstWrong(tried: readonly TriedStep[], stopped: string | null): FirstWrong {
  const last = tried.findLast(({ solvedBy }) => solvedBy !== null);
  const after = tried.slice(last ? tried.indexOf(last) + 1 : 0);
  const noScore = after.find(({ rewards }) => Object.values(rewards).includes(null));
  const unsure = [...(last ? [last] : []), ...after].find(({ state }) => state !== 'same');
  const unknown = (why: string): FirstWrong => ({ tried, step: null, why });
  if (stopped !== null) return unknown(`not every step was reached: ${stopped}`);
  if (!last) return unknown('no solution succeeds from the start, so they say nothing about this episode');
  const [first] = after;
  if (!first) return unknown('a solution succeeds even from the end: it repairs everything that was done');
  if (noScore) return unknown(`a try from step ${noScore.step} has no score`);
  if (unsure) return unknown(`the state at step ${unsure.step} is not surely the recorded one`);
  const earlier = tried.slice(0, tried.indexOf(last)).filter(({ solvedBy }) => solvedBy === null);
  const repaired =
    earlier.length === 0
      ? ''
      : `; none succeeds from ${earlier.map(({ step }) => step).join(', ')}, which was repaired`;
  return {
    tried,
    step: first.step,
    why: `${last.solvedBy} succeeds from step ${last.step}, and no solution from step ${first.step} on${repaired}`,
  };
}
