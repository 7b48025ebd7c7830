import type { Action } from '../actions/index.ts';
import type { AnswerPicture } from '../tools/index.ts';
import type { Difference } from './difference.ts';

/** The outcome of an action: never claimed, always seen. */
export type Effect = 'confirmed' | 'partial' | 'no-effect' | 'unverifiable' | 'refused';

export interface ActionOutcome {
  readonly action: Action;
  readonly effect: Effect;
  /** The evidence for the effect, one line, e.g. `screen changed in 312x40 at (8, 96)`; for `refused`, why. */
  readonly evidence: string;
  /** The output of the action: of a tool, or the line of `getmouselocation`. */
  readonly output: string | undefined;
  /** A tool's answer, in its descriptor's output schema; `output` is the same as text. */
  readonly result?: unknown;
  /** Pictures of a tool's answer, or the one that `zoom`, or `screenshot` in the middle of a batch, requested. */
  readonly images?: readonly AnswerPicture[];
  /** The result of typed text, in full, if it could be read back. */
  readonly typed?: Typed;
  /** It was not tried, since a later action of its batch could not be read. Absent for all others. */
  readonly untried?: true;
  /** It was not played, as {@link SessionOptions.suppress} asks. Hidden from the agent. Absent for all others. */
  readonly suppressed?: true;
}

/** The result of the text that an action typed, in full: the evidence line shortens it. */
export interface Typed {
  readonly where: 'editor' | 'field' | 'terminal';
  /** The document's URI, or the field's name. */
  readonly name: string;
  /** Where it begins, both from 1; of a terminal, always 1. */
  readonly line: number;
  readonly column: number;
  /** The text that was there before. */
  readonly replaced: string;
  /** How what landed differs from what was sent. */
  readonly differences: readonly Difference[];
}

export interface Judged {
  readonly effect: Effect;
  readonly evidence: string;
  readonly typed?: Typed;
}
