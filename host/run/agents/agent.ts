import type { Action, Observation, StepInfo } from '../../ide/index.ts';
import type { ViewOptions } from '../../node/index.ts';
import type { Environment } from '../environment/index.ts';
import type { ModelExchange, RecordedTurn, RecordMeta } from '../record/index.ts';

/** The limits of an episode. */
export interface EpisodeLimits {
  readonly steps: number;
  /** Milliseconds, without the time that an agent waits for a model's server that holds it up. */
  readonly ms: number;
  /** Maximum tokens of its model, input plus output; null: no limit. */
  readonly tokens: number | null;
  /** Maximum cost of its model, in US dollars; null: no limit. */
  readonly costUsd: number | null;
}

/** A message of a person to a working agent. */
export interface ChatMessage {
  /** The person's name. */
  readonly from: string;
  readonly text: string;
}

/** The input to an agent's decision. */
export interface Turn {
  readonly instruction: string;
  readonly limits: EpisodeLimits;
  readonly observation: Observation;
  /** The outcome of its last actions; undefined on the first turn. */
  readonly last: StepInfo | undefined;
  /** The messages of people since its last decision. Default: no messages. */
  readonly messages?: readonly ChatMessage[] | undefined;
  /** More than the observation shows: pictures, marks drawn in, questions to the IDE. None of it acts. */
  readonly ide: Pick<Environment, 'ask' | 'picture' | 'render'>;
}

/** An agent's decision: an ordered batch, and the reason in its own words, if it gives one. */
export interface Decision {
  readonly actions: readonly (string | Action)[];
  /** It has finished, once these actions are done. Default false. */
  readonly done?: boolean;
  /** Why it has finished, if not by its own choice, e.g. because its model refuses to continue. */
  readonly end?: 'model-refused';
  readonly message?: string;
  /** Tokens, cost and time of the model for this decision. For the record and for limits. */
  readonly asked?: Omit<RecordedTurn, 'message'>;
  /** The requests to that model and its answers, for the record. */
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
  /** Known in advance, for the record: its model, its system prompt, its tools. */
  readonly about?: Omit<RecordMeta['agent'], 'name' | 'version'>;
  /** Its actions are written in advance, so no limit of steps applies unless one is given. Default false. */
  readonly isScript?: boolean;
  /** How it sees the screen. Its coordinates are in pixels of that picture. Default: the screen itself. */
  readonly view?: ViewOptions | undefined;
  /** Its output for people, for the record; read after it was disposed. */
  readonly log?: string;
  /** Takes the requests to its model for a decision that it did not make: {@link decide} has failed, or was ended. */
  takeUnanswered?(): Pick<Decision, 'asked' | 'exchanges'> | undefined;
  /**
   * The next batch, or null when it has finished. Errors: `ModelError` if its model can't be asked; any other
   * error is the agent's own fault.
   */
  decide(turn: Turn, options: DecideOptions): Promise<Decision | null>;
}
