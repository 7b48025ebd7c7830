import { join } from 'node:path';
import { type Cancellable, neverAborted, PwpError } from '../../../bridge/lib/index.ts';
import type { Agent } from '../agents/index.ts';
import { type Branch, type EpisodeOptions, type EpisodeResult, runEpisode } from '../episode/index.ts';
import type { EpisodeHistory } from '../record/index.ts';
import { judgeEnd, type Replayed, type ReplayedStep } from './replay.ts';

/** The {@link EpisodeOptions} of an episode that branches off. */
export type ContinueOptions = Pick<
  EpisodeOptions,
  | 'node'
  | 'task'
  | 'maxSteps'
  | 'maxTokens'
  | 'maxCost'
  | 'video'
  | 'onEvent'
  | 'checkpointEvery'
  | 'writeReport'
> & {
  readonly history: EpisodeHistory;
  readonly replayed: Replayed;
  /** Makes the agent of each continuation. */
  readonly agent: () => Promise<Agent>;
  /** The number of continuations, one after the other. */
  readonly count: number;
  /** Records go into folders below this one: `1`, `2`, … */
  readonly folder: string;
  /** Continue even if the state is not, or may not be, the recorded one. Default false. */
  readonly anyway?: boolean | undefined;
};

/** The continuations of an episode from one of its steps. */
export interface Continuation {
  /** The state in which all of them begin. */
  readonly branch: Branch;
  readonly results: readonly EpisodeResult[];
}

/**
 * Episodes that begin in the state that a replay has reached, each in its own sandbox. Their records say where they
 * branched off. Errors: `replay-stopped`, `replay-apart`; `unsupported` on a node without live checkpoints.
 */
export async function continueEpisode({
  history,
  replayed,
  agent,
  count,
  folder,
  anyway = false,
  signal = neverAborted,
  ...options
}: ContinueOptions & Cancellable): Promise<Continuation> {
  requireReached(replayed, anyway);
  const branch = await branchFromReplay(history, replayed, signal);
  const { width, height } = replayed.env.observation.screen;
  const results: EpisodeResult[] = [];
  for (let number = 1; number <= count; number += 1) {
    const own = { agent: await agent(), folder: join(folder, String(number)) };
    results.push(await runEpisode({ ...options, ...own, branch, display: { width, height }, signal }));
  }
  return { branch, results };
}

function requireReached({ report }: Replayed, anyway: boolean): void {
  const { stopped, end, to, steps } = report;
  if (stopped !== null)
    throw new PwpError('replay-stopped', `step ${to} was not reached: ${stopped}`, {
      help: 'Continue from an earlier step.',
    });
  if (end === 'same' || anyway) return;
  const last = steps.at(-1);
  const why =
    end === 'apart'
      ? last?.differences.map(({ what }) => what)
      : last?.notCompared.map((what) => `${what} not compared`);
  throw new PwpError(
    'replay-apart',
    `the state at step ${to} is not surely the recorded one: ${why?.join(', ')}`,
    {
      help: 'Continue from an earlier step, or use --anyway, which is noted in the record.',
    },
  );
}

/** A checkpoint of a replay's state: the one from which it began if nothing was played since. */
async function branchFromReplay(
  { start }: EpisodeHistory,
  { env, report }: Pick<Replayed, 'env' | 'report'>,
  signal: AbortSignal,
): Promise<Branch> {
  const { beginning, reached, end, steps } = report;
  const isThere = steps.length === 1 && beginning.checkpoint !== null;
  const checkpoint = isThere ? beginning.checkpoint : await saveCheckpoint(env, reached, signal);
  const how = isThere ? 'restored' : 'replayed';
  const notes = [`${how} to step ${reached} of episode ${start.session}: ${endWords[end]}`];
  return { checkpoint, session: start.session, step: reached, replayed: end, notes };
}

/** The same for a state on the way. */
export async function branchFromStep(
  { start }: EpisodeHistory,
  env: Replayed['env'],
  step: ReplayedStep,
  signal: AbortSignal,
): Promise<Branch> {
  const checkpoint = await saveCheckpoint(env, step.step, signal);
  return { checkpoint, session: start.session, step: step.step, replayed: judgeEnd(step), notes: [] };
}

const endWords = {
  same: 'screen, editor and files are as recorded',
  apart: 'the state is not the recorded one',
  'not-compared': 'the state could not be compared in everything',
} as const;

async function saveCheckpoint(env: Replayed['env'], step: number, signal: AbortSignal): Promise<string> {
  const name = `${env.task.id} step ${step}, replayed`;
  return (await env.checkpoint({ name, kind: 'live', signal })).id;
}
