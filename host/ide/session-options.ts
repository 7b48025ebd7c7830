import type { MarksQuery } from '../../bridge/protocol/index.ts';
import type { ViewOptions } from '../node/index.ts';
import type { Action } from './actions/index.ts';
import type { StepActor } from './people/index.ts';

export interface SessionOptions {
  /** Settling ends after this many milliseconds at the latest. Default 4000. */
  readonly settleCapMs?: number;
  /**
   * How the agent sees the screen, e.g. `{ within: { width: 1280, height: 720 }, format: 'webp' }`: each observation has
   * that picture as `screen.view`, and the coordinates of xdotool lines, marks, focus and caret are its pixels. What is
   * recorded stays in screen pixels. Default: the screen itself.
   */
  readonly view?: ViewOptions;
  /** The marks in an observation. Default: all, up to the protocol's limit. */
  readonly marks?: MarksQuery;
  /** Each observation has what VS Code played since the one before. Default false. Errors: `unsupported` without sound. */
  readonly audio?: boolean;
  /** Who takes the steps, shown to people who watch in the IDE. Default: an agent. */
  readonly by?: StepActor;
  /** Steps that were taken before, e.g. by another process: the count continues. Default 0. */
  readonly steps?: number;
  /**
   * The mouse or keyboard action that is silently skipped, counted from 1, to see whether the agent notices. Its outcome
   * reports what is seen: that nothing has changed. Default: no action.
   */
  readonly suppress?: number | undefined;
}

/** One action or an ordered batch, as lines or parsed. */
export type Actions = string | Action | readonly (string | Action)[];

export interface StepOptions {
  /**
   * Continue even if typed text did not land as it was sent, or a click did not focus what it hit. Default false: the rest
   * of the batch is skipped, since it would go to the wrong place.
   */
  readonly force?: boolean;
}

/** Whether an action does something to the IDE. A question does not: it waits for people, who may take an hour. */
export function isPlayed(batch: readonly (string | Action)[]): boolean {
  return batch.some((action) => typeof action === 'string' || action.kind !== 'ask');
}

export function toBatch(actions: Actions): readonly (string | Action)[] {
  return typeof actions === 'string' || 'kind' in actions ? [actions] : actions;
}
