import type { Box, Mark } from '../../protocol/index.ts';
import { clip } from '../../text/index.ts';
import { readAccessibleName, readElementState, readFieldValue, readRole } from './accessibility.ts';
import type { Reading as Answer, Located, ReadingQuery, ReadingRequest } from './api.ts';
import { ElementIds, identifyRow, LineNumbers, readStickyLineNumber } from './element-ids.ts';
import { readSmallEditor } from './focus.ts';
import {
  CANDIDATES,
  findClickTarget,
  findReachedPart,
  IN_FRONT,
  isTarget,
  measureTarget,
  MESSAGE_BOXES,
} from './targets.ts';
import {
  containsNode,
  type DocumentView,
  findActiveElement,
  findVisualParent,
  type ForeignFrameView,
  RectCache,
  toBox,
  walkViews,
} from './views.ts';
import { ClipReader, HitTester, isDrawn } from './visibility.ts';

/** More matches than any page of VS Code has; with more, a reading would take too long. */
const MAX_CANDIDATES = 10_000;

/** Elements of partial readings that are remembered, for callers that read parts of a page repeatedly. */
const MAX_SEEN = 10_000;

/** Maximum number of marks beyond the limit that are still counted: each costs as much as one that is reported. */
const MAX_OMITTED = 1000;

interface MarksReading extends Pick<Answer, 'marks' | 'omitted' | 'cut' | 'slowdown' | 'nextId'> {
  readonly foreign: readonly ForeignFrameView[];
  /** Whether all in an element is requested, by its place. */
  readonly inside: (element: Element) => boolean;
}

interface RememberedMark {
  readonly element: WeakRef<Element>;
  /** The name of its item, if VS Code may show another one in the same element. */
  readonly item: string;
  readonly role: string;
  readonly name: string;
  readonly box: Box;
}

/** Numbers the page's targets: an element keeps its number while it lives and shows the same thing. */
export class PageMarks {
  readonly #ids = new ElementIds();
  #seen = new Map<number, RememberedMark>();
  #next = 1;

  /** The targets that can be seen and clicked now: those in front of the page first, each part in document order. */
  read({ limit, nextId, budgetMs, glance, part, ...query }: ReadingRequest): MarksReading {
    const time = new ReadingClock(budgetMs);
    this.#next = Math.max(this.#next, nextId);
    const seen = glance ? null : part ? this.#seen : new Map<number, RememberedMark>();
    if (seen) this.#seen = seen;
    const reading = new MarksPass(query);
    const marks: Mark[] = [];
    const foreign: ForeignFrameView[] = [];
    let omitted = 0;
    let checked = 0;
    let cut: Answer['cut'] = null;
    // All of them, even if the reading is cut, since this also finds the frames.
    for (const [element, view] of listCandidates(foreign)) {
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
      return this.#ids.isSame(living, seen.item) ? placeMark(living, seen) : { gone: showsSomethingElse };
    for (const [element] of listCandidates()) {
      const found = readRole(element) === seen.role ? placeMark(element, seen) : undefined;
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
    seen: Map<number, RememberedMark> | null,
  ): number {
    const row = line === undefined ? null : identifyRow(element, role, line, name);
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

const showsSomethingElse = 'the element shows something else now';

function placeMark(element: Element, seen: RememberedMark): Located {
  if (readAccessibleName(element, seen.role) !== seen.name) return { gone: showsSomethingElse };
  const view = [...walkViews()].find(({ root }) => root === element.getRootNode());
  const rects = new RectCache();
  const rect =
    view &&
    isDrawn(element) &&
    new ClipReader(rects).seen(element, measureTarget(element, seen.role, rects), view);
  if (!rect) return { gone: 'the element is out of sight' };
  const target = findClickTarget(element, rect);
  return target ? { point: target.point, box: toBox(target.part) } : { gone: 'the element is covered' };
}

function isSameBox(a: Box, b: Box): boolean {
  return a.x === b.x && a.y === b.y && a.width === b.width && a.height === b.height;
}

/** Elements in front of the page come first: a person deals with them first, and a reading that is cut must have them. */
function* listCandidates(foreign?: ForeignFrameView[]): Generator<[Element, DocumentView]> {
  for (const view of walkViews(foreign)) {
    const front = [...view.root.querySelectorAll(IN_FRONT)];
    const isFront = new Set(front.flatMap((one) => [one, ...one.querySelectorAll(CANDIDATES)]));
    for (const element of isFront)
      if (element.matches(CANDIDATES) && isTarget(element)) yield [element, view];
    for (const element of view.root.querySelectorAll(CANDIDATES))
      if (!isFront.has(element) && isTarget(element)) yield [element, view];
  }
}

/** One pass over the page. */
class MarksPass {
  readonly #rects = new RectCache();
  readonly #visibility = new ClipReader(this.#rects);
  readonly #cover: HitTester;
  readonly #taken = new Map<Element, string>();
  readonly #active = findActiveElement();
  readonly #query: ReadingQuery;
  readonly #within: readonly Element[] | null;
  readonly #lines = new LineNumbers();

  constructor(query: ReadingQuery) {
    this.#query = query;
    const { within, role, text } = query;
    const part = within ?? role ?? text;
    this.#cover = new HitTester(this.#rects, part === undefined);
    this.#within = query.within === undefined ? null : matchesQuery(query.within);
  }

  read(element: Element, view: DocumentView): Omit<Mark, 'id'> | null {
    if (!this.isInside(element) || !isDrawn(element)) return null;
    const role = readRole(element) || 'generic';
    const rect = this.#visibility.seen(element, measureTarget(element, role, this.#rects), view);
    if (!rect) return null;
    const name = readAccessibleName(element, role);
    if ((!name && !mayBeNameless(role)) || this.#repeats(element, name)) return null;
    const value = readHeldText(element);
    this.#taken.set(element, name);
    if (!this.#asked(role, name, value)) return null;
    const part = findReachedPart(rect, (x, y) => this.#cover.isReached(element, view, x, y));
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
      state: readElementState(element, this.#hasFocus(element)),
      box: toBox(part),
    };
  }

  isInside(element: Element): boolean {
    return this.#within?.some((outer) => containsNode(outer, element)) ?? true;
  }

  /** The line number of a row of an editor or of its margin; undefined for anything else. */
  lineOf(element: Element, role: string): number | undefined {
    if (role === 'sticky line') return readStickyLineNumber(element);
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
    let node = findVisualParent(element);
    for (let up = 0; node && up < 4; up++, node = findVisualParent(node)) {
      const outer = this.#taken.get(node as Element);
      // A message is not the label of elements in its box.
      if (outer === undefined || (node as Element).matches(MESSAGE_BOXES)) continue;
      return outer === name || (isMenuItem(node as Element) && outer.startsWith(name));
    }
    return false;
  }
}

function matchesQuery(selector: string): Element[] {
  return [...walkViews()].flatMap(({ root }) => [...root.querySelectorAll(selector)]).slice(0, 1000);
}

function isMenuItem(element: Element): boolean {
  return element.matches('[role^=menuitem]');
}

function readHeldText(element: Element): string | undefined {
  return element.matches('.monaco-editor')
    ? clipText(readSmallEditor(element))
    : readFieldValue(element, 300);
}

function clipText(text: string | undefined): string | undefined {
  return text === undefined ? undefined : clip(text, 300);
}

function mayBeNameless(role: string): boolean {
  return ['line', 'textbox', 'searchbox', 'combobox', 'checkbox', 'radio', 'slider', 'spinbutton'].includes(
    role,
  );
}

/** Maximum milliseconds that count between two looks at the clock: the rest of a longer gap was another process's time. */
const STEP_MS = 4;
/** On a busy machine a reading may take this many times its budget. */
const LONGEST = 4;

/**
 * Time that a reading has used itself. On a busy machine, most of the elapsed time belongs to other processes and says
 * nothing about the size of the page.
 */
export class ReadingClock {
  readonly #budgetMs: number;
  readonly #start = performance.now();
  #last = this.#start;
  #ownMs = 0;

  /** @param budgetMs milliseconds of its own after which a reading stops */
  constructor(budgetMs: number) {
    this.#budgetMs = budgetMs;
  }

  /** Call it after each small piece of work. */
  isOver(): boolean {
    const now = performance.now();
    this.#ownMs += Math.min(now - this.#last, STEP_MS);
    this.#last = now;
    return this.#ownMs > this.#budgetMs || now - this.#start > this.#budgetMs * LONGEST;
  }

  /** The elapsed time as a multiple of its own time, 1 to 4: the readings of frames get that much more time. */
  get slowdown(): number {
    const [wall, own] = [this.#last - this.#start, Math.max(this.#ownMs, 1)];
    return wall < FAIR_MS ? 1 : Math.min(LONGEST, Math.max(1, wall / own));
  }
}

/** A reading that took no longer than this was not slowed down. */
const FAIR_MS = 100;
