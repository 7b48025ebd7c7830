import { nameOf } from './names.ts';
import { roleOf } from './roles.ts';

/** VS Code fills these again with other items: rows as a list scrolls or is searched, tabs as one of them is closed. */
const RECYCLED = '.monaco-list-row, .tab';

/** By what VS Code's own code knows the item of a row: a setting, an entry of a list to pick from, a file's path. */
const KEYS = [
  ['[data-key]', 'data-key'],
  ['[data-quick-input-id]', 'data-quick-input-id'],
  ['.monaco-icon-label[aria-label^="/"]', 'aria-label'],
] as const;

/** Items of one list that are remembered. */
const MAX_ITEMS = 2000;

/** What a recycled element is about, or is a part of. */
export interface Item {
  /** Whose items they are: a list, or the tabs of a group. */
  readonly owner: Element;
  /** Another selection, sign of change or match found is no other item. */
  readonly name: string;
}

/**
 * A row of an editor's text, or of what is left of it. VS Code draws a row in a new element when it scrolls or changes
 * around it. Null in an editor that says no file.
 */
export function rowOf(element: Element, role: string, line: number, text: string): Item | null {
  const owner = element.parentElement;
  const uri = element.closest('.monaco-editor')?.getAttribute('data-uri');
  // A breakpoint does not make another row of what is left of a line.
  return owner && uri ? { owner, name: `${uri} ${line} ${role === 'gutter' ? '' : text}` } : null;
}

/** Null for an element that is about one thing as long as it lives. */
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
  /** Of the item; empty for an element that is about one thing. */
  readonly name: string;
}

interface Shown {
  readonly id: number;
  element: WeakRef<Element>;
}

/** Ids of elements: new ones where VS Code shows another item in them, the same where it shows one in another element. */
export class Ids {
  readonly #known = new WeakMap<Element, Known>();
  /** Where each item of a list was shown last. */
  readonly #items = new WeakMap<Element, Map<string, Shown>>();
  /** What each row is known as: by its first line number and, where it was moved, by those it had since. */
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

  /** The id that an element was given, if it is about the same thing still; else 0. */
  known(element: Element): number {
    const known = this.#known.get(element);
    return known && this.isSame(element, known.name) ? known.id : 0;
  }

  /** Whether an element is about what it was about. */
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
