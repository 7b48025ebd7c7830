import { createHash } from 'node:crypto';
import {
  type Cancellable,
  collectCauses,
  describeError,
  neverAborted,
  PwpError,
  type PwpErrorCode,
} from '../../../bridge/lib/index.ts';
import type { Refusal } from '../../../bridge/protocol/index.ts';
import { annotate, type ResetInfo, type ResetResult, type StepInfo } from '../../ide/index.ts';
import type { Display, Node } from '../../node/index.ts';
import type { Grade, LeftChanges, Task } from '../../tasks/index.ts';
import type { Agent } from '../agents/index.ts';
import { Environment } from '../environment/index.ts';
import {
  type EpisodeEnding,
  type EpisodeRecord,
  openRecord,
  type PartDeaths,
  type VisitLike,
} from '../record/index.ts';
import type { AgentChat } from './agent-chat.ts';
import { type LoopEnd, type LoopOptions, playLoop } from './episode-loop.ts';
import {
  BackgroundWriter,
  type Branch,
  describeEpisode,
  filmEpisode,
  recordSandboxUsage,
  recordState,
} from './episode-recording.ts';

export interface EpisodeOptions extends Cancellable {
  readonly node: Node;
  readonly task: Task;
  readonly agent: Agent;
  /** The record's folder; created if needed, refused if it already has a record. */
  readonly folder: string;
  readonly display?: Display;
  /** Default 100. */
  readonly stepLimit?: number;
  /** Maximum tokens of its model, input plus output. Default: no limit. */
  readonly tokenLimit?: number;
  /** Maximum cost of its model, in US dollars. Without a known price, this has no effect. Default: no limit. */
  readonly costLimit?: number;
  /** The mouse or keyboard action to skip silently, from 1: {@link chooseSuppressedAction}. Default: no action. */
  readonly suppress?: number;
  /** Record a video of the screen, at 5 frames a second; needs ffmpeg. Default false. */
  readonly video?: boolean;
  /** Boot the IDE instead of restoring it from the task's golden checkpoint. Default false. */
  readonly cold?: boolean;
  /** Id of a running sandbox to work in, in place of a fresh one. It stays, and nothing is graded. */
  readonly join?: string | undefined;
  /**
   * People talk with the agent. When it has finished, it continues with their next message, until they end the episode; in
   * a sandbox that is joined, it begins with their first message.
   */
  readonly chat?: AgentChat | undefined;
  /** Take a checkpoint every this many steps, so that a replay can go back to it. Default: no checkpoints. */
  readonly checkpointEvery?: number | undefined;
  /** Begin in the state of a checkpoint of another episode. Default: in the task's initial state. */
  readonly branch?: Branch | undefined;
  /** Writes the report at the end. Default: no report. */
  readonly writeReport?: WriteReport | undefined;
  /** Called as it happens. */
  readonly onEvent?: (event: EpisodeEvent) => void;
}

/** Writes the report of a record into the record's folder. Returns its path. */
export type WriteReport = (recordFolder: string) => Promise<string>;

export type EpisodeEvent =
  | { readonly kind: 'reset'; readonly info: ResetInfo }
  | { readonly kind: 'step'; readonly info: StepInfo }
  | { readonly kind: 'grade'; readonly grade: Grade }
  | { readonly kind: 'error'; readonly message: string };

export interface EpisodeResult {
  readonly task: string;
  readonly agent: string;
  readonly end: EpisodeEnding;
  /** Null if the episode ended without a score. */
  readonly reward: number | null;
  /** False if the sandbox was not whole, so that the reward might differ with a whole one; null without a reward. */
  readonly rewardTrustworthy: boolean | null;
  /** Why the reward is not trustworthy. */
  readonly doubts: readonly string[];
  /** Why the agent's code could have forged a pass: the tests run it beside them. Null if they don't. */
  readonly trust: string | null;
  /** Parts of the desktop that died. */
  readonly deaths: readonly PartDeaths[];
  readonly grade: Grade | null;
  /** The failure of the sandbox or the grading, with its causes. */
  readonly error: string | null;
  /** The code of that error, if it has one. */
  readonly code: PwpErrorCode | null;
  readonly steps: number;
  readonly folder: string;
  /** Path of report.html; null without one. */
  readonly report: string | null;
}

/** The result of an episode, however it ended. */
interface EpisodeOutcome {
  readonly end: EpisodeEnding;
  readonly grade: Grade | null;
  readonly error: string | null;
  readonly code: PwpErrorCode | null;
  readonly steps: number;
}

/** One agent, one task, one fresh sandbox: reset, steps, grade, record, report. Rejects only if recording fails. */
export async function runEpisode(options: EpisodeOptions): Promise<EpisodeResult> {
  const { task, agent, folder, chat } = options;
  await using owned = new AsyncDisposableStack();
  owned.defer(async () => agent[Symbol.asyncDispose]?.());
  owned.defer(() => chat?.close());
  await using record = await openRecord(folder, describeEpisode(options), { annotate });
  const refusals = new BackgroundWriter<Refusal>((refusal) => record.refused(refusal));
  const visits = new BackgroundWriter<VisitLike>((visit) => record.visit(visit));
  chat?.onVisit(visits.add);
  await using env = new Environment({
    ...options,
    ...(agent.view && { view: agent.view }),
    onRefusal: refusals.add,
  });
  const ended = await playAndGrade(env, record, options);
  await Promise.all([refusals.finish(), visits.finish()]);
  // Its last output may be written as it ends.
  await owned.disposeAsync().catch((error: unknown) => record.error(error));
  await record.agentLog(agent.log ?? '');
  const { reward, rewardTrustworthy, doubts, trust, deaths } = await record.end(
    ended.end,
    ended.error ?? undefined,
  );
  await env.close();
  const report = (await options.writeReport?.(folder)) ?? null;
  const outcome = { reward, rewardTrustworthy, doubts, trust, deaths };
  return { task: task.id, agent: agent.name, ...outcome, ...ended, folder, report };
}

/** Reset, loop, grade. A sandbox that failed on the way is graded by its disk; any other failure ends without a score. */
async function playAndGrade(
  env: Environment,
  record: EpisodeRecord,
  options: EpisodeOptions,
): Promise<EpisodeOutcome> {
  const { join, signal = neverAborted, onEvent } = options;
  const progress = { steps: 0 };
  try {
    const [first, reset] = await beginEpisode(env, options, signal);
    onEvent?.({ kind: 'reset', info: reset });
    await record.reset(first, reset);
    await recordState(env, record, 0, signal);
    const looped = await playFilmed(env, record, options, () =>
      playLoop(env, record, first, makeLoopOptions(options), progress),
    );
    const error = 'failure' in looped ? explainCauses(looped.failure) : null;
    const code = 'failure' in looped ? readErrorCode(looped.failure) : null;
    if ('failure' in looped) await record.error(looped.failure);
    await recordSandboxUsage(env, record, true);
    if (looped.end === 'model-failed') {
      await recordServices(env, record);
      onEvent?.({ kind: 'error', message: error ?? '' });
      return { end: looped.end, grade: null, error, code, ...progress };
    }
    if (join !== undefined) {
      await recordServices(env, record);
      return { end: looped.end, grade: null, error, code, ...progress };
    }
    const grade = await gradeWork(env, record, signal);
    await recordServices(env, record);
    onEvent?.({ kind: 'grade', grade });
    await record.grade(grade);
    return { end: looped.end, grade, error, code, ...progress };
  } catch (error) {
    const message = explainCauses(error);
    await recordServices(env, record);
    await recordSandboxUsage(env, record, true);
    onEvent?.({ kind: 'error', message });
    await record.error(error);
    return {
      end: signal.aborted ? 'cancelled' : classifyEnding(error),
      grade: null,
      error: message,
      code: readErrorCode(error),
      ...progress,
    };
  }
}

/** Grades, and records the grading, also if there is no score. */
async function gradeWork(env: Environment, record: EpisodeRecord, signal: AbortSignal): Promise<Grade> {
  const left: LeftChanges[] = [];
  try {
    return await env.grade({ onChanges: (changes) => void left.push(changes), signal });
  } finally {
    for (const changes of left) await record.changes(changes);
  }
}

function makeLoopOptions(options: EpisodeOptions): LoopOptions {
  const { join, chat, onEvent } = options;
  const onStep = (info: StepInfo) => onEvent?.({ kind: 'step', info });
  return { ...options, waits: chat !== undefined && join !== undefined, onStep };
}

async function beginEpisode(
  env: Environment,
  { branch, join }: EpisodeOptions,
  signal: AbortSignal,
): Promise<ResetResult> {
  if (join !== undefined) return await env.join(join, { signal });
  if (!branch) return await env.reset({ signal });
  const { checkpoint, step, notes } = branch;
  const [first, info] = await env.resume({ checkpoint, step }, { signal });
  return [first, { ...info, notes: [...info.notes, ...notes] }];
}

/** Tests without a verdict are a fault of the task; a failed node or disk is not. */
function classifyEnding(error: unknown): EpisodeEnding {
  const codes = [error, ...collectCauses(error)].map((at) => (at instanceof PwpError ? at.code : null));
  const isMachine = codes.some((code) => code !== null && machineCodes.includes(code));
  return codes[0] === 'grading-failed' && !isMachine ? 'grading-failed' : 'infrastructure-error';
}

const machineCodes: readonly PwpErrorCode[] = [
  'node-closed',
  'node-failed',
  'node-lost',
  'disk-full',
  'disk-failed',
  'mount-failed',
  'no-cgroup',
];

/** Runs the loop, and records a video if requested. */
async function playFilmed(
  env: Environment,
  record: EpisodeRecord,
  { video = false }: EpisodeOptions,
  run: () => Promise<LoopEnd>,
): Promise<LoopEnd> {
  await using film = new AsyncDisposableStack();
  if (video) film.use(await filmEpisode(env, record));
  return await run();
}

/** Parts of the desktop that died or came back since the last step. */
async function recordServices(env: Environment, record: EpisodeRecord): Promise<void> {
  for (const service of env.takeServices()) await record.service(service);
}

function readErrorCode(error: unknown): PwpErrorCode | null {
  return error instanceof PwpError ? error.code : null;
}

function explainCauses(error: unknown): string {
  const messages = [error, ...collectCauses(error)].map(describeError);
  const help = error instanceof PwpError && error.help !== undefined ? [error.help] : [];
  return [...messages, ...help].join('; ');
}

/** The mouse or keyboard action to skip silently: one by its number, from 1, or a random one of the first five. */
export type Suppress = number | 'random';

const firstActions = 5;

/**
 * The number of the action.
 * @param word seeds the random choice: the same word gives the same number
 */
export function chooseSuppressedAction(suppress: Suppress, word: string): number {
  if (suppress !== 'random') return suppress;
  return 1 + (createHash('sha256').update(word).digest().readUInt32BE() % firstActions);
}
