import type { Box } from '../../protocol/index.ts';
import type { FramePlace, Rect } from './api.ts';

/** One tree of elements, with the way from its coordinates to the top document's. */
export interface DocumentView {
  readonly root: Document | ShadowRoot;
  /** Added to a client rectangle in this tree to get one in the top document. */
  readonly dx: number;
  readonly dy: number;
  /** The bounds of the visible part of this tree, in the top document's pixels. */
  readonly clip: Rect;
  /** The iframe that shows the document, if it is in a document that can be read. */
  readonly holder?: Holder;
}

interface Holder {
  readonly frame: HTMLIFrameElement;
  /** The tree that the iframe is in. */
  readonly view: DocumentView;
}

/** An iframe of another origin: only its own documents can read it. */
export interface ForeignFrameView {
  readonly frame: HTMLIFrameElement;
  readonly dx: number;
  readonly dy: number;
  readonly clip: Rect;
}

let frameOrigin: FramePlace = null;

/** Passes a document in a frame of another origin its place, which it can't find out. */
export function setFrameOrigin(place: FramePlace): void {
  frameOrigin = place;
}

/** The bounds of the visible part of this document, in the top document's pixels. */
export function readPageClip(): Rect {
  return frameOrigin?.clip ?? { left: 0, top: 0, right: window.innerWidth, bottom: window.innerHeight };
}

/** Deeper than any page of VS Code; reading a page that nests itself ends here. */
const MAX_DEPTH = 12;

/**
 * This document and, before they are requested, nothing else: iframes and shadow trees follow one by one.
 * @param foreign receives the shown frames of other origins on the way
 */
export function* walkViews(foreign?: ForeignFrameView[]): Generator<DocumentView> {
  const { dx, dy } = frameOrigin ?? { dx: 0, dy: 0 };
  yield* walkBelow({ root: document, dx, dy, clip: readPageClip() }, 0, foreign);
}

function* walkBelow(
  view: DocumentView,
  depth: number,
  foreign?: ForeignFrameView[],
): Generator<DocumentView> {
  yield view;
  if (depth === MAX_DEPTH) return;
  for (const element of view.root.querySelectorAll(view.root === document ? listHolders() : '*')) {
    if (element.shadowRoot) yield* walkBelow({ ...view, root: element.shadowRoot }, depth + 1, foreign);
    else if (element.localName === 'iframe') {
      const frame = element as HTMLIFrameElement;
      const place = placeFrame(frame, view);
      const root = frame.contentDocument;
      if (place && root) yield* walkBelow({ root, ...place, holder: { frame, view } }, depth + 1, foreign);
      else if (place) foreign?.push({ frame, ...place });
    }
  }
}

/** Elements that may hold another tree: in VS Code's own document of thousands of elements, one class of them. */
function listHolders(): string {
  return document.querySelector('.monaco-workbench') ? 'iframe, .shadow-root-host' : '*';
}

/** Null for a frame that is not shown. */
function placeFrame(frame: HTMLIFrameElement, view: DocumentView): FramePlace {
  if (!frame.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return null;
  const rect = frame.getBoundingClientRect();
  const clip = intersectRects(view.clip, shiftRect(rect, view.dx, view.dy));
  if (!hasRoom(clip)) return null;
  return { dx: view.dx + rect.left + frame.clientLeft, dy: view.dy + rect.top + frame.clientTop, clip };
}

/** The parent in the tree that a person sees: from a shadow tree to its host, from a document to its frame. */
export function findVisualParent(node: Node): Node | null {
  if (node.parentNode) return node.parentNode;
  if ('host' in node) return (node as ShadowRoot).host;
  if ('defaultView' in node) return (node as Document).defaultView?.frameElement ?? null;
  return null;
}

/** Whether a node is another one or is inside it, in the tree that a person sees. */
export function containsNode(outer: Node, inner: Node): boolean {
  for (let node: Node | null = inner; node; node = findVisualParent(node.getRootNode()))
    if (outer.contains(node)) return true;
  return false;
}

/** The innermost element at a point of the top document, through shadow trees and frames. */
export function findElementAt(x: number, y: number): Element | null {
  x -= frameOrigin?.dx ?? 0;
  y -= frameOrigin?.dy ?? 0;
  let root = document;
  let found: Element | null = null;
  for (let depth = 0; depth <= MAX_DEPTH; depth++) {
    const hit = hitTestDocument(root, x, y);
    if (!hit) return found;
    found = hit;
    const inner = hit.localName === 'iframe' ? (hit as HTMLIFrameElement).contentDocument : null;
    if (!inner) return hit;
    const rect = hit.getBoundingClientRect();
    x -= rect.left + hit.clientLeft;
    y -= rect.top + hit.clientTop;
    root = inner;
  }
  return found;
}

/** The innermost element of one document at a point in its own client coordinates, through its shadow trees. */
export function hitTestDocument(root: Document, x: number, y: number): Element | null {
  let hit = root.elementFromPoint(x, y);
  for (let depth = 0; hit?.shadowRoot && depth < MAX_DEPTH; depth++) {
    const inner = hit.shadowRoot.elementFromPoint(x, y);
    if (!inner || inner === hit) break;
    hit = inner;
  }
  return hit;
}

/** The element that has the keyboard, through shadow trees and frames; null when none has. */
export function findActiveElement(): Element | null {
  let active = document.activeElement;
  for (let depth = 0; active && depth < MAX_DEPTH; depth++) {
    const inner: Element | null | undefined =
      active.shadowRoot?.activeElement ??
      (active.localName === 'iframe'
        ? (active as HTMLIFrameElement).contentDocument?.activeElement
        : undefined);
    if (!inner || inner === active) break;
    active = inner;
  }
  return !active || active.localName === 'body' || active.localName === 'html' ? null : active;
}

/** How far a tree's coordinates are from the top document's. */
export function findViewOffset(element: Element): { dx: number; dy: number } {
  let { dx, dy } = frameOrigin ?? { dx: 0, dy: 0 };
  let frame = element.ownerDocument.defaultView?.frameElement ?? null;
  for (let depth = 0; frame && depth < MAX_DEPTH; depth++) {
    const rect = frame.getBoundingClientRect();
    dx += rect.left + frame.clientLeft;
    dy += rect.top + frame.clientTop;
    frame = frame.ownerDocument.defaultView?.frameElement ?? null;
  }
  return { dx, dy };
}

/** Rectangles in client coordinates, for one reading: each is measured once. */
export class RectCache {
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

export function intersectRects(a: Rect, b: Rect): Rect {
  return {
    left: Math.max(a.left, b.left),
    top: Math.max(a.top, b.top),
    right: Math.min(a.right, b.right),
    bottom: Math.min(a.bottom, b.bottom),
  };
}

export function shiftRect(rect: Rect, dx: number, dy: number): Rect {
  return { left: rect.left + dx, top: rect.top + dy, right: rect.right + dx, bottom: rect.bottom + dy };
}

/** Whether it is large enough for a pointer: thinner elements are borders, not targets. */
export function hasRoom(rect: Rect): boolean {
  return rect.right - rect.left >= 3 && rect.bottom - rect.top >= 3;
}

/** Screen pixels for one pixel of the page: more than 1 if the page is zoomed in. */
export function readScale(): number {
  return window.devicePixelRatio;
}

/** From the page's pixels to the screen's. */
export function toBox(rect: Rect): Box {
  const x = Math.round(rect.left * readScale());
  const y = Math.round(rect.top * readScale());
  const width = Math.max(0, Math.round(rect.right * readScale()) - x);
  return { x, y, width, height: Math.max(0, Math.round(rect.bottom * readScale()) - y) };
}
