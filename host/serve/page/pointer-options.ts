import type { InputMessage, Place } from './message.ts';

/** What mouse and fingers act on. */
export interface PointerOptions {
  readonly surface: HTMLElement;
  /** What scrolls where the screen is larger than its place. */
  readonly scroller: HTMLElement;
  readonly placeOf: (event: { readonly clientX: number; readonly clientY: number }) => Place;
  readonly isDriving: () => boolean;
  readonly send: (message: InputMessage) => void;
  readonly onPress: () => void;
}
