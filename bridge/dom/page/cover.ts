import { isAbove } from './paint-order.ts';
import { intersect, type Rect, type Rects } from './rect.ts';
import { reaches, textSurface } from './target.ts';
import { hitIn, pageClip, type View } from './views.ts';
import { isWorkbench } from './workbench.ts';

/** An editor's or a terminal's text is drawn in layers of many elements, which don't block clicks on each other. */
const TEXT = '.view-lines, .view-overlays, .margin-view-overlays, .xterm-rows';
/** Cuts off what an editor has scrolled out of sight: its layers are as high as all of the text. */
const GUARD = 'overflow-guard';
/** Reading the whole page once costs as much as asking the browser about this many points. */
const WORTH = 20;

/** An element that is drawn and has a size, in document order. */
interface Shown extends Rect {
  readonly element: Element;
  /** Its place in that order, after all of its descendants. */
  end: number;
}

/**
 * Finds out what a click reaches, for one reading of the page.
 *  The browser takes 0.1 to 0.3 ms to find the element at a point of VS Code's own document. So that document is read
 * as a whole, once: a click reaches an element if nothing else is drawn at that point except its ancestors, its
 * descendants, and elements that are below it or let the pointer through. If rectangles can't prove that, the browser
 * is asked. It is always asked in other documents, which are small and cover things in ways that rectangles don't show.
 *  Rectangles don't show text and pseudo-elements that leave their element's box, either: VS Code has none that take
 * clicks there. If one did, the mark would be reported, but a click on it refused: before a click the browser is asked.
 */
export class Cover {
  readonly #rects: Rects;
  /** Points that the browser is still asked about before reading the whole page is worth it. */
  #asking: number;
  #page: Drawn | undefined;

  /** @param whole whether all of the page is requested */
  constructor(rects: Rects, whole: boolean) {
    this.#rects = rects;
    const proves = isWorkbench() && document.querySelector(':modal, :popover-open, [inert]') === null;
    this.#asking = !proves ? Infinity : whole ? 0 : WORTH;
  }

  /** Whether a click at a point of the top document reaches an element of that tree. */
  isReached(element: Element, view: View, x: number, y: number): boolean {
    const [left, top] = [x - view.dx, y - view.dy];
    const { holder } = view;
    const isFree =
      this.#isProven(element, left, top) || isHit(element, hitIn(element.ownerDocument, left, top));
    return isFree && (!holder || this.isReached(holder.frame, holder.view, x, y));
  }

  #isProven(element: Element, x: number, y: number): boolean {
    if (element.ownerDocument !== document || this.#asking-- > 0) return false;
    this.#page ??= new Drawn(this.#rects);
    return this.#page.proves(layerOf(element) ?? element, x, y);
  }
}

/** Everything that is drawn in the page's own document, except for rows within layers of text. */
class Drawn {
  readonly #shown: readonly Shown[];
  readonly #places = new Map<Element, number>();
  readonly #through = new Map<Element, boolean>();
  /**
   * The result for the element that was queried last: the rows of a layer and the content of a frame query the same
   * one.
   */
  #last:
    { readonly element: Element; readonly solid: boolean; readonly free: Map<Element, boolean> } | undefined;

  constructor(rects: Rects) {
    this.#shown = everythingShown(rects);
    for (const [place, { element }] of this.#shown.entries()) this.#places.set(element, place);
  }

  /** Whether a click at the point certainly reaches the element. False says nothing. */
  proves(element: Element, x: number, y: number): boolean {
    const place = this.#places.get(element);
    const own = place === undefined ? undefined : this.#shown[place];
    if (place === undefined || own === undefined) return false;
    if (this.#last?.element !== element) this.#last = { element, solid: isSolid(element), free: new Map() };
    const { solid, free } = this.#last;
    const isFree = (other: Shown, at: number): boolean => {
      if (!has(other, x, y)) return true;
      const around = at <= place && place < other.end;
      const inside = at > place && at < own.end;
      return around || inside || remembered(free, other.element, () => this.#isFree(element, other.element));
    };
    return solid && this.#shown.every(isFree);
  }

  /** Whether an element that is neither a descendant nor an ancestor takes no click from it. */
  #isFree(element: Element, other: Element): boolean {
    const through = remembered(this.#through, other, () => letsThrough(other));
    return through || reaches(element, other) || isAbove(element, other);
  }
}

function remembered(known: Map<Element, boolean>, element: Element, find: () => boolean): boolean {
  let value = known.get(element);
  if (value === undefined) known.set(element, (value = find()));
  return value;
}

function isHit(element: Element, hit: Element | null): boolean {
  return hit !== null && reaches(element, hit);
}

/** Whether its rectangle catches the pointer wherever nothing is above it. That of an inline element may have gaps. */
function isSolid(element: Element): boolean {
  if (!(element instanceof HTMLElement)) return false;
  const catching = element.matches(TEXT) ? (textSurface(element) ?? element) : element;
  const { pointerEvents, display, zIndex } = getComputedStyle(catching);
  if (pointerEvents === 'none' || zIndex.startsWith('-')) return false;
  return display !== 'inline' || element.getClientRects().length === 1;
}

function letsThrough(element: Element): boolean {
  const { visibility, pointerEvents } = getComputedStyle(element);
  return visibility !== 'visible' || pointerEvents === 'none';
}

/** The layer of text that an element is a row of; it represents its rows. */
function layerOf(row: Element): Element | undefined {
  const layer = row.parentElement;
  return layer?.matches(TEXT) ? layer : undefined;
}

/** In document order, without what an editor's guard cuts off. Other things that are cut off do no harm. */
function everythingShown(rects: Rects): Shown[] {
  const shown: Shown[] = [];
  const look = (element: Element, clip: Rect): void => {
    const own = rects.of(element);
    if (own.left === own.right && own.top === own.bottom && !element.checkVisibility()) return;
    const { left, top, right, bottom } = intersect(own, clip);
    const entry = { element, left, top, right, bottom, end: 0 };
    if (left < right && top < bottom) shown.push(entry);
    if (!element.matches(TEXT)) {
      const within = element.classList.contains(GUARD) ? entry : clip;
      for (const child of element.shadowRoot?.children ?? []) look(child, within);
      for (let child = element.firstElementChild; child; child = child.nextElementSibling)
        look(child, within);
    }
    entry.end = shown.length;
  };
  look(document.body, pageClip());
  return shown;
}

function has({ left, top, right, bottom }: Rect, x: number, y: number): boolean {
  return x >= left && x < right && y >= top && y < bottom;
}
