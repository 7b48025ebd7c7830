import type { Box } from '../../protocol/index.ts';
import type { PageText, TextRequest } from './api.ts';
import { CANDIDATES, MESSAGE_BOXES, isTarget } from './candidates.ts';
import { nameOf, valueOf } from './names.ts';
import { Rects, hasRoom, toBox, type Rect } from './rect.ts';
import { roleOf } from './roles.ts';
import { contains, elementAt, views, type Foreign, type View } from './views.ts';
import { Visibility, isDrawn } from './visible.ts';
import { line } from './words.ts';

/** Maximum number of pieces that are checked: each costs a question to the browser. */
const MAX_PIECES = 2000;
/** Of one piece. */
const MAX_TEXT = 1000;
/** Elements that are read line by line as marks, or hold no text for people. */
const ELSEWHERE = '.view-lines, .margin-view-overlays, .xterm, .minimap, script, style, noscript, template';

/** Elements whose name sums up their content, which people read there. */
const MESSAGES = `${MESSAGE_BOXES}, .notifications-list-container .monaco-list-row`;

/** A run of text that a person sees as one. */
interface Piece {
  readonly block: Element;
  readonly nodes: Text[];
  words: string;
}

/**
 * Reads visible text that the marks don't have: messages, descriptions, headings. Null if nothing matches the selector.
 */
export function readText({ within, limit, maxBytes }: TextRequest): PageText | null {
  const foreign: Foreign[] = [];
  const all = [...views(foreign)];
  const roots = within === undefined ? null : all.flatMap(({ root }) => [...root.querySelectorAll(within)]);
  if (roots?.length === 0) return null;
  const rects = new Rects();
  const visibility = new Visibility(rects);
  const encoder = new TextEncoder();
  const pieces: { text: string; box: Box }[] = [];
  let [bytes, omitted, looked] = [0, 0, 0];
  for (const view of all) {
    for (const piece of piecesIn(view.root)) {
      if (roots && !roots.some((root) => contains(root, piece.block))) continue;
      const text = line(piece.words, MAX_TEXT);
      if (!text || isSaid(piece, text)) continue;
      const rect = ++looked > MAX_PIECES ? null : seen(piece, view, visibility);
      if (!rect) continue;
      bytes += encoder.encode(text).length;
      if (pieces.length === limit || bytes > maxBytes) omitted += 1;
      else pieces.push({ text, box: toBox(rect) });
    }
  }
  return { pieces, omitted, truncated: looked > MAX_PIECES, frames: foreign.length };
}

/** Text that belongs together: all text of a block, up to the next block inside it. */
function* piecesIn(root: Document | ShadowRoot): Generator<Piece> {
  const walker = root.ownerDocument ? root.ownerDocument : root;
  const texts = walker.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, (node) =>
    node.nodeType === Node.ELEMENT_NODE && (node as Element).matches(ELSEWHERE)
      ? NodeFilter.FILTER_REJECT
      : NodeFilter.FILTER_ACCEPT,
  );
  const blocks = new Map<Element, Element>();
  let piece: Piece | undefined;
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    if (node.nodeName === 'BR' && piece) piece.words += ' ';
    if (node.nodeType !== Node.TEXT_NODE || !node.parentElement) continue;
    const block = blockOf(node.parentElement, blocks);
    if (piece?.block !== block) {
      if (piece) yield piece;
      piece = { block, nodes: [], words: '' };
    }
    piece.nodes.push(node as Text);
    piece.words += (node as Text).data;
  }
  if (piece) yield piece;
}

/** The nearest ancestor of a text that is laid out as its own box. */
function blockOf(element: Element, known: Map<Element, Element>): Element {
  let block = known.get(element);
  if (block) return block;
  const { parentElement: parent } = element;
  block = parent && getComputedStyle(element).display === 'inline' ? blockOf(parent, known) : element;
  known.set(element, block);
  return block;
}

/** A mark around it has the same words as its name or value. */
function isSaid({ block, nodes }: Piece, text: string): boolean {
  const start = nodes[0]?.parentElement ?? block;
  for (let element = start.closest(CANDIDATES); element;) {
    if (isTarget(element) && !element.matches(MESSAGES)) {
      const said = `${nameOf(element, roleOf(element))} ${valueOf(element, MAX_TEXT) ?? ''}`;
      if (said.includes(text)) return true;
    }
    element = element.parentElement?.closest(CANDIDATES) ?? null;
  }
  return false;
}

/** The visible box of a piece; null if it is out of sight or covered. */
function seen({ block, nodes }: Piece, view: View, visibility: Visibility): Rect | null {
  const parents = nodes.flatMap(({ parentElement, data }) => (data.trim() && parentElement) || []);
  const [parent = block] = parents;
  if (!isDrawn(parent)) return null;
  const range = block.ownerDocument.createRange();
  const [first, last] = [nodes[0], nodes.at(-1)];
  if (!first || !last) return null;
  range.setStartBefore(first);
  range.setEndAfter(last);
  const rect = visibility.seen(parent, range.getBoundingClientRect(), view);
  if (!rect || !hasRoom(rect)) return null;
  const hit = elementAt((rect.left + rect.right) / 2, (rect.top + rect.bottom) / 2);
  return hit && (contains(block, hit) || contains(hit, block)) ? rect : null;
}
