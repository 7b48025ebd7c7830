import { randomUUID } from 'node:crypto';
import {
  PwpError,
  causesOf,
  deadline,
  messageOf,
  neverAborted,
  type Cancellable,
} from '../../bridge/lib/index.ts';
import { Environment, annotate, type Observation, type ResetInfo, type StepInfo } from '../env/index.ts';
import type { Grade } from '../grade/index.ts';
import { version } from '../lib/index.ts';
import type { Display, Node } from '../node/index.ts';
import { openRecord, type Deaths, type Ending, type EpisodeRecord } from '../record/index.ts';
import { writeReport } from '../report/index.ts';
import type { Task } from '../tasks/index.ts';
import type { Agent } from './agent.ts';
import { filmEpisode } from './film.ts';
import { RefusalNotes } from './refusals.ts';

export interface EpisodeOptions extends Cancellable {
  readonly node: Node;
  readonly task: Task;
  readonly agent: Agent;
  /** The record's folder; created if needed, refused if it already has a record. */
  readonly folder: string;
  readonly display?: Display;
  /** Default 100. */
  readonly stepLimit?: number;
  /** Record a video of the screen, at 5 frames a second; needs ffmpeg. Default false. */
  readonly video?: boolean;
  /** Boot the IDE instead of restoring it from the task's golden checkpoint. Default false. */
  readonly cold?: boolean;
  /** Called as it happens. */
  readonly onEvent?: (event: EpisodeEvent) => void;
}

export type EpisodeEvent =
  | { readonly kind: 'reset'; readonly info: ResetInfo }
  | { readonly kind: 'step'; readonly info: StepInfo }
  | { readonly kind: 'grade'; readonly grade: Grade }
  | { readonly kind: 'error'; readonly message: string };

export interface EpisodeResult {
  readonly task: string;
  readonly agent: string;
  readonly end: Ending;
  /** Null if the episode ended without a score. */
  readonly reward: number | null;
  /** False if the sandbox was not whole, so that the reward may be another one with a whole one; null without a reward. */
  readonly rewardTrustworthy: boolean | null;
  /** Why the reward is not trustworthy. */
  readonly doubts: readonly string[];
  /** Parts of the desktop that died. */
  readonly deaths: readonly Deaths[];
  readonly grade: Grade | null;
  /** What went wrong with the sandbox or the grading, with its causes. */
  readonly error: string | null;
  readonly steps: number;
  readonly folder: string;
  /** Path of report.html. */
  readonly report: string;
}

/** The result of an episode, however it ended. */
interface Ended {
  readonly end: Ending;
  readonly grade: Grade | null;
  readonly error: string | null;
  readonly steps: number;
}

/** One agent, one task, one fresh sandbox: reset, steps, grade, record, report. Rejects only if recording fails. */
export async function runEpisode(options: EpisodeOptions): Promise<EpisodeResult> {
  const { task, agent, folder } = options;
  await using record = await openRecord(folder, metaOf(options), { annotate });
  const refusals = new RefusalNotes(record);
  await using env = new Environment({ ...options, onRefusal: refusals.add });
  const ended = await play(env, record, options);
  await refusals.finish();
  const { reward, rewardTrustworthy, doubts, deaths } = await record.end(ended.end, ended.error ?? undefined);
  await env.close();
  const report = await writeReport(folder);
  const outcome = { reward, rewardTrustworthy, doubts, deaths };
  return { task: task.id, agent: agent.name, ...outcome, ...ended, folder, report };
}

/** Reset, loop, grade. A sandbox that failed on the way is graded by its disk; what fails besides ends without a score. */
async function play(env: Environment, record: EpisodeRecord, options: EpisodeOptions): Promise<Ended> {
  const { signal = neverAborted, onEvent } = options;
  const progress = { steps: 0 };
  try {
    const [first, reset] = await env.reset({ signal });
    onEvent?.({ kind: 'reset', info: reset });
    await record.reset(first, reset);
    const looped = await filmed(env, record, options, () => loop(env, record, first, options, progress));
    const error = 'failure' in looped ? explainCauses(looped.failure) : null;
    if ('failure' in looped) await record.error(looped.failure);
    await recordUsage(env, record, true);
    const grade = await env.grade({ signal });
    await recordServices(env, record);
    onEvent?.({ kind: 'grade', grade });
    await record.grade(grade);
    return { end: looped.end, grade, error, ...progress };
  } catch (error) {
    const message = explainCauses(error);
    await recordServices(env, record);
    await recordUsage(env, record, true);
    onEvent?.({ kind: 'error', message });
    await record.error(error);
    return {
      end: signal.aborted ? 'cancelled' : 'infrastructure-error',
      grade: null,
      error: message,
      ...progress,
    };
  }
}

/** Runs the loop, and records a video if requested. */
async function filmed(
  env: Environment,
  record: EpisodeRecord,
  { video = false }: EpisodeOptions,
  run: () => Promise<Looped>,
): Promise<Looped> {
  await using film = new AsyncDisposableStack();
  if (video) film.use(await filmEpisode(env, record));
  return await run();
}

/** How the loop ended; with the failure of the sandbox that ended it, if one did. */
type Looped = { readonly end: Ending } | { readonly end: 'sandbox-failed'; readonly failure: unknown };

/** The loop that matters: look, decide, act, until the agent has finished or a limit is reached. */
async function loop(
  env: Environment,
  record: EpisodeRecord,
  first: Observation,
  { task, agent, signal = neverAborted, onEvent }: EpisodeOptions,
  progress: { steps: number },
): Promise<Looped> {
  using time = deadline(`episode of ${task.id}`, task.config.agent.timeout_sec * 1000, signal);
  let observation = first;
  let last: StepInfo | undefined;
  try {
    for (;;) {
      const decision = await agent.decide(
        { instruction: task.instruction, observation, last },
        { signal: time.signal },
      );
      if (decision === null) return { end: 'finished' };
      const stepped = await env.step(decision.actions, { signal: time.signal }).catch((failure: unknown) => {
        if (time.signal.aborted) throw failure;
        return { failure };
      });
      if ('failure' in stepped) return { end: 'sandbox-failed', failure: stepped.failure };
      const [next, , , truncated, info] = stepped;
      onEvent?.({ kind: 'step', info });
      await record.step(next, info, decision.message === undefined ? {} : { message: decision.message });
      await recordUsage(env, record);
      [observation, last, progress.steps] = [next, info, info.step];
      if (truncated) return { end: 'step-limit' };
    }
  } catch (error) {
    if (signal.aborted || !time.signal.aborted) throw error;
    return { end: 'time-limit' };
  }
}

/** Parts of the desktop that died or came back since the last step. */
async function recordServices(env: Environment, record: EpisodeRecord): Promise<void> {
  for (const service of env.takeServices()) await record.service(service);
}

/** What can't be read (the sandbox is gone) is left out: an episode never fails for it. */
async function recordUsage(env: Environment, record: EpisodeRecord, always = false): Promise<void> {
  const usage = await env.usage({ signal: AbortSignal.timeout(usageMs) }).catch(() => null);
  if (usage) await record.usage(usage, always);
}

function metaOf({ task, agent }: EpisodeOptions) {
  return {
    session: randomUUID(),
    task: task.id,
    seed: task.seed,
    agent: { name: agent.name, version },
    versions: { pwp: version, node: process.versions.node },
  };
}

/** The kernel's counts are read in less than this, in milliseconds. */
const usageMs = 5000;

function explainCauses(error: unknown): string {
  const messages = [error, ...causesOf(error)].map(messageOf);
  const help = error instanceof PwpError && error.help !== undefined ? [error.help] : [];
  return [...messages, ...help].join('; ');
}
