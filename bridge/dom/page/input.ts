import type { DragState, Point, Pressed } from '../../protocol/index.ts';
import { clip } from '../../text/index.ts';
import { isEditable, readAccessibleName, readElementState, readRole } from './accessibility.ts';
import { findActiveRow } from './focus.ts';
import { CANDIDATES } from './targets.ts';
import {
  containsNode,
  findActiveElement,
  findElementAt,
  findViewOffset,
  findVisualParent,
  readScale,
} from './views.ts';

/** Any line of an editor or a terminal counts as the whole of it. */
const LINE = '.view-lines > .view-line, .xterm-rows > div, .monaco-editor';
const SURFACE = '.monaco-editor, .xterm';

interface PressedElement extends Pick<Pressed, 'role' | 'name' | 'text' | 'before'> {
  readonly element: Element;
  /** In the top document's pixels. */
  readonly point: Point;
  /** As {@link Pressed.clicks}; known a moment later than the rest. */
  clicks: number;
}

/** Elements that the left mouse button hit, read before the page's own scripts react. */
export class PressTracker {
  #count = 0;
  #last: PressedElement | undefined;

  watch({ defaultView }: Document): void {
    const note = (event: PointerEvent) => {
      if (event.button !== 0) return;
      this.#count += 1;
      const [hit] = event.composedPath();
      this.#last = hit && 'nodeType' in hit ? describePress(hit as Node, event) : undefined;
    };
    // Later events may not arrive if VS Code handles this one, as a minimap does.
    defaultView?.addEventListener('pointerdown', note, { capture: true, passive: true });
    const number = ({ button, detail }: MouseEvent) => {
      if (button === 0 && this.#last) this.#last.clicks = detail;
    };
    defaultView?.addEventListener('mousedown', number, { capture: true, passive: true });
  }

  /** The newest press, and what became of what it hit. */
  read(): Pressed | null {
    if (!this.#last) return null;
    const { element, clicks, role, name, text, before } = this.#last;
    const shown = element.isConnected ? element : findSuccessor(this.#last);
    const now = shown && readElementState(shown, holdsFocus(shown));
    return { count: this.#count, clicks, role, name, text, before, now };
  }
}

function describePress(hit: Node, { clientX, clientY }: MouseEvent): PressedElement | undefined {
  const element = findPressedElement(hit);
  if (!element) return undefined;
  const role = clip(readRole(element), 60);
  const { dx, dy } = findViewOffset(element);
  return {
    element,
    role,
    name: clip(readAccessibleName(element, role), 300),
    text: element.matches(SURFACE) || isEditable(element),
    before: readElementState(element, holdsFocus(element)),
    clicks: 0,
    point: { x: clientX + dx, y: clientY + dy },
  };
}

/** The element that a person would say was clicked. */
function findPressedElement(hit: Node): Element | null {
  for (let node: Node | null = hit; node; node = findVisualParent(node)) {
    if (!('matches' in node)) continue;
    const element = node as Element;
    if (element.matches(LINE)) return element.closest(SURFACE);
    if (element.matches(CANDIDATES)) return element;
  }
  return null;
}

/** VS Code replaces the element of a row or a control when its value changes. */
function findSuccessor({ point: { x, y }, role, name }: PressedElement): Element | null {
  const hit = findElementAt(x, y);
  const element = hit && findPressedElement(hit);
  if (!element || readRole(element) !== role) return null;
  return clip(readAccessibleName(element, role), 300) === name ? element : null;
}

/** Lists keep the focus themselves and point at their active row. */
function holdsFocus(element: Element): boolean {
  const active = findActiveElement();
  return active !== null && (containsNode(element, active) || findActiveRow(active) === element);
}

/** Follows HTML drag and drop: the browser takes part in it, and needs time for that. */
export class DragTracker {
  #state: DragState = { presses: 0, away: false, held: false, on: false, over: null, overs: 0, ended: 0 };

  watch({ defaultView }: Document): void {
    const listen = <
      K extends 'mouseover' | 'mousedown' | 'mouseup' | 'dragstart' | 'dragover' | 'drop' | 'dragend',
    >(
      kind: K,
      note: (event: WindowEventMap[K], before: DragState) => Partial<DragState>,
    ) => {
      const listener = (event: WindowEventMap[K]) =>
        void (this.#state = { ...this.#state, ...note(event, this.#state) });
      defaultView?.addEventListener(kind, listener, { capture: true, passive: true });
    };
    listen('mouseover', ({ target }) => ({ away: isForeignFrame(target) }));
    listen('mousedown', (event, { presses }) =>
      event.button === 0 ? { presses: presses + 1, held: isDraggable(event), on: false, over: null } : {},
    );
    listen('mouseup', ({ button }) => (button === 0 ? { held: false } : {}));
    listen('dragstart', () => ({ on: true }));
    listen('dragover', (event, { overs }) => ({ over: locatePointer(event), overs: overs + 1 }));
    const end = (_: Event, { ended }: DragState) => ({ held: false, on: false, ended: ended + 1 });
    listen('drop', end);
    listen('dragend', end);
  }

  read(): DragState {
    return this.#state;
  }
}

/** Not links and pictures, which any browser lets people drag: that moves nothing in VS Code. */
function isDraggable(event: MouseEvent): boolean {
  return event
    .composedPath()
    .some((node) => 'draggable' in node && (node as HTMLElement).getAttribute('draggable') === 'true');
}

function isForeignFrame(target: EventTarget | null): boolean {
  const element = target as Element | null;
  return element?.localName === 'iframe' && (element as HTMLIFrameElement).contentDocument === null;
}

/** In screen pixels. */
function locatePointer(event: MouseEvent): { x: number; y: number } {
  const [hit] = event.composedPath();
  const { dx, dy } = hit && 'nodeType' in hit ? findViewOffset(hit as Element) : { dx: 0, dy: 0 };
  return { x: (event.clientX + dx) * readScale(), y: (event.clientY + dy) * readScale() };
}

/** The entry of a quick pick, such as the command palette, at which Return was pressed: VS Code accepts that one. */
export class AcceptedEntry {
  #count = 0;
  #name = '';

  watch({ defaultView }: Document): void {
    defaultView?.addEventListener('keydown', (event) => this.#note(event), { capture: true, passive: true });
  }

  /** The newest; null before the first. */
  read(): { count: number; name: string } | null {
    return this.#count === 0 ? null : { count: this.#count, name: this.#name };
  }

  #note({ key, isTrusted }: KeyboardEvent): void {
    if (key !== 'Enter' || !isTrusted) return;
    const active = findActiveElement();
    const entry = active?.closest('.quick-input-widget') ? findActiveRow(active) : null;
    if (!entry) return;
    this.#count += 1;
    this.#name = clip(readAccessibleName(entry, readRole(entry)), 300);
  }
}

/**
 * Keys that Chromium would act on itself (find bar, history, downloads, printing, reload, new windows, caret
 * browsing, zoom) if the page does not. VS Code still receives them; no key that edits text is among them.
 */
const browserKeys = {
  alone: ['F1', 'F3', 'F5', 'F6', 'F7', 'F10', 'F11', 'F12'],
  alt: ['ArrowLeft', 'ArrowRight', 'Home', 'd', 'e', 'f', 'F4'],
  ctrl: [...'defghjklnoprstuw0123456789+-=', 'Tab', 'PageUp', 'PageDown', 'F4', 'F5'],
  ctrlShift: [...'abcdeghijmnoprtuw+_)', 'Tab', 'Delete', 'PageUp', 'PageDown', 'F5'],
} as const;

const keptWindows = {
  alone: new Set<string>(browserKeys.alone),
  alt: new Set<string>(browserKeys.alt),
  ctrl: new Set<string>(browserKeys.ctrl),
  ctrlShift: new Set<string>(browserKeys.ctrlShift),
};

/** Keeps keys inside the IDE: people and agents work in the IDE, not in the browser around it. */
export function keepBrowserKeys(root: Document): void {
  const keep = (event: KeyboardEvent) => {
    if (isBrowserKey(event)) event.preventDefault();
  };
  // In the capture phase, before any other listener can stop the event.
  root.defaultView?.addEventListener('keydown', keep, { capture: true });
}

function isBrowserKey({ key, ctrlKey, altKey, shiftKey, metaKey }: KeyboardEvent): boolean {
  const name = key.length === 1 ? key.toLowerCase() : key;
  if (metaKey || (ctrlKey && altKey)) return false;
  if (ctrlKey) return (shiftKey ? keptWindows.ctrlShift : keptWindows.ctrl).has(name);
  if (altKey) return keptWindows.alt.has(name);
  return keptWindows.alone.has(name);
}
