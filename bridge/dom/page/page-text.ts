import type { Box } from '../../protocol/index.ts';
import { clip } from '../../text/index.ts';
import { readAccessibleName, readFieldValue, readRole, shortenLine } from './accessibility.ts';
import type { Rect, StaticText, TextRequest, TreeRequest, TreeText } from './api.ts';
import { CANDIDATES, isTarget, MESSAGE_BOXES } from './targets.ts';
import {
  containsNode,
  type DocumentView,
  findElementAt,
  findViewOffset,
  type ForeignFrameView,
  hasRoom,
  RectCache,
  shiftRect,
  toBox,
  walkViews,
} from './views.ts';
import { ClipReader, isDrawn } from './visibility.ts';

/** Elements visited before the reading is cut, even if the text has room for more. */
const MAX_ELEMENTS = 20_000;

/** Numbers of elements that a tree refers to, so that callers can continue from them. */
export class TreeNumbers {
  readonly #ids = new WeakMap<Element, number>();
  readonly #elements = new Map<number, WeakRef<Element>>();
  #next = 1;

  of(element: Element): number {
    let id = this.#ids.get(element);
    if (id === undefined) {
      this.#ids.set(element, (id = this.#next++));
      this.#elements.set(id, new WeakRef(element));
    }
    return id;
  }

  element(id: number): Element | null {
    const element = this.#elements.get(id)?.deref();
    return element?.isConnected ? element : null;
  }
}

/**
 * Writes a page as indented text, one element a line. Wrappers that say nothing are left out, hidden ones too.
 * Null if there is no such root.
 */
export function writeElementTree(request: TreeRequest, numbers: TreeNumbers): TreeText | null {
  const root =
    request.node === undefined ? document.querySelector(request.within) : numbers.element(request.node);
  const from = request.from === undefined ? null : numbers.element(request.from);
  if (!root || (request.from !== undefined && (!from || !containsNode(root, from)))) return null;
  const tree = new TreeWriter(request, numbers, from);
  tree.write(root, 0);
  return tree.result();
}

class TreeWriter {
  readonly #request: TreeRequest;
  readonly #numbers: TreeNumbers;
  readonly #lines: string[] = [];
  readonly #encoder = new TextEncoder();
  /** The element at which the text begins; of those before it, only its ancestors are visited. */
  #from: Element | null;
  #bytes = 0;
  #visited = 0;
  #next: Element | null = null;
  #deep = false;

  constructor(request: TreeRequest, numbers: TreeNumbers, from: Element | null) {
    this.#request = request;
    this.#numbers = numbers;
    this.#from = from;
  }

  result(): TreeText {
    const next = this.#next && this.#numbers.of(this.#next);
    const truncated = this.#deep || next !== null;
    return { text: this.#lines.join('\n'), truncated, elements: this.#lines.length, next };
  }

  write(element: Element, level: number): void {
    if (this.#next || this.#isBefore(element)) return;
    const onTheWay = this.#from !== null && this.#from !== element;
    if (this.#from === element) this.#from = null;
    if (!isShown(element)) return;
    if (++this.#visited > MAX_ELEMENTS) {
      this.#next = element;
      return;
    }
    const says = level === 0 || saysSomething(element);
    const below = says ? level + 1 : level;
    const inner = listChildren(element);
    const cut = below > this.#request.depth && inner.length > 0;
    if (says && !onTheWay && !this.#push(element, level, cut)) return;
    if (!cut) for (const child of inner) this.write(child, below);
  }

  #isBefore(element: Element): boolean {
    return this.#from !== null && !containsNode(element, this.#from);
  }

  /** @param cut the element has more inside than is requested */
  #push(element: Element, level: number, cut: boolean): boolean {
    const more = cut ? ` … inside: node ${this.#numbers.of(element)}` : '';
    const text = `${'  '.repeat(level)}${describeElement(element)}${more}`;
    const bytes = this.#encoder.encode(text).length + 1;
    // At least one element is written, or continuing would never end.
    if (this.#bytes + bytes > this.#request.maxBytes && this.#lines.length > 0) {
      this.#next = element;
      return false;
    }
    this.#bytes += bytes;
    this.#deep ||= cut;
    this.#lines.push(bytes > this.#request.maxBytes ? clip(text, this.#request.maxBytes / 3) : text);
    return true;
  }
}

function isShown(element: Element): boolean {
  if (['script', 'style', 'link', 'meta', 'head', 'template'].includes(element.localName)) return false;
  return element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
}

function listChildren(element: Element): Element[] {
  const frame = element.localName === 'iframe' ? (element as HTMLIFrameElement).contentDocument : null;
  if (frame) return frame.body ? [frame.body] : [];
  return [...(element.shadowRoot?.children ?? []), ...element.children];
}

function saysSomething(element: Element): boolean {
  return Boolean(
    element.id ||
    readRole(element) ||
    element.getAttribute('aria-label') ||
    readOwnText(element) ||
    element.localName === 'iframe',
  );
}

function describeElement(element: Element): string {
  const role = readRole(element);
  const name = shortenLine(element.getAttribute('aria-label') ?? element.getAttribute('title'), 120);
  const text = readOwnText(element);
  const value = readFieldValue(element, 120);
  const classes = [...element.classList].slice(0, 4).join('.');
  const { dx, dy } = findViewOffset(element);
  const box = toBox(shiftRect(element.getBoundingClientRect(), dx, dy));
  const foreign = element.localName === 'iframe' && !(element as HTMLIFrameElement).contentDocument;
  return [
    `${element.localName}${element.id ? `#${shortenLine(element.id, 60)}` : ''}${classes ? `.${shortenLine(classes, 120)}` : ''}`,
    role && role !== element.localName ? `[${role}]` : '',
    name ? JSON.stringify(name) : '',
    text && text !== name ? `text=${JSON.stringify(text)}` : '',
    value ? `value=${JSON.stringify(value)}` : '',
    foreign ? 'of another origin: only its marks are read' : '',
    `@${box.x},${box.y} ${box.width}x${box.height}`,
  ]
    .filter(Boolean)
    .join(' ');
}

/** Text in the element itself; a line of code is reported as a whole, not token by token. */
function readOwnText(element: Element): string {
  if (element.closest('.view-line') === element || element.matches('.xterm-rows > div')) {
    return shortenLine(element.textContent, 200);
  }
  if (element.closest('.view-line')) return '';
  let text = '';
  for (const node of element.childNodes) if (node.nodeType === Node.TEXT_NODE) text += node.nodeValue ?? '';
  return shortenLine(text, 200);
}

/** Maximum number of pieces that are checked: each costs a question to the browser. */
const MAX_PIECES = 2000;
/** Of one piece. */
const MAX_TEXT = 1000;
/** Elements that are read line by line as marks, or hold no text for people. */
const ELSEWHERE = '.view-lines, .margin-view-overlays, .xterm, .minimap, script, style, noscript, template';

/** Elements whose name sums up their content, which people read there. */
const MESSAGES = `${MESSAGE_BOXES}, .notifications-list-container .monaco-list-row`;

/** A run of text that a person sees as one. */
interface TextPiece {
  readonly block: Element;
  readonly nodes: Text[];
  words: string;
}

/**
 * Reads visible text that the marks don't have: messages, descriptions, headings. Null if nothing matches the selector.
 */
export function readStaticText({ within, limit, maxBytes }: TextRequest): StaticText | null {
  const foreign: ForeignFrameView[] = [];
  const all = [...walkViews(foreign)];
  const roots = within === undefined ? null : all.flatMap(({ root }) => [...root.querySelectorAll(within)]);
  if (roots?.length === 0) return null;
  const rects = new RectCache();
  const visibility = new ClipReader(rects);
  const encoder = new TextEncoder();
  const pieces: { text: string; box: Box }[] = [];
  let [bytes, omitted, looked] = [0, 0, 0];
  for (const view of all) {
    for (const piece of walkPieces(view.root)) {
      if (roots && !roots.some((root) => containsNode(root, piece.block))) continue;
      const text = shortenLine(piece.words, MAX_TEXT);
      if (!text || isSaidByMark(piece, text)) continue;
      const rect = ++looked > MAX_PIECES ? null : findSeenBox(piece, view, visibility);
      if (!rect) continue;
      bytes += encoder.encode(text).length;
      if (pieces.length === limit || bytes > maxBytes) omitted += 1;
      else pieces.push({ text, box: toBox(rect) });
    }
  }
  return { pieces, omitted, truncated: looked > MAX_PIECES, frames: foreign.length };
}

/** Text that belongs together: all text of a block, up to the next block inside it. */
function* walkPieces(root: Document | ShadowRoot): Generator<TextPiece> {
  const walker = root.ownerDocument ? root.ownerDocument : root;
  const texts = walker.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, (node) =>
    node.nodeType === Node.ELEMENT_NODE && (node as Element).matches(ELSEWHERE)
      ? NodeFilter.FILTER_REJECT
      : NodeFilter.FILTER_ACCEPT,
  );
  const blocks = new Map<Element, Element>();
  let piece: TextPiece | undefined;
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    if (node.nodeName === 'BR' && piece) piece.words += ' ';
    if (node.nodeType !== Node.TEXT_NODE || !node.parentElement) continue;
    const block = findBlock(node.parentElement, blocks);
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
function findBlock(element: Element, known: Map<Element, Element>): Element {
  let block = known.get(element);
  if (block) return block;
  const { parentElement: parent } = element;
  block = parent && getComputedStyle(element).display === 'inline' ? findBlock(parent, known) : element;
  known.set(element, block);
  return block;
}

/** A mark around it has the same words as its name or value. */
function isSaidByMark({ block, nodes }: TextPiece, text: string): boolean {
  const start = nodes[0]?.parentElement ?? block;
  for (let element = start.closest(CANDIDATES); element;) {
    if (isTarget(element) && !element.matches(MESSAGES)) {
      const said = `${readAccessibleName(element, readRole(element))} ${readFieldValue(element, MAX_TEXT) ?? ''}`;
      if (said.includes(text)) return true;
    }
    element = element.parentElement?.closest(CANDIDATES) ?? null;
  }
  return false;
}

/** The visible box of a piece; null if it is out of sight or covered. */
function findSeenBox({ block, nodes }: TextPiece, view: DocumentView, visibility: ClipReader): Rect | null {
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
  const hit = findElementAt((rect.left + rect.right) / 2, (rect.top + rect.bottom) / 2);
  return hit && (containsNode(block, hit) || containsNode(hit, block)) ? rect : null;
}
