import type { Box } from '../../protocol/index.ts';

/** A rectangle by its edges, in pixels of the top document's viewport. */
export interface Rect {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Rectangles in client coordinates, for one reading: each is measured once. */
export class Rects {
  readonly #known = new Map<Element, Rect>();

  of(element: Element): Rect {
    let rect = this.#known.get(element);
    if (!rect) {
      const { left, top, right, bottom } = element.getBoundingClientRect();
      this.#known.set(element, (rect = { left, top, right, bottom }));
    }
    return rect;
  }
}

export function intersect(a: Rect, b: Rect): Rect {
  return {
    left: Math.max(a.left, b.left),
    top: Math.max(a.top, b.top),
    right: Math.min(a.right, b.right),
    bottom: Math.min(a.bottom, b.bottom),
  };
}

export function shift(rect: Rect, dx: number, dy: number): Rect {
  return { left: rect.left + dx, top: rect.top + dy, right: rect.right + dx, bottom: rect.bottom + dy };
}

/** Whether it is large enough for a pointer: thinner elements are borders, not targets. */
export function hasRoom(rect: Rect): boolean {
  return rect.right - rect.left >= 3 && rect.bottom - rect.top >= 3;
}

/** Screen pixels for one pixel of the page: more than 1 if the page is zoomed in. */
export function scale(): number {
  return window.devicePixelRatio;
}

/** From the page's pixels to the screen's. */
export function toBox(rect: Rect): Box {
  const x = Math.round(rect.left * scale());
  const y = Math.round(rect.top * scale());
  const width = Math.max(0, Math.round(rect.right * scale()) - x);
  return { x, y, width, height: Math.max(0, Math.round(rect.bottom * scale()) - y) };
}
