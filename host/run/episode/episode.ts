import { createHash, randomUUID } from 'node:crypto';
import {
  type Cancellable,
  collectCauses,
  describeError,
  neverAborted,
  PwpError,
  type PwpErrorCode,
} from '../../../bridge/lib/index.ts';
import {
  annotate,
  type Observation,
  type ResetInfo,
  type ResetResult,
  type StepInfo,
} from '../../ide/index.ts';
import { programVersion } from '../../lib/index.ts';
import type { Display, Node, ViewOptions } from '../../node/index.ts';
import type { Grade, LeftChanges, Task } from '../../tasks/index.ts';
import type { Agent } from '../agents/index.ts';
import { defaultMaxSteps, Environment } from '../environment/index.ts';
import {
  type EpisodeEnding,
  type EpisodeRecord,
  openRecord,
  type PartDeaths,
  type RecordMeta,
} from '../record/index.ts';
import { type AgentChat, ChatLoop, decideAfterPeople } from './agent-chat.ts';
import { EpisodeClock, EpisodeUsage } from './episode-limits.ts';
import { BackgroundWrites, EpisodeRecorder } from './episode-recording.ts';
import { type PlayedEnd, playTask, type RunningEpisode } from './play-task.ts';

export interface EpisodeOptions extends Cancellable {
  readonly node: Node;
  readonly task: Task;
  readonly agent: Agent;
  /** The record's folder; created if needed, refused if it already has a record. */
  readonly folder: string;
  readonly display?: Display | undefined;
  /** As in `EnvironmentOptions`. */
  readonly image?: string | undefined;
  /** Maximum steps. Default: 20, as in the paper; 1000 if it plays a script, or people end it. */
  readonly maxSteps?: number | undefined;
  /** Maximum tokens of its model, input plus output. Default: no limit. */
  readonly maxTokens?: number | undefined;
  /** Maximum cost of its model, in US dollars. Without a known price, this has no effect. Default: no limit. */
  readonly maxCost?: number | undefined;
  /** The mouse or keyboard action to skip silently, from 1: {@link chooseSuppressedAction}. Default: no action. */
  readonly suppress?: number | undefined;
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

/** The options of an episode that anyone plays: what its record says of the agent. */
export type RecordedEpisodeOptions = Omit<EpisodeOptions, 'agent'> & {
  readonly agent: Omit<Agent, 'decide' | 'takeUnanswered'>;
};

/** The start of an episode that branches off another. */
export interface Branch {
  readonly checkpoint: string;
  /** The episode that it branches off, and after which of its steps. */
  readonly session: string;
  readonly step: number;
  /** Whether a replay found the state there to be the recorded one; absent if it is the episode itself. */
  readonly replayed?: 'same' | 'apart' | 'not-compared';
  /** For people: how that state was reached. */
  readonly notes: readonly string[];
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

/** A script ends by itself, and people end a session, so this only stops one that would go on for ever. */
const highestMaxSteps = 1000;

/** The maximum steps of an episode: those that are asked for, else 20 for agents that decide for themselves. */
export function chooseMaxSteps({
  agent,
  chat,
  maxSteps = agent.isScript || chat ? highestMaxSteps : defaultMaxSteps,
}: Pick<RecordedEpisodeOptions, 'agent' | 'chat' | 'maxSteps'>): number {
  return maxSteps;
}

/** One agent, one task, one fresh sandbox: reset, steps, grade, record, report. Rejects only if recording fails. */
export async function runEpisode(options: EpisodeOptions): Promise<EpisodeResult> {
  const [result] = await recordEpisode(options, (env, recorder, first) =>
    playAgent(env, recorder, first, options),
  );
  return result;
}

async function playAgent(
  env: Environment,
  recorder: EpisodeRecorder,
  first: Observation,
  { agent, task, chat, join, onEvent, maxTokens, maxCost, signal = neverAborted }: EpisodeOptions,
): Promise<PlayedEnd> {
  const ms = task.config.agent.timeout_sec * 1000;
  const limits = { steps: env.maxSteps, ms, tokens: maxTokens ?? null, costUsd: maxCost ?? null };
  using clock = new EpisodeClock(`episode of ${task.id}`, ms, signal);
  const episode: RunningEpisode = {
    ...{ env, recorder, agent, limits, clock, usage: new EpisodeUsage(limits) },
    onStep: (info) => onEvent?.({ kind: 'step', info }),
  };
  const decide = chat ? new ChatLoop(episode, chat, join !== undefined).decide : decideAfterPeople(episode);
  return await playTask(episode, decide, first);
}

/** Plays in an IDE that is ready, and records each step. */
export type Play = (env: Environment, recorder: EpisodeRecorder, first: Observation) => Promise<PlayedEnd>;

/** Anything that is played in one sandbox: reset, play, grade, record, report. With the failure that ended it, if one did. */
export async function recordEpisode(
  options: RecordedEpisodeOptions,
  play: Play,
): Promise<readonly [EpisodeResult, failure: unknown]> {
  const { task, agent, folder, chat, writeReport } = options;
  await using owned = new AsyncDisposableStack();
  owned.defer(async () => agent[Symbol.asyncDispose]?.());
  owned.defer(() => chat?.close());
  await using record = await openRecord(folder, describeEpisode(options), { annotate });
  const writes = new BackgroundWrites();
  chat?.onVisit((visit) => writes.add(() => record.visit(visit)));
  await using env = new Environment({
    ...options,
    maxSteps: chooseMaxSteps(options),
    ...(agent.view && { view: agent.view }),
    onRefusal: (refusal) => writes.add(() => record.refused(refusal)),
  });
  const recorder = new EpisodeRecorder(env, record, options.checkpointEvery);
  const { end, grade, failure } = await playAndGrade(env, recorder, options, play);
  const error = failure === undefined ? null : explainCauses(failure);
  await writes.finish();
  // Its last output may be written as it ends.
  await owned.disposeAsync().catch((problem: unknown) => record.error(problem));
  await record.agentLog(agent.log ?? '');
  const { reward, rewardTrustworthy, doubts, trust, deaths } = await record.end(end, error ?? undefined);
  await env.close();
  const report = (await writeReport?.(folder)) ?? null;
  const scored = { reward, rewardTrustworthy, doubts, trust, deaths, grade };
  const ended = { end, error, code: readErrorCode(failure), steps: recorder.steps };
  return [{ task: task.id, agent: agent.name, ...ended, ...scored, folder, report }, failure];
}

/** Everything that is known about an episode before it begins. */
function describeEpisode({ task, agent, branch }: RecordedEpisodeOptions): RecordMeta {
  const { within, region }: ViewOptions = agent.view ?? {};
  // A picture of another size or part has other coordinates.
  const view = within || region ? { within, region } : null;
  return {
    session: randomUUID(),
    task: task.id,
    seed: task.seed,
    agent: { name: agent.name, version: programVersion, ...agent.about, view },
    versions: { pwp: programVersion, node: process.versions.node },
    forkedFrom: branch && {
      ...{ session: branch.session, checkpoint: branch.checkpoint },
      ...{ step: branch.step, replayed: branch.replayed },
    },
  };
}

/** The end of an episode, however it ended. */
interface EpisodeOutcome {
  readonly end: EpisodeEnding;
  readonly grade: Grade | null;
  /** Of the sandbox, the agent or the grading. */
  readonly failure?: unknown;
}

/** Reset, play, grade. A sandbox that failed on the way is graded by its disk; any other failure ends without a score. */
async function playAndGrade(
  env: Environment,
  recorder: EpisodeRecorder,
  options: RecordedEpisodeOptions,
  play: Play,
): Promise<EpisodeOutcome> {
  const { join, signal = neverAborted, onEvent } = options;
  const { record } = recorder;
  const reportFailure = (failure: unknown) => onEvent?.({ kind: 'error', message: explainCauses(failure) });
  try {
    const [first, reset] = await beginEpisode(env, options, signal);
    onEvent?.({ kind: 'reset', info: reset });
    await record.reset(first, reset);
    await recorder.state(0, signal);
    const played = await playFilmed(recorder, options, () => play(env, recorder, first));
    if ('failure' in played) await record.error(played.failure);
    await recorder.usage(true);
    const hasScore = join === undefined && played.end !== 'model-failed';
    const grade = hasScore ? await gradeWork(env, record, signal) : null;
    await recorder.services();
    if (played.end === 'model-failed' && 'failure' in played) reportFailure(played.failure);
    if (grade) {
      onEvent?.({ kind: 'grade', grade });
      await record.grade(grade);
    }
    return { grade, ...played };
  } catch (failure) {
    await recorder.services();
    await recorder.usage(true);
    reportFailure(failure);
    await record.error(failure);
    return { end: signal.aborted ? 'cancelled' : classifyEnding(failure), grade: null, failure };
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

async function beginEpisode(
  env: Environment,
  { branch, join }: RecordedEpisodeOptions,
  signal: AbortSignal,
): Promise<ResetResult> {
  if (join !== undefined) return await env.join(join, { signal });
  if (!branch) return await env.reset({ signal });
  const { checkpoint, step, notes } = branch;
  const [first, info] = await env.resume({ checkpoint, step }, { signal });
  return [first, { ...info, notes: [...info.notes, ...notes] }];
}

/** Records a video meanwhile if requested. */
async function playFilmed(
  recorder: EpisodeRecorder,
  { video = false }: RecordedEpisodeOptions,
  play: () => Promise<PlayedEnd>,
): Promise<PlayedEnd> {
  await using film = video ? await recorder.film() : null;
  void film;
  return await play();
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
