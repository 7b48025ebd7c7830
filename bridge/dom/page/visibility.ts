import type { Rect } from './api.ts';
import { clickReaches, findTextSurface } from './targets.ts';
import {
  containsNode,
  type DocumentView,
  findVisualParent,
  hasRoom,
  hitTestDocument,
  intersectRects,
  readPageClip,
  type RectCache,
  shiftRect,
} from './views.ts';
import { isWorkbench } from './workbench.ts';

/** Whether an element is drawn, apart from clipping and covering. */
export function isDrawn(element: Element): boolean {
  return element.checkVisibility({
    opacityProperty: true,
    visibilityProperty: true,
    contentVisibilityAuto: true,
  });
}

/** Finds the part of a drawn element that its ancestors leave visible. For one reading only: it caches clips. */
export class ClipReader {
  readonly #clips = new Map<Element, Rect>();
  readonly #rects: RectCache;

  constructor(rects: RectCache) {
    this.#rects = rects;
  }

  /** The part of `rect` (client coordinates of the view) that no ancestor clips; null if nothing is left. */
  seen(element: Element, rect: Rect, view: DocumentView): Rect | null {
    const shown = intersectRects(shiftRect(rect, view.dx, view.dy), this.#clipFor(element, view));
    return hasRoom(shown) ? shown : null;
  }

  /** The clip of an element's ancestors: an absolutely positioned one is clipped from its offset parent upwards. */
  #clipFor(element: Element, view: DocumentView, { position } = getComputedStyle(element)): Rect {
    if (position === 'fixed') return view.clip;
    const parent = position === 'absolute' ? (element as HTMLElement).offsetParent : element.parentElement;
    return parent ? this.#clipBy(parent, view) : view.clip;
  }

  #clipBy(element: Element, view: DocumentView): Rect {
    const known = this.#clips.get(element);
    if (known) return known;
    const style = getComputedStyle(element);
    const above = this.#clipFor(element, view, style);
    const { overflowX, overflowY, contain } = style;
    const clips = overflowX !== 'visible' || overflowY !== 'visible' || /strict|content|paint/.test(contain);
    const root = element.localName === 'html' || element.localName === 'body';
    const clip =
      clips && !root ? intersectRects(above, shiftRect(this.#rects.of(element), view.dx, view.dy)) : above;
    this.#clips.set(element, clip);
    return clip;
  }
}

/** An editor's or a terminal's text is drawn in layers of many elements, which don't block clicks on each other. */
const TEXT = '.view-lines, .view-overlays, .margin-view-overlays, .xterm-rows';
/** Cuts off what an editor has scrolled out of sight: its layers are as high as all of the text. */
const GUARD = 'overflow-guard';
/** Reading the whole page once costs as much as asking the browser about this many points. */
const POINTS_WORTH_A_SCAN = 20;

/** An element that is drawn and has a size, in document order. */
interface DrawnElement extends Rect {
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
export class HitTester {
  readonly #rects: RectCache;
  /** Points that the browser is still asked about before reading the whole page is worth it. */
  #asking: number;
  #page: DrawnPage | undefined;

  /** @param whole whether all of the page is requested */
  constructor(rects: RectCache, whole: boolean) {
    this.#rects = rects;
    const proves = isWorkbench() && document.querySelector(':modal, :popover-open, [inert]') === null;
    this.#asking = !proves ? Infinity : whole ? 0 : POINTS_WORTH_A_SCAN;
  }

  /** Whether a click at a point of the top document reaches an element of that tree. */
  isReached(element: Element, view: DocumentView, x: number, y: number): boolean {
    const [left, top] = [x - view.dx, y - view.dy];
    const { holder } = view;
    const isFree =
      this.#isProven(element, left, top) ||
      isHitAt(element, hitTestDocument(element.ownerDocument, left, top));
    return isFree && (!holder || this.isReached(holder.frame, holder.view, x, y));
  }

  #isProven(element: Element, x: number, y: number): boolean {
    if (element.ownerDocument !== document || this.#asking-- > 0) return false;
    this.#page ??= new DrawnPage(this.#rects);
    return this.#page.proves(findTextLayer(element) ?? element, x, y);
  }
}

/** Everything that is drawn in the page's own document, except for rows within layers of text. */
class DrawnPage {
  readonly #shown: readonly DrawnElement[];
  readonly #places = new Map<Element, number>();
  readonly #through = new Map<Element, boolean>();
  /**
   * The result for the element that was queried last: the rows of a layer and the content of a frame query the same
   * one.
   */
  #last:
    { readonly element: Element; readonly solid: boolean; readonly free: Map<Element, boolean> } | undefined;

  constructor(rects: RectCache) {
    this.#shown = listDrawnElements(rects);
    for (const [place, { element }] of this.#shown.entries()) this.#places.set(element, place);
  }

  /** Whether a click at the point certainly reaches the element. False says nothing. */
  proves(element: Element, x: number, y: number): boolean {
    const place = this.#places.get(element);
    const own = place === undefined ? undefined : this.#shown[place];
    if (place === undefined || own === undefined) return false;
    if (this.#last?.element !== element)
      this.#last = { element, solid: blocksPointer(element), free: new Map() };
    const { solid, free } = this.#last;
    const isFree = (other: DrawnElement, at: number): boolean => {
      if (!hasPoint(other, x, y)) return true;
      const around = at <= place && place < other.end;
      const inside = at > place && at < own.end;
      return around || inside || memoize(free, other.element, () => this.#isFree(element, other.element));
    };
    return solid && this.#shown.every(isFree);
  }

  /** Whether an element that is neither a descendant nor an ancestor takes no click from it. */
  #isFree(element: Element, other: Element): boolean {
    const through = memoize(this.#through, other, () => letsPointerThrough(other));
    return through || clickReaches(element, other) || isPaintedAbove(element, other);
  }
}

function memoize(known: Map<Element, boolean>, element: Element, find: () => boolean): boolean {
  let value = known.get(element);
  if (value === undefined) known.set(element, (value = find()));
  return value;
}

function isHitAt(element: Element, hit: Element | null): boolean {
  return hit !== null && clickReaches(element, hit);
}

/** Whether its rectangle catches the pointer wherever nothing is above it. That of an inline element may have gaps. */
function blocksPointer(element: Element): boolean {
  if (!(element instanceof HTMLElement)) return false;
  const catching = element.matches(TEXT) ? (findTextSurface(element) ?? element) : element;
  const { pointerEvents, display, zIndex } = getComputedStyle(catching);
  if (pointerEvents === 'none' || zIndex.startsWith('-')) return false;
  return display !== 'inline' || element.getClientRects().length === 1;
}

function letsPointerThrough(element: Element): boolean {
  const { visibility, pointerEvents } = getComputedStyle(element);
  return visibility !== 'visible' || pointerEvents === 'none';
}

/** The layer of text that an element is a row of; it represents its rows. */
function findTextLayer(row: Element): Element | undefined {
  const layer = row.parentElement;
  return layer?.matches(TEXT) ? layer : undefined;
}

/** In document order, without what an editor's guard cuts off. Other things that are cut off do no harm. */
function listDrawnElements(rects: RectCache): DrawnElement[] {
  const shown: DrawnElement[] = [];
  const look = (element: Element, clip: Rect): void => {
    const own = rects.of(element);
    if (own.left === own.right && own.top === own.bottom && !element.checkVisibility()) return;
    const { left, top, right, bottom } = intersectRects(own, clip);
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
  look(document.body, readPageClip());
  return shown;
}

function hasPoint({ left, top, right, bottom }: Rect, x: number, y: number): boolean {
  return x >= left && x < right && y >= top && y < bottom;
}

/**
 * Whether an element is certainly painted above another one that is neither its descendant nor its ancestor. Compares
 * their branches below the nearest common ancestor, within its stacking context
 * (https://www.w3.org/TR/CSS22/zindex.html): the lowest level that the one may have, and the highest of the other.
 */
function isPaintedAbove(element: Element, other: Element): boolean {
  const theirs = listBranch(other, (node) => containsNode(node, element));
  const common = findVisualParent(theirs.at(-1) ?? other);
  const ours = listBranch(element, (node) => node === common);
  const [lowest, highest] = [lowestLevel(ours), highestLevel(theirs)];
  if (lowest !== highest) return lowest > highest;
  return lowest === 0 && isEarlierSibling(theirs.at(-1), ours.at(-1));
}

/** From an element upwards to the one below the common ancestor. */
function listBranch(element: Element, isCommon: (node: Node) => boolean): Element[] {
  const found: Element[] = [];
  for (let node: Node | null = element; node && !isCommon(node); node = findVisualParent(node)) {
    if (node.nodeType === Node.ELEMENT_NODE) found.push(node as Element);
  }
  return found;
}

/**
 * Elements that are not positioned are below those that are; a level counts only in the outermost context of the
 * branch.
 */
function lowestLevel(branch: readonly Element[]): number {
  const top = branch.at(-1);
  const own = top && readZIndex(top);
  if (own !== undefined && own !== 'auto') return own;
  const placed = branch.map(readZIndex).findLast((level) => level !== undefined);
  return placed === undefined ? -1 : placed === 'auto' ? 0 : Math.min(0, placed);
}

/** Any number counts, whether it has an effect or not. */
function highestLevel(branch: readonly Element[]): number {
  return Math.max(0, ...branch.map((element) => Number(getComputedStyle(element).zIndex) || 0));
}

/** The z-index of a positioned element; undefined for one in the normal flow. */
function readZIndex(element: Element): number | 'auto' | undefined {
  const { position, zIndex } = getComputedStyle(element);
  if (position === 'static') return undefined;
  return zIndex === 'auto' ? 'auto' : Number(zIndex);
}

function isEarlierSibling(a: Element | undefined, b: Element | undefined): boolean {
  if (!a || !b || a.parentNode !== b.parentNode) return false;
  return (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
}
