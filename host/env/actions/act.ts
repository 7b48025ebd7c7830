import type { Box, Point, ToolImage } from '../../../bridge/protocol/index.ts';
import type { InputCommand } from '../../node/index.ts';
import type { ToolAnswer } from '../tools/index.ts';
import type { Action } from './types.ts';

/** One action that was tried. */
export interface Act {
  readonly action: Action;
  /** Why it was refused, or undefined when it was played to its end. */
  readonly refusal: string | undefined;
  /** Why nobody knows how much of it was played: the display went away meanwhile. */
  readonly lost?: string;
  /** What proves that it was done, where it proves itself: a tool that answered. */
  readonly answer?: string;
  /** What a tool answered. */
  readonly tool?: ToolAnswer;
  /** The part of the screen that was asked for, in screen pixels, and its picture as it was then. */
  readonly zoom?: Zoom;
  readonly output: string | undefined;
  /** What was played: empty for a tool. */
  readonly commands: readonly InputCommand[];
  /** Nothing but pointer motion: hovers come late. */
  readonly pointerOnly: boolean;
  /** Where its pointer input went. */
  readonly point?: Point;
  /** Where the pointer was afterwards, for pointer motion alone. */
  readonly pointer?: Point;
}

export interface Zoom {
  readonly region: Box;
  readonly image: ToolImage;
}
