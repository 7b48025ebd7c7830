import { hasRoom, intersect, shift, type Rect, type Rects } from './rect.ts';
import type { View } from './views.ts';

/** Whether an element is drawn, apart from clipping and covering. */
export function isDrawn(element: Element): boolean {
  return element.checkVisibility({
    opacityProperty: true,
    visibilityProperty: true,
    contentVisibilityAuto: true,
  });
}

/** Finds the part of a drawn element that its ancestors leave visible. For one reading only: it caches clips. */
export class Visibility {
  readonly #clips = new Map<Element, Rect>();
  readonly #rects: Rects;

  constructor(rects: Rects) {
    this.#rects = rects;
  }

  /** The part of `rect` (client coordinates of the view) that no ancestor clips; null if nothing is left. */
  seen(element: Element, rect: Rect, view: View): Rect | null {
    const shown = intersect(shift(rect, view.dx, view.dy), this.#clipFor(element, view));
    return hasRoom(shown) ? shown : null;
  }

  /** The clip of an element's ancestors: an absolutely positioned one is clipped from its offset parent upwards. */
  #clipFor(element: Element, view: View, { position } = getComputedStyle(element)): Rect {
    if (position === 'fixed') return view.clip;
    const parent = position === 'absolute' ? (element as HTMLElement).offsetParent : element.parentElement;
    return parent ? this.#clipBy(parent, view) : view.clip;
  }

  #clipBy(element: Element, view: View): Rect {
    const known = this.#clips.get(element);
    if (known) return known;
    const style = getComputedStyle(element);
    const above = this.#clipFor(element, view, style);
    const { overflowX, overflowY, contain } = style;
    const clips = overflowX !== 'visible' || overflowY !== 'visible' || /strict|content|paint/.test(contain);
    const root = element.localName === 'html' || element.localName === 'body';
    const clip = clips && !root ? intersect(above, shift(this.#rects.of(element), view.dx, view.dy)) : above;
    this.#clips.set(element, clip);
    return clip;
  }
}
