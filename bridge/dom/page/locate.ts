import type { Box, Point } from '../../protocol/index.ts';
import {
  readAccessibleName,
  readElementState,
  readFieldValue,
  readRole,
  shortenLine,
} from './accessibility.ts';
import type { ForeignFrame, PageUnder } from './api.ts';
import { CANDIDATES, isTarget } from './targets.ts';
import {
  findActiveElement,
  findElementAt,
  findViewOffset,
  findVisualParent,
  type ForeignFrameView,
  intersectRects,
  readScale,
  shiftRect,
  toBox,
  walkViews,
} from './views.ts';

/**
 * The element that a click at a point of the screen would reach: the nearest target there, else the innermost element.
 * Null outside of the page.
 * @param idOf the id of an element as a mark; 0 if it is not a mark
 */
export function readElementAt({ x, y }: Point, idOf: (element: Element) => number): PageUnder | null {
  const hit = findElementAt((x + 0.5) / readScale(), (y + 0.5) / readScale());
  if (!hit) return null;
  const element = findTargetAround(hit) ?? hit;
  const role = readRole(element) || 'generic';
  const value = readFieldValue(element, 300);
  const { dx, dy } = findViewOffset(element);
  return {
    id: idOf(element),
    role,
    name: readAccessibleName(element, role) || shortenLine((element as Partial<HTMLElement>).innerText),
    ...(value !== undefined && { value }),
    state: readElementState(element, element === findActiveElement()),
    box: toBox(shiftRect(element.getBoundingClientRect(), dx, dy)),
  };
}

function findTargetAround(hit: Element): Element | null {
  for (let node: Node | null = hit; node; node = findVisualParent(node)) {
    if (node.nodeType !== Node.ELEMENT_NODE) continue;
    const element = node as Element;
    if (element.matches(CANDIDATES) && isTarget(element)) return element;
  }
  return null;
}

/** The visible part of the first match of a selector that has one; null if no match has. Throws for a bad selector. */
export function findVisibleBox(selector: string): Box | null {
  const window = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
  for (const element of document.querySelectorAll(selector)) {
    const { left, top, right, bottom } = intersectRects(element.getBoundingClientRect(), window);
    if (right > left && bottom > top) return toBox({ left, top, right, bottom });
  }
  return null;
}

/** Numbers the frames that this document shows and can't read. */
export class ForeignFrames {
  readonly #keys = new WeakMap<HTMLIFrameElement, number>();
  readonly #frames = new Map<number, WeakRef<HTMLIFrameElement>>();
  #next = 1;

  read(): ForeignFrame[] {
    const found: ForeignFrameView[] = [];
    for (const { root } of walkViews(found)) void root;
    return this.describe(found, () => true);
  }

  /** @param inside whether a query asks for all that is in an element */
  describe(found: readonly ForeignFrameView[], inside: (frame: Element) => boolean): ForeignFrame[] {
    const active = found.length > 0 ? findActiveElement() : null;
    return found.map(({ frame, dx, dy, clip }) => ({
      key: this.#keyOf(frame),
      name: shortenLine(frame.title || frame.name || frame.src, 200),
      place: { dx, dy, clip },
      focused: frame === active,
      inside: inside(frame),
    }));
  }

  element(key: number): HTMLIFrameElement | undefined {
    return this.#frames.get(key)?.deref();
  }

  shows(key: number, points: readonly Point[]): boolean[] {
    const frame = this.element(key);
    return points.map(
      ({ x, y }) => findElementAt((x + 0.5) / readScale(), (y + 0.5) / readScale()) === frame,
    );
  }

  #keyOf(frame: HTMLIFrameElement): number {
    let key = this.#keys.get(frame);
    if (key === undefined) {
      this.#keys.set(frame, (key = this.#next++));
      this.#frames.set(key, new WeakRef(frame));
    }
    return key;
  }
}
