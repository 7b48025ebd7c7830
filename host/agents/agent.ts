import type { Action, Environment, Observation, StepInfo } from '../env/index.ts';
import type { ViewOptions } from '../node/index.ts';
import type { ModelExchange, RecordMeta, Turn as RecordedTurn } from '../record/index.ts';

/** What an episode may take. */
export interface EpisodeLimits {
  readonly steps: number;
  /** Milliseconds, without those in which a model's server makes its agent wait. */
  readonly ms: number;
  /** Tokens that its model may take in and put out in all; null: no limit. */
  readonly tokens: number | null;
  /** US dollars that its model may cost; null: no limit. */
  readonly costUsd: number | null;
}

/** What a person says to an agent at work. */
export interface ChatMessage {
  /** The person's name. */
  readonly from: string;
  readonly text: string;
}

/** What an agent sees before it decides. */
export interface Turn {
  readonly instruction: string;
  readonly limits: EpisodeLimits;
  readonly observation: Observation;
  /** The outcome of its last actions; undefined on the first turn. */
  readonly last: StepInfo | undefined;
  /** What people have said since its last decision. Default: nothing. */
  readonly messages?: readonly ChatMessage[] | undefined;
  /** For what the observation does not show: pictures, marks drawn in, questions to the IDE. Nothing here acts. */
  readonly ide: Pick<Environment, 'ask' | 'picture' | 'render'>;
}

/** An agent's decision: an ordered batch, and the reason in its own words, if it gives one. */
export interface Decision {
  readonly actions: readonly (string | Action)[];
  /** It has finished, once these actions are done. Default false. */
  readonly done?: boolean;
  /** Why it has finished, if that is not its own wish, e.g. that its model refuses to go on. */
  readonly end?: 'model-refused';
  readonly message?: string;
  /** What a model was asked for this decision: tokens, cost, time. For the record and for limits. */
  readonly asked?: Omit<RecordedTurn, 'message'>;
  /** What was sent to that model and what it answered, for the record. */
  readonly exchanges?: readonly ModelExchange[];
}

export interface DecideOptions {
  /** Fires when the episode ends early. */
  readonly signal: AbortSignal;
  /** Stops the episode's clock until the result is disposed: for waits that a model's server imposes. */
  readonly onWait?: () => Disposable;
}

/** Looks and decides, turn after turn. One instance serves one episode, and is disposed with it. */
export interface Agent extends Partial<AsyncDisposable> {
  readonly name: string;
  /** What is known of it beforehand, for the record: its model, its system prompt, its tools. */
  readonly about?: Omit<RecordMeta['agent'], 'name' | 'version'>;
  /** How it sees the screen. Its coordinates are in pixels of that picture. Default: the screen itself. */
  readonly view?: ViewOptions | undefined;
  /** What it wrote for people, for the record; read once it was disposed. */
  readonly log?: string;
  /** Takes what its model was asked for a decision that it did not make: {@link decide} has failed, or was ended. */
  takeUnanswered?(): Pick<Decision, 'asked' | 'exchanges'> | undefined;
  /**
   * The next batch, or null when it has finished. Errors: `ModelError` where its model can't be asked; what else it
   * throws is a fault of the agent's own.
   */
  decide(turn: Turn, options: DecideOptions): Promise<Decision | null>;
}
