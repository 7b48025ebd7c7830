import type { Point } from '../../protocol/index.ts';
import { CANDIDATES } from './candidates.ts';
import { isPlayer, playButton } from './players.ts';
import { scale, type Rect, type Rects } from './rect.ts';
import { contains, elementAt, parentOf } from './views.ts';

/** The part of an element that represents it, in client coordinates of its own tree. */
export function targetRect(element: Element, role: string, rects: Rects): Rect {
  const rect = rects.of(element);
  if (role === 'line' || role === 'sticky line') return textRect(element.firstElementChild, rect);
  if (role === 'terminal line') return textRect(element.lastElementChild, rect);
  if (role === 'gutter') return glyphRect(element, rect);
  if (isPlayer(element)) return playButton(element, rect);
  if (element.localName === 'a') return linkRect(element, rect);
  return rect;
}

/** A line reaches to the end of its text, not of the editor; an empty one keeps room for the caret. */
function textRect(text: Element | null, rect: Rect): Rect {
  const right = Math.max(text?.getBoundingClientRect().right ?? rect.left, rect.left + 8);
  return { left: rect.left, top: rect.top, right, bottom: rect.bottom };
}

/** A link that wraps does not fill the rectangle around it: its longest line represents it. */
function linkRect(element: Element, rect: Rect): Rect {
  const lines = [...element.getClientRects()];
  if (lines.length < 2) return rect;
  const { left, top, right, bottom } = lines.reduce((one, other) => (other.width > one.width ? other : one));
  return { left, top, right, bottom };
}

/** The place left of the line number, where a click sets a breakpoint. */
function glyphRect(element: Element, rect: Rect): Rect {
  const number = element.querySelector('.line-numbers')?.getBoundingClientRect();
  if (!number || number.left - rect.left < 8) return rect;
  return { left: rect.left, top: rect.top, right: number.left, bottom: rect.bottom };
}

/** The place where a click reaches an element. */
export interface Target {
  /** In screen pixels. */
  readonly point: Point;
  /** The element, or the half of it that is not covered: a click at its centre reaches the element. */
  readonly part: Rect;
}

/** Parts whose centres are tried, as fractions of width and height: the whole first, then its halves. */
const PARTS = [
  [0, 0, 1, 1],
  [0, 0, 0.5, 1],
  [0.5, 0, 1, 1],
  [0, 0, 1, 0.5],
  [0, 0.5, 1, 1],
] as const;

/** The element, or the first half of it, whose centre a click reaches; null if all that was tried is covered. */
export function reachedPart(rect: Rect, isReached: (x: number, y: number) => boolean): Rect | null {
  for (const fractions of PARTS) {
    const part = partOf(rect, fractions);
    const { x, y } = centreOf(part);
    if (isReached(x, y)) return part;
  }
  return null;
}

/**
 * Finds where a click reaches the element; null if all that was tried is covered.
 * A point over a smaller target inside it is taken only when there is no better one.
 */
export function clickTarget(element: Element, rect: Rect): Target | null {
  let second: Target | null = null;
  for (const fractions of PARTS) {
    const part = partOf(rect, fractions);
    const { x, y } = centreOf(part);
    const hit = elementAt(x, y);
    if (!hit || !reaches(element, hit)) continue;
    // With a smaller target in the middle, the whole is still visible, but a click there would reach that target.
    const point = { x: Math.floor(x * scale()), y: Math.floor(y * scale()) };
    const target: Target = { point, part: second?.part ?? part };
    const inner = innerTarget(element, hit);
    if (!inner || fills(inner, element)) return target;
    second ??= target;
  }
  return second;
}

function partOf(rect: Rect, [left, top, right, bottom]: (typeof PARTS)[number]): Rect {
  const width = rect.right - rect.left;
  const height = rect.bottom - rect.top;
  return {
    left: rect.left + width * left,
    top: rect.top + height * top,
    right: rect.left + width * right,
    bottom: rect.top + height * bottom,
  };
}

/** The middle of the screen's pixel that a click at the centre hits. */
function centreOf({ left, top, right, bottom }: Rect): Point {
  const middle = (from: number, to: number) => (Math.floor(((from + to) / 2) * scale()) + 0.5) / scale();
  return { x: middle(left, right), y: middle(top, bottom) };
}

/** Whether a click on the element that was hit counts as a click on this one. */
export function reaches(element: Element, hit: Element): boolean {
  return contains(element, hit) || labels(element, hit) || sameSurface(element, hit);
}

function labels(element: Element, hit: Element): boolean {
  const { labels: found } = element as HTMLInputElement;
  return Boolean(found && [...found].some((label) => label.contains(hit)));
}

/** Handles the mouse for all the text in it, by transparent layers over the lines. */
const SURFACE = '.lines-content, .margin, .xterm';
const WIDGETS = '.contentWidgets > *, .overlayWidgets > *, .overflowingContentWidgets > *';

/** The element that takes the clicks on an editor's or a terminal's text; null for anything else. */
export function textSurface(element: Element): Element | null {
  return element.closest(SURFACE);
}

function sameSurface(element: Element, hit: Element): boolean {
  const own = textSurface(element);
  return own !== null && own === textSurface(hit) && !hit.closest(WIDGETS);
}

/** The smaller target, if any, at a place within an element. */
function innerTarget(element: Element, hit: Element): Element | null {
  for (let node: Node | null = hit; node && node !== element; node = parentOf(node)) {
    if ('matches' in node && (node as Element).matches(CANDIDATES))
      return contains(element, hit) ? (node as Element) : null;
  }
  return null;
}

/** Whether an inner target is at all places that would be tried: then no other place is better. */
function fills(inner: Element, outer: Element): boolean {
  if (inner.getRootNode() !== outer.getRootNode()) return false;
  const [a, b] = [inner.getBoundingClientRect(), outer.getBoundingClientRect()];
  const [width, height] = [b.width / 4, b.height / 4];
  return (
    a.left <= b.left + width &&
    a.right >= b.right - width &&
    a.top <= b.top + height &&
    a.bottom >= b.bottom - height
  );
}
