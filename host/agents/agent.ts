import type { Action, Observation, StepInfo } from '../env/index.ts';

/** What an agent sees before it decides. */
export interface Turn {
  readonly instruction: string;
  readonly observation: Observation;
  /** The outcome of its last actions; undefined on the first turn. */
  readonly last: StepInfo | undefined;
}

/** An agent's decision: an ordered batch, and the reason in its own words, if it gives one. */
export interface Decision {
  readonly actions: readonly (string | Action)[];
  readonly message?: string;
}

/** Looks and decides, turn after turn. One instance serves one episode. */
export interface Agent {
  readonly name: string;
  /** The next batch, or null when it has finished. `signal` fires when the episode ends early. */
  decide(turn: Turn, options: { readonly signal: AbortSignal }): Promise<Decision | null>;
}
