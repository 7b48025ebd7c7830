import { type Cancellable, neverAborted } from '../../../bridge/lib/index.ts';
import type { Observation, StepInfo } from '../../ide/index.ts';
import type { Task } from '../../tasks/index.ts';
import type { Agent, EpisodeLimits } from '../agents/index.ts';
import type { Environment } from '../environment/index.ts';
import { ModelError } from '../models/index.ts';
import type { EpisodeEnding, EpisodeRecord } from '../record/index.ts';
import { type AgentChat, PeopleInLoop } from './agent-chat.ts';
import { EpisodeClock, EpisodeUsage } from './episode-limits.ts';
import { recordSandboxUsage, recordStep } from './episode-recording.ts';

export interface LoopOptions extends Cancellable {
  readonly task: Task;
  readonly agent: Agent;
  /** Maximum tokens of its model, input plus output. Default: no limit. */
  readonly tokenLimit?: number;
  /** Maximum cost of its model, in US dollars. Default: no limit. */
  readonly costLimit?: number;
  /** Take a checkpoint every this many steps. Default: no checkpoints. */
  readonly checkpointEvery?: number | undefined;
  /** People talk with the agent. */
  readonly chat?: AgentChat | undefined;
  /** It waits for their message before it does anything. */
  readonly waits: boolean;
  readonly onStep: (info: StepInfo) => void;
}

/** How the loop ended; with the failure of sandbox, agent or model that ended it, if one did. */
export type LoopEnd =
  | { readonly end: EpisodeEnding }
  | { readonly end: 'sandbox-failed' | 'agent-failed' | 'model-failed'; readonly failure: unknown };

/**
 * The main loop: look, decide, act, until the agent has finished or a limit is reached. Among people it continues with
 * their messages.
 */
export async function playLoop(
  env: Environment,
  record: EpisodeRecord,
  first: Observation,
  options: LoopOptions,
  progress: { steps: number },
): Promise<LoopEnd> {
  const { task, agent, tokenLimit, costLimit, checkpointEvery, signal = neverAborted } = options;
  const limits = readEpisodeLimits(env, options);
  using time = new EpisodeClock(`episode of ${task.id}`, limits.ms, signal);
  const people = new PeopleInLoop({ env, record, time, chat: options.chat, waits: options.waits });
  const spent = new EpisodeUsage({ tokenLimit, costLimit });
  let observation = first;
  let last: StepInfo | undefined;
  try {
    for (;;) {
      const heard = await people.next(observation, progress.steps);
      if (heard === null) return { end: 'finished' };
      const turn = { instruction: env.task.instruction, limits, ...heard, last, ide: env };
      const deciding = agent.decide(turn, { signal: people.signal, onWait: time.hold });
      const decided = await settleUnlessAborted(time.signal, deciding);
      observation = heard.observation;
      if ('failure' in decided) {
        const isKept = await recordUnanswered(agent, record, progress.steps + 1);
        if (people.stopped(heard.messages)) continue;
        return await endUndecided(decided.failure, isKept ? null : record, progress.steps + 1);
      }
      const decision = decided.value ?? { actions: [], done: true };
      if (decided.value === null && !people.goesOn) return { end: 'finished' };
      for (const exchange of decision.exchanges ?? []) await record.exchange(progress.steps + 1, exchange);
      const said = {
        ...(decision.message !== undefined && { message: decision.message }),
        ...decision.asked,
      };
      spent.add(said);
      people.reply(decision.message);
      const isDone = decision.done === true;
      if (isDone && people.goesOn) people.rest();
      if (isDone && decision.actions.length === 0) {
        await (people.goesOn ? record.reply(said) : record.lastTurn(said));
        if (!people.goesOn) return { end: decision.end ?? 'finished' };
        if (spent.limit) return { end: spent.limit };
        continue;
      }
      const stepped = await settleUnlessAborted(
        time.signal,
        env.step(decision.actions, { signal: time.signal }),
      );
      if ('failure' in stepped) return { end: 'sandbox-failed', failure: stepped.failure };
      const [next, , , truncated, info] = stepped.value;
      options.onStep(info);
      [observation, last, progress.steps] = [next, info, info.step];
      await recordStep(env, record, { observation: next, info, turn: said, checkpointEvery }, time);
      await recordSandboxUsage(env, record);
      if (isDone && !people.goesOn) return { end: decision.end ?? 'finished' };
      const limit = truncated ? 'step-limit' : spent.limit;
      if (limit) return { end: limit };
    }
  } catch (error) {
    if (time.signal.aborted) await recordUnanswered(agent, record, progress.steps + 1);
    if (signal.aborted || !time.signal.aborted) throw error;
    return { end: 'time-limit' };
  }
}

function readEpisodeLimits(
  { stepLimit }: Environment,
  { task, tokenLimit, costLimit }: LoopOptions,
): EpisodeLimits {
  return {
    steps: stepLimit,
    ms: task.config.agent.timeout_sec * 1000,
    tokens: tokenLimit ?? null,
    costUsd: costLimit ?? null,
  };
}

/** The outcome of a promise; rejects only if the signal has fired. */
async function settleUnlessAborted<T>(
  signal: AbortSignal,
  work: Promise<T>,
): Promise<{ readonly value: T } | { readonly failure: unknown }> {
  try {
    return { value: await work };
  } catch (failure) {
    if (signal.aborted) throw failure;
    return { failure };
  }
}

/**
 * A model that can't be asked says nothing about the agent: a score would be that of its provider. A model that runs out
 * of context, or is stopped by a filter, is a normal end.
 * @param record gets the exchange, unless the agent has reported it
 */
async function endUndecided(failure: unknown, record: EpisodeRecord | null, step: number): Promise<LoopEnd> {
  if (!(failure instanceof ModelError)) return { end: 'agent-failed', failure };
  const { exchange, tries } = failure;
  await record?.exchange(step, { ...exchange, tries, dropped: { pictures: 0, turns: 0 }, images: [] });
  if (failure.code === 'model-too-long') return { end: 'context-limit' };
  return failure.code === 'model-filtered' ? { end: 'model-refused' } : { end: 'model-failed', failure };
}

/** Records a model's requests without an answer, also in the sums; false if the agent does not report them. */
async function recordUnanswered(agent: Agent, record: EpisodeRecord, step: number): Promise<boolean> {
  const unanswered = agent.takeUnanswered?.();
  for (const one of unanswered?.exchanges ?? []) await record.exchange(step, one);
  if (unanswered?.asked) await record.unanswered(unanswered.asked);
  return unanswered !== undefined;
}
