import { clip } from '../../text/index.ts';
import type { Box, Mark } from '../../protocol/index.ts';
import type { Located, Query, Reading as Answer, ReadingRequest } from './api.ts';
import { CANDIDATES, IN_FRONT, MESSAGE_BOXES, isTarget } from './candidates.ts';
import { Cover } from './cover.ts';
import { boxText } from './focus.ts';
import { Ids, rowOf } from './identity.ts';
import { LineNumbers, stickyLineNumber } from './line-numbers.ts';
import { nameOf, valueOf } from './names.ts';
import { OwnTime } from './own-time.ts';
import { Rects, toBox } from './rect.ts';
import { roleOf } from './roles.ts';
import { stateOf } from './state.ts';
import { clickTarget, reachedPart, targetRect } from './target.ts';
import { activeElement, contains, parentOf, views, type Foreign, type View } from './views.ts';
import { Visibility, isDrawn } from './visible.ts';

/** More matches than any page of VS Code has; with more, a reading would take too long. */
const MAX_CANDIDATES = 10_000;

/** Elements of partial readings that are remembered, for callers that read parts of a page repeatedly. */
const MAX_SEEN = 10_000;

/** Maximum number of marks beyond the limit that are still counted: each costs as much as one that is reported. */
const MAX_OMITTED = 1000;

interface Read extends Pick<Answer, 'marks' | 'omitted' | 'cut' | 'slowdown' | 'nextId'> {
  readonly foreign: readonly Foreign[];
  /** Whether all in an element is requested, by its place. */
  readonly inside: (element: Element) => boolean;
}

interface Seen {
  readonly element: WeakRef<Element>;
  /** The name of its item, if VS Code may show another one in the same element. */
  readonly item: string;
  readonly role: string;
  readonly name: string;
  readonly box: Box;
}

/** Numbers the page's targets: an element keeps its number while it lives and shows the same thing. */
export class Marks {
  readonly #ids = new Ids();
  #seen = new Map<number, Seen>();
  #next = 1;

  /** The targets that can be seen and clicked now: those in front of the page first, each part in document order. */
  read({ limit, nextId, budgetMs, glance, part, ...query }: ReadingRequest): Read {
    const time = new OwnTime(budgetMs);
    this.#next = Math.max(this.#next, nextId);
    const seen = glance ? null : part ? this.#seen : new Map<number, Seen>();
    if (seen) this.#seen = seen;
    const reading = new Reading(query);
    const marks: Mark[] = [];
    const foreign: Foreign[] = [];
    let omitted = 0;
    let checked = 0;
    let cut: Answer['cut'] = null;
    // All of them, even if the reading is cut, since this also finds the frames.
    for (const [element, view] of candidates(foreign)) {
      // On a page of very many elements, finding the element at one point takes milliseconds.
      if (++checked > MAX_CANDIDATES || omitted > MAX_OMITTED) cut ??= 'many';
      if (cut === null && time.isOver()) cut = 'late';
      const mark = cut === null ? reading.read(element, view) : null;
      if (!mark) continue;
      if (marks.length === limit) omitted++;
      else marks.push({ id: this.#idOf(element, mark, reading.lineOf(element, mark.role), seen), ...mark });
    }
    const inside = (element: Element) => reading.isInside(element);
    return { marks, omitted, cut, slowdown: time.slowdown, nextId: this.#next, foreign, inside };
  }

  /**
   * Where to click now for a mark of the newest reading. A list's row that now shows another item counts as gone. VS
   * Code redraws lines and toolbars without a visible change: an element in the same place with the same role and name
   * counts as the same.
   */
  locate(id: number): Located {
    const seen = this.#seen.get(id);
    if (!seen) return { gone: 'the element is gone' };
    const living = seen.element.deref();
    if (living?.isConnected)
      return this.#ids.isSame(living, seen.item) ? place(living, seen) : { gone: somethingElse };
    for (const [element] of candidates()) {
      const found = roleOf(element) === seen.role ? place(element, seen) : undefined;
      if (found && 'box' in found && isSameBox(found.box, seen.box)) return found;
    }
    return { gone: 'the element is gone' };
  }

  /** The id that an element has as a mark; 0 if it has none. */
  idOf(element: Element): number {
    return this.#ids.known(element);
  }

  #idOf(
    element: Element,
    { role, name, box }: Omit<Mark, 'id'>,
    line: number | undefined,
    seen: Map<number, Seen> | null,
  ): number {
    const row = line === undefined ? null : rowOf(element, role, line, name);
    const { id, name: item } = this.#ids.of(element, () => this.#next++, row);
    if (!seen) return id;
    // Inserted again, so that the oldest come first.
    seen.delete(id);
    seen.set(id, { element: new WeakRef(element), item, role, name, box });
    const [oldest] = seen.size > MAX_SEEN ? seen.keys() : [];
    if (oldest !== undefined) seen.delete(oldest);
    return id;
  }
}

const somethingElse = 'the element shows something else now';

function place(element: Element, seen: Seen): Located {
  if (nameOf(element, seen.role) !== seen.name) return { gone: somethingElse };
  const view = [...views()].find(({ root }) => root === element.getRootNode());
  const rects = new Rects();
  const rect =
    view &&
    isDrawn(element) &&
    new Visibility(rects).seen(element, targetRect(element, seen.role, rects), view);
  if (!rect) return { gone: 'the element is out of sight' };
  const target = clickTarget(element, rect);
  return target ? { point: target.point, box: toBox(target.part) } : { gone: 'the element is covered' };
}

function isSameBox(a: Box, b: Box): boolean {
  return a.x === b.x && a.y === b.y && a.width === b.width && a.height === b.height;
}

/** Elements in front of the page come first: a person deals with them first, and a reading that is cut must have them. */
function* candidates(foreign?: Foreign[]): Generator<[Element, View]> {
  for (const view of views(foreign)) {
    const front = [...view.root.querySelectorAll(IN_FRONT)];
    const isFront = new Set(front.flatMap((one) => [one, ...one.querySelectorAll(CANDIDATES)]));
    for (const element of isFront)
      if (element.matches(CANDIDATES) && isTarget(element)) yield [element, view];
    for (const element of view.root.querySelectorAll(CANDIDATES))
      if (!isFront.has(element) && isTarget(element)) yield [element, view];
  }
}

/** One pass over the page. */
class Reading {
  readonly #rects = new Rects();
  readonly #visibility = new Visibility(this.#rects);
  readonly #cover: Cover;
  readonly #taken = new Map<Element, string>();
  readonly #active = activeElement();
  readonly #query: Query;
  readonly #within: readonly Element[] | null;
  readonly #lines = new LineNumbers();

  constructor(query: Query) {
    this.#query = query;
    const { within, role, text } = query;
    const part = within ?? role ?? text;
    this.#cover = new Cover(this.#rects, part === undefined);
    this.#within = query.within === undefined ? null : matches(query.within);
  }

  read(element: Element, view: View): Omit<Mark, 'id'> | null {
    if (!this.isInside(element) || !isDrawn(element)) return null;
    const role = roleOf(element) || 'generic';
    const rect = this.#visibility.seen(element, targetRect(element, role, this.#rects), view);
    if (!rect) return null;
    const name = nameOf(element, role);
    if ((!name && !mayBeNameless(role)) || this.#repeats(element, name)) return null;
    const value = held(element);
    this.#taken.set(element, name);
    if (!this.#asked(role, name, value)) return null;
    const part = reachedPart(rect, (x, y) => this.#cover.isReached(element, view, x, y));
    if (!part) {
      this.#taken.delete(element);
      return null;
    }
    const line = role === 'gutter' ? undefined : this.lineOf(element, role);
    return {
      role,
      name,
      ...(value !== undefined && { value }),
      ...(line !== undefined && { line }),
      state: stateOf(element, this.#hasFocus(element)),
      box: toBox(part),
    };
  }

  isInside(element: Element): boolean {
    return this.#within?.some((outer) => contains(outer, element)) ?? true;
  }

  /** The line number of a row of an editor or of its margin; undefined for anything else. */
  lineOf(element: Element, role: string): number | undefined {
    if (role === 'sticky line') return stickyLineNumber(element);
    return role === 'line' || role === 'gutter' ? this.#lines.of(element) : undefined;
  }

  #asked(role: string, name: string, value: string | undefined): boolean {
    const { role: wanted, text } = this.#query;
    if (wanted !== undefined && wanted !== role) return false;
    const part = text?.toLowerCase();
    return (
      part === undefined ||
      name.toLowerCase().includes(part) ||
      (value?.toLowerCase().includes(part) ?? false)
    );
  }

  #hasFocus(element: Element): boolean {
    const active = this.#active;
    if (!active) return false;
    if (element === active) return true;
    if (element.id && active.getAttribute('aria-activedescendant') === element.id) return true;
    return element.matches('.monaco-editor') && element.contains(active);
  }

  /** A label inside a target that already says the same is the same target; a menu's item says its keys as well. */
  #repeats(element: Element, name: string): boolean {
    let node = parentOf(element);
    for (let up = 0; node && up < 4; up++, node = parentOf(node)) {
      const outer = this.#taken.get(node as Element);
      // A message is not the label of elements in its box.
      if (outer === undefined || (node as Element).matches(MESSAGE_BOXES)) continue;
      return outer === name || (isMenuItem(node as Element) && outer.startsWith(name));
    }
    return false;
  }
}

function matches(selector: string): Element[] {
  return [...views()].flatMap(({ root }) => [...root.querySelectorAll(selector)]).slice(0, 1000);
}

function isMenuItem(element: Element): boolean {
  return element.matches('[role^=menuitem]');
}

function held(element: Element): string | undefined {
  return element.matches('.monaco-editor') ? clipped(boxText(element)) : valueOf(element, 300);
}

function clipped(text: string | undefined): string | undefined {
  return text === undefined ? undefined : clip(text, 300);
}

function mayBeNameless(role: string): boolean {
  return ['line', 'textbox', 'searchbox', 'combobox', 'checkbox', 'radio', 'slider', 'spinbutton'].includes(
    role,
  );
}
