import type { Action, Observation, StepInfo } from '../env/index.ts';

/** What an agent sees before it decides. */
export interface Turn {
  readonly instruction: string;
  readonly observation: Observation;
  /** What its last actions did; undefined on the first turn. */
  readonly last: StepInfo | undefined;
}

/** What an agent decided: an ordered batch, and why in its own words where it says. */
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
