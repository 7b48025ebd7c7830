import type { Observation, StepInfo } from '../../ide/index.ts';
import type { Agent, ChatMessage, Decision, EpisodeLimits } from '../agents/index.ts';
import type { Environment } from '../environment/index.ts';
import { ModelError } from '../models/index.ts';
import type { EpisodeEnding, EpisodeRecord, RecordedTurn } from '../record/index.ts';
import type { EpisodeClock, EpisodeUsage } from './episode-limits.ts';
import type { EpisodeRecorder } from './episode-recording.ts';

/** How an episode was played to its end; with the failure of sandbox, agent or model that ended it, if one did. */
export type PlayedEnd =
  | { readonly end: EpisodeEnding }
  | { readonly end: 'sandbox-failed' | 'agent-failed' | 'model-failed'; readonly failure: unknown };

/** An episode whose IDE is ready. */
export interface RunningEpisode {
  readonly env: Pick<Environment, 'task' | 'step' | 'awaitTurn' | 'observe' | 'ask' | 'picture' | 'render'>;
  readonly recorder: EpisodeRecorder;
  readonly agent: Agent;
  readonly limits: EpisodeLimits;
  readonly clock: EpisodeClock;
  readonly usage: EpisodeUsage;
  readonly onStep: (info: StepInfo) => void;
}

/** What there is to decide on: the screen, and the outcome of the last actions. */
export interface Seen {
  readonly observation: Observation;
  /** Undefined before the first step. */
  readonly last: StepInfo | undefined;
}

/** The agent's next decision; null when it has finished. */
export type Decide = (seen: Seen) => Promise<Decision | null>;

/** Thrown to end an episode from within a decision or a step. */
export class EpisodeOver extends Error {
  readonly played: PlayedEnd;

  constructor(played: PlayedEnd) {
    super(`the episode is over: ${played.end}`);
    this.played = played;
  }
}

/** The main loop: look, decide, act, until the agent has finished or a limit is reached. */
export async function playTask(
  { env, recorder, clock, usage, onStep }: RunningEpisode,
  decide: Decide,
  first: Observation,
): Promise<PlayedEnd> {
  const { signal } = clock;
  let seen: Seen = { observation: first, last: undefined };
  try {
    for (;;) {
      const decision = await decide(seen);
      if (decision === null) return { end: 'finished' };
      const { actions, done = false, end = 'finished' } = decision;
      const said = toTurn(decision);
      if (done && actions.length === 0) {
        await recorder.record.lastTurn(said);
        return { end };
      }
      const [observation, , , truncated, last] = await env.step(actions, { signal }).catch(failStep(signal));
      onStep(last);
      await clock.pauseFor(() => recorder.step(observation, last, said, signal));
      seen = { observation, last };
      if (done) return { end };
      const limit = truncated ? 'step-limit' : usage.limit;
      if (limit) return { end: limit };
    }
  } catch (error) {
    if (error instanceof EpisodeOver) return error.played;
    if (!clock.isUp) throw error;
    return { end: 'time-limit' };
  }
}

function failStep(signal: AbortSignal): (failure: unknown) => never {
  return (failure) => {
    if (signal.aborted) throw failure;
    throw new EpisodeOver({ end: 'sandbox-failed', failure });
  };
}

/** The agent's words, and the usage of its model. */
export function toTurn({ message, asked }: Decision): RecordedTurn {
  return { ...(message !== undefined && { message }), ...asked };
}

/** What the agent decides on, with the messages of people since its last decision. */
interface Heard extends Seen {
  readonly messages: readonly ChatMessage[];
}

/**
 * Asks the agent for its next decision, and records the requests to its model.
 * @param signal ends the decision, with the signal's or the agent's error
 */
export async function askAgent(
  { env, agent, limits, clock, usage, recorder: { record } }: RunningEpisode,
  heard: Heard,
  signal: AbortSignal,
): Promise<Decision | null> {
  const step = (heard.last?.step ?? 0) + 1;
  const turn = { instruction: env.task.instruction, limits, ...heard, ide: env };
  let decision: Decision | null;
  try {
    decision = await agent.decide(turn, { signal, onWait: clock.hold });
  } catch (failure) {
    const isRecorded = await recordUnanswered(agent, record, step);
    if (signal.aborted) throw failure;
    if (failure instanceof ModelError && !isRecorded) {
      const { exchange, tries } = failure;
      await record.exchange(step, { ...exchange, tries, dropped: { pictures: 0, turns: 0 }, images: [] });
    }
    throw new EpisodeOver(judgeFailure(failure));
  }
  for (const exchange of decision?.exchanges ?? []) await record.exchange(step, exchange);
  if (decision) usage.add(toTurn(decision));
  return decision;
}

/** Records a model's requests without an answer, also in the sums; false if the agent does not report them. */
async function recordUnanswered(agent: Agent, record: EpisodeRecord, step: number): Promise<boolean> {
  const unanswered = agent.takeUnanswered?.();
  for (const one of unanswered?.exchanges ?? []) await record.exchange(step, one);
  if (unanswered?.asked) await record.unanswered(unanswered.asked);
  return unanswered !== undefined;
}

/**
 * A model that can't be asked says nothing about the agent: a score would be that of its provider. A model that runs out
 * of context, or is stopped by a filter, is a normal end.
 */
function judgeFailure(failure: unknown): PlayedEnd {
  if (!(failure instanceof ModelError)) return { end: 'agent-failed', failure };
  if (failure.code === 'model-too-long') return { end: 'context-limit' };
  return failure.code === 'model-filtered' ? { end: 'model-refused' } : { end: 'model-failed', failure };
}
