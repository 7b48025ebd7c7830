import { readAccessibleName, readRole } from './accessibility.ts';

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
interface ListItem {
  /** Whose items they are: a list, or the tabs of a group. */
  readonly owner: Element;
  /** A changed selection, change sign or search match is not another item. */
  readonly name: string;
}

/**
 * A row of an editor's text, or of the margin to its left. VS Code draws a row in a new element when it scrolls, or when
 * something around it changes. Null in an editor that names no file.
 */
export function identifyRow(element: Element, role: string, line: number, text: string): ListItem | null {
  const owner = element.parentElement;
  const uri = element.closest('.monaco-editor')?.getAttribute('data-uri');
  // A breakpoint does not make a new row of the margin beside a line.
  return owner && uri ? { owner, name: `${uri} ${line} ${role === 'gutter' ? '' : text}` } : null;
}

/** Null for an element that shows one thing as long as it lives. */
function identifyItem(element: Element): ListItem | null {
  const holder = element.closest(RECYCLED);
  if (!holder?.parentElement) return null;
  const part = element === holder ? '' : ` ${[...holder.querySelectorAll('*')].indexOf(element)}`;
  return { owner: holder.parentElement, name: `${readItemKey(holder)}${part}` };
}

function readItemKey(holder: Element): string {
  for (const [selector, attribute] of KEYS) {
    const key = holder.querySelector(selector)?.getAttribute(attribute);
    // Decorations such as "Modified" follow a path.
    if (key) return `${attribute} ${key.split(' • ')[0] ?? ''}`;
  }
  return readAccessibleName(holder, readRole(holder));
}

interface AssignedId {
  readonly id: number;
  /** Of the item; empty for an element that shows one thing. */
  readonly name: string;
}

interface ShownItem {
  readonly id: number;
  element: WeakRef<Element>;
}

/** Ids of elements: a new one if VS Code shows another item in an element, the same if an item moves to another one. */
export class ElementIds {
  readonly #known = new WeakMap<Element, AssignedId>();
  /** The element that showed each item of a list last. */
  readonly #items = new WeakMap<Element, Map<string, ShownItem>>();
  /** Rows by element. Each is also an item under its first line number and, if it moved, under its later ones. */
  readonly #rows = new WeakMap<Element, ShownItem>();

  /**
   * @param next a new id
   * @param row what an element draws that is replaced when it is drawn again
   */
  of(element: Element, next: () => number, row: ListItem | null = null): AssignedId {
    if (row) return { id: this.#idOfRow(row, element, next), name: '' };
    const item = identifyItem(element);
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
    return (identifyItem(element)?.name ?? '') === name;
  }

  /** A row keeps its id while its element lives, and gives it to the element that draws the same after it. */
  #idOfRow({ owner, name }: ListItem, element: Element, next: () => number): number {
    const items = this.#items.get(owner) ?? new Map<string, ShownItem>();
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
  #idOf({ owner, name }: ListItem, element: Element, before: number | undefined, next: () => number): number {
    const items = this.#items.get(owner) ?? new Map<string, ShownItem>();
    const shown = items.get(name);
    // Items of the same name have ids of their own.
    if (before !== undefined && before !== shown?.id) return before;
    const other = shown?.element.deref();
    const elsewhere = other !== element && other?.isConnected === true && identifyItem(other)?.name === name;
    const id = elsewhere ? next() : (shown?.id ?? next());
    if (items.size >= MAX_ITEMS) items.clear();
    this.#items.set(owner, items.set(name, { id, element: new WeakRef(element) }));
    return id;
  }
}

/** Line numbers of editors, for one reading: VS Code draws them in a separate layer, at the height of their lines. */
export class LineNumbers {
  readonly #editors = new Map<Element, ReadonlyMap<string, number>>();

  /** Of a line, or of the margin beside it; undefined in an editor without line numbers, or for a wrapped line's rest. */
  of(row: Element): number | undefined {
    const editor = row.closest('.monaco-editor');
    if (!editor) return undefined;
    let numbers = this.#editors.get(editor);
    if (!numbers) this.#editors.set(editor, (numbers = readLineNumbers(editor)));
    return numbers.get((row as HTMLElement).style.top);
  }
}

/** The number of a sticky line, at the top of an editor while its block is scrolled; VS Code puts it into a class. */
export function readStickyLineNumber(element: Element): number | undefined {
  const [, number] = /\bstickyLine(\d+)\b/.exec(element.className) ?? [];
  return number === undefined ? undefined : Number(number);
}

function readLineNumbers(editor: Element): Map<string, number> {
  const numbers = new Map<string, number>();
  const heights: [height: number, number: number][] = [];
  for (const row of editor.querySelectorAll<HTMLElement>('.margin-view-overlays > div')) {
    // An editor within this one, as in a peek view, has its own line numbers.
    if (row.closest('.monaco-editor') !== editor) continue;
    const number = Number(row.querySelector('.line-numbers')?.textContent);
    if (!Number.isSafeInteger(number) || number < 1) continue;
    numbers.set(row.style.top, number);
    heights.push([parseFloat(row.style.top), number]);
  }
  heights.sort(([one], [other]) => one - other);
  // Relative numbers, which count away from the caret, say nothing about a line.
  const rise = heights.every(([, number], i) => number > (heights[i - 1]?.[1] ?? 0));
  return rise ? numbers : new Map<string, number>();
}
