import { clip } from '../../text/index.ts';
import type { TreeRequest, TreeText } from './api.ts';
import { valueOf } from './names.ts';
import { shift, toBox } from './rect.ts';
import { roleOf } from './roles.ts';
import { contains, offsetOf } from './views.ts';
import { line } from './words.ts';

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
export function writeTree(request: TreeRequest, numbers: TreeNumbers): TreeText | null {
  const root =
    request.node === undefined ? document.querySelector(request.within) : numbers.element(request.node);
  const from = request.from === undefined ? null : numbers.element(request.from);
  if (!root || (request.from !== undefined && (!from || !contains(root, from)))) return null;
  const tree = new Tree(request, numbers, from);
  tree.write(root, 0);
  return tree.result();
}

class Tree {
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
    const says = level === 0 || describes(element);
    const below = says ? level + 1 : level;
    const inner = childrenOf(element);
    const cut = below > this.#request.depth && inner.length > 0;
    if (says && !onTheWay && !this.#push(element, level, cut)) return;
    if (!cut) for (const child of inner) this.write(child, below);
  }

  #isBefore(element: Element): boolean {
    return this.#from !== null && !contains(element, this.#from);
  }

  /** @param cut the element has more inside than is requested */
  #push(element: Element, level: number, cut: boolean): boolean {
    const more = cut ? ` … inside: node ${this.#numbers.of(element)}` : '';
    const text = `${'  '.repeat(level)}${describe(element)}${more}`;
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

function childrenOf(element: Element): Element[] {
  const frame = element.localName === 'iframe' ? (element as HTMLIFrameElement).contentDocument : null;
  if (frame) return frame.body ? [frame.body] : [];
  return [...(element.shadowRoot?.children ?? []), ...element.children];
}

function describes(element: Element): boolean {
  return Boolean(
    element.id ||
    roleOf(element) ||
    element.getAttribute('aria-label') ||
    ownText(element) ||
    element.localName === 'iframe',
  );
}

function describe(element: Element): string {
  const role = roleOf(element);
  const name = line(element.getAttribute('aria-label') ?? element.getAttribute('title'), 120);
  const text = ownText(element);
  const value = valueOf(element, 120);
  const classes = [...element.classList].slice(0, 4).join('.');
  const { dx, dy } = offsetOf(element);
  const box = toBox(shift(element.getBoundingClientRect(), dx, dy));
  const foreign = element.localName === 'iframe' && !(element as HTMLIFrameElement).contentDocument;
  return [
    `${element.localName}${element.id ? `#${line(element.id, 60)}` : ''}${classes ? `.${line(classes, 120)}` : ''}`,
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
function ownText(element: Element): string {
  if (element.closest('.view-line') === element || element.matches('.xterm-rows > div')) {
    return line(element.textContent, 200);
  }
  if (element.closest('.view-line')) return '';
  let text = '';
  for (const node of element.childNodes) if (node.nodeType === Node.TEXT_NODE) text += node.nodeValue ?? '';
  return line(text, 200);
}
