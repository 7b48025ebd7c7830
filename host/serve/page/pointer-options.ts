import type { InputMessage, Place } from './message.ts';

/** The elements that mouse and fingers act on. */
export interface PointerOptions {
  readonly surface: HTMLElement;
  /** The element that scrolls if the screen is larger than its place. */
  readonly scroller: HTMLElement;
  readonly placeOf: (event: { readonly clientX: number; readonly clientY: number }) => Place;
  readonly isDriving: () => boolean;
  readonly send: (message: InputMessage) => void;
  readonly onPress: () => void;
}
