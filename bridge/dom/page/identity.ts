import { nameOf } from './names.ts';
import { roleOf } from './roles.ts';

/** VS Code fills these again with other items: rows as a list scrolls or is searched, tabs as one of them is closed. */
const RECYCLED = '.monaco-list-row, .tab';

/** Attributes by which VS Code itself knows the item of a row: a setting, an entry of a quick pick, a file's path. */
const KEYS = [
  ['[data-key]', 'data-key'],
  ['[data-quick-input-id]', 'data-quick-input-id'],
  ['.monaco-icon-label[aria-label^="/"]', 'aria-label'],
] as const;

/** Maximum number of items of one list that are remembered. */
const MAX_ITEMS = 2000;

/** The item that a recycled element shows, or shows a part of. */
export interface Item {
  /** Whose items they are: a list, or the tabs of a group. */
  readonly owner: Element;
  /** A changed selection, change sign or search match is not another item. */
  readonly name: string;
}

/**
 * A row of an editor's text, or of the margin to its left. VS Code draws a row in a new element when it scrolls, or when
 * something around it changes. Null in an editor that names no file.
 */
export function rowOf(element: Element, role: string, line: number, text: string): Item | null {
  const owner = element.parentElement;
  const uri = element.closest('.monaco-editor')?.getAttribute('data-uri');
  // A breakpoint does not make a new row of the margin beside a line.
  return owner && uri ? { owner, name: `${uri} ${line} ${role === 'gutter' ? '' : text}` } : null;
}

/** Null for an element that shows one thing as long as it lives. */
export function itemOf(element: Element): Item | null {
  const holder = element.closest(RECYCLED);
  if (!holder?.parentElement) return null;
  const part = element === holder ? '' : ` ${[...holder.querySelectorAll('*')].indexOf(element)}`;
  return { owner: holder.parentElement, name: `${keyOf(holder)}${part}` };
}

function keyOf(holder: Element): string {
  for (const [selector, attribute] of KEYS) {
    const key = holder.querySelector(selector)?.getAttribute(attribute);
    // Decorations such as "Modified" follow a path.
    if (key) return `${attribute} ${key.split(' • ')[0] ?? ''}`;
  }
  return nameOf(holder, roleOf(holder));
}

interface Known {
  readonly id: number;
  /** Of the item; empty for an element that shows one thing. */
  readonly name: string;
}

interface Shown {
  readonly id: number;
  element: WeakRef<Element>;
}

/** Ids of elements: a new one if VS Code shows another item in an element, the same if an item moves to another one. */
export class Ids {
  readonly #known = new WeakMap<Element, Known>();
  /** The element that showed each item of a list last. */
  readonly #items = new WeakMap<Element, Map<string, Shown>>();
  /** Rows by element. Each is also an item under its first line number and, if it moved, under its later ones. */
  readonly #rows = new WeakMap<Element, Shown>();

  /**
   * @param next a new id
   * @param row what an element draws that is replaced when it is drawn again
   */
  of(element: Element, next: () => number, row: Item | null = null): Known {
    if (row) return { id: this.#idOfRow(row, element, next), name: '' };
    const item = itemOf(element);
    const name = item?.name ?? '';
    const before = this.#known.get(element);
    const id = before?.name === name ? before.id : undefined;
    const known = { id: item ? this.#idOf(item, element, id, next) : (id ?? next()), name };
    this.#known.set(element, known);
    return known;
  }

  /** The id that an element was given, if it still shows the same thing; else 0. */
  known(element: Element): number {
    const known = this.#known.get(element);
    return known && this.isSame(element, known.name) ? known.id : 0;
  }

  /** Whether an element still shows the same thing. */
  isSame(element: Element, name: string): boolean {
    return (itemOf(element)?.name ?? '') === name;
  }

  /** A row keeps its id while its element lives, and gives it to the element that draws the same after it. */
  #idOfRow({ owner, name }: Item, element: Element, next: () => number): number {
    const items = this.#items.get(owner) ?? new Map<string, Shown>();
    let shown = this.#rows.get(element);
    if (!shown) {
      const before = items.get(name);
      const isFree = before?.element.deref()?.isConnected !== true;
      const known = this.#known.get(element)?.id;
      shown = before && isFree ? before : { id: known ?? next(), element: new WeakRef(element) };
      shown.element = new WeakRef(element);
      this.#rows.set(element, shown);
      this.#known.set(element, { id: shown.id, name: '' });
    }
    if (items.size >= MAX_ITEMS) items.clear();
    this.#items.set(owner, items.set(name, shown));
    return shown.id;
  }

  /** @param before the id that the element had for this item, if any */
  #idOf({ owner, name }: Item, element: Element, before: number | undefined, next: () => number): number {
    const items = this.#items.get(owner) ?? new Map<string, Shown>();
    const shown = items.get(name);
    // Items of the same name have ids of their own.
    if (before !== undefined && before !== shown?.id) return before;
    const other = shown?.element.deref();
    const elsewhere = other !== element && other?.isConnected === true && itemOf(other)?.name === name;
    const id = elsewhere ? next() : (shown?.id ?? next());
    if (items.size >= MAX_ITEMS) items.clear();
    this.#items.set(owner, items.set(name, { id, element: new WeakRef(element) }));
    return id;
  }
}
