import { clip } from '../../text/index.ts';
import type { Point, Pressed } from '../../protocol/index.ts';
import { CANDIDATES } from './candidates.ts';
import { descendantOf } from './focus.ts';
import { nameOf } from './names.ts';
import { isEditable, roleOf } from './roles.ts';
import { stateOf } from './state.ts';
import { activeElement, contains, elementAt, offsetOf, parentOf } from './views.ts';

/** Any line of an editor or a terminal counts as the whole of it. */
const LINE = '.view-lines > .view-line, .xterm-rows > div, .monaco-editor';
const SURFACE = '.monaco-editor, .xterm';

interface Press extends Pick<Pressed, 'role' | 'name' | 'text' | 'before'> {
  readonly element: Element;
  /** In the top document's pixels. */
  readonly point: Point;
  /** As {@link Pressed.clicks}; known a moment later than the rest. */
  clicks: number;
}

/** Elements that the left mouse button hit, read before the page's own scripts react. */
export class Presses {
  #count = 0;
  #last: Press | undefined;

  watch({ defaultView }: Document): void {
    const note = (event: PointerEvent) => {
      if (event.button !== 0) return;
      this.#count += 1;
      const [hit] = event.composedPath();
      this.#last = hit && 'nodeType' in hit ? pressOn(hit as Node, event) : undefined;
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
    const shown = element.isConnected ? element : successorOf(this.#last);
    const now = shown && stateOf(shown, hasFocus(shown));
    return { count: this.#count, clicks, role, name, text, before, now };
  }
}

function pressOn(hit: Node, { clientX, clientY }: MouseEvent): Press | undefined {
  const element = thingOf(hit);
  if (!element) return undefined;
  const role = clip(roleOf(element), 60);
  const { dx, dy } = offsetOf(element);
  return {
    element,
    role,
    name: clip(nameOf(element, role), 300),
    text: element.matches(SURFACE) || isEditable(element),
    before: stateOf(element, hasFocus(element)),
    clicks: 0,
    point: { x: clientX + dx, y: clientY + dy },
  };
}

/** The element that a person would say was clicked. */
function thingOf(hit: Node): Element | null {
  for (let node: Node | null = hit; node; node = parentOf(node)) {
    if (!('matches' in node)) continue;
    const element = node as Element;
    if (element.matches(LINE)) return element.closest(SURFACE);
    if (element.matches(CANDIDATES)) return element;
  }
  return null;
}

/** VS Code replaces the element of a row or a control when its value changes. */
function successorOf({ point: { x, y }, role, name }: Press): Element | null {
  const hit = elementAt(x, y);
  const element = hit && thingOf(hit);
  if (!element || roleOf(element) !== role) return null;
  return clip(nameOf(element, role), 300) === name ? element : null;
}

/** Lists keep the focus themselves and point at their active row. */
function hasFocus(element: Element): boolean {
  const active = activeElement();
  return active !== null && (contains(element, active) || descendantOf(active) === element);
}
