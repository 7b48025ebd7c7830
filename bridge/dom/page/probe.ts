import type { DomProbe, Point } from '../../protocol/index.ts';
import { clip } from '../../text/index.ts';
import { isEditable, isField, readAccessibleName, readElementState } from './accessibility.ts';
import type { ActivityWatcher } from './activity.ts';
import type { PageProbe } from './api.ts';
import { findActiveRow, findSurface, readFocus } from './focus.ts';
import { readPauseLeft } from './pauses.ts';
import { SMALL_EDITORS } from './targets.ts';
import { findActiveElement, findElementAt, findVisualParent, readScale } from './views.ts';
import { hasKeyboard, isWorkbench, readLayout, readMessages, readTabOrder } from './workbench.ts';

const maxRows = 500;
const maxRowLength = 1000;

/** The state that an action may have changed. */
export async function readProbe(points: readonly Point[], activity: ActivityWatcher): Promise<PageProbe> {
  await waitForInput();
  activity.watch();
  const active = findActiveElement();
  const surface = active && findSurface(active);
  const terminal = surface?.matches('.xterm') ? surface : null;
  const keyboard = hasKeyboard();
  return {
    workbench: keyboard && isWorkbench(),
    keyboard,
    focus: readFocus(),
    element: active ? numberElement(active) : 0,
    state: active ? readElementState(findActiveRow(active) ?? active, false) : {},
    surface: classifySurface(active, surface),
    terminal: terminal && readTerminalRows(terminal),
    selected: active ? readSelection(active) : '',
    scroll: points.map(({ x, y }) => readScrollAt(x, y)),
    pressed: activity.presses.read(),
    drag: activity.drags.read(),
    messages: readMessages(),
    pending: readPending(active),
    setting: active !== null && isInSetting(active),
    paced: active && readPaced(active),
    modal: active && findModalName(active),
    layout: readLayout(),
    tabs: readTabOrder(),
    accepted: activity.accepted.read(),
    loadedAt: performance.timeOrigin,
    changes: activity.changes,
    keys: activity.keys,
  };
}

/** VS Code's pauses after typing or choosing. In the settings editor, it writes only typed values after a pause. */
function readPending(active: Element | null): DomProbe['pending'] {
  if (readPauseLeft() === 0) return null;
  return active && isInSetting(active) && isEditable(active) ? 'write' : 'answer';
}

function isInSetting(active: Element): boolean {
  return active.closest('.settings-editor .settings-editor-tree') !== null;
}

/**
 * VS Code's own file dialogs, which alone have a button OK beside their field, read the folder of the path after each
 * character, and drop what comes meanwhile: they show a path, and Return does not take it. Quick open looks for a file
 * after a pause, and drops that search when `:12` or `@symbol` follows: it then finds nothing.
 */
function readPaced(active: Element): DomProbe['paced'] {
  const widget = active.closest('.quick-input-widget');
  if (!widget || !isEditable(active)) return null;
  return widget.querySelector('.quick-input-action')?.checkVisibility() === true ? 'path' : 'name';
}

/** VS Code shows settings and keyboard shortcuts in a dialog over the window, and ignores nearly all shortcuts there. */
function findModalName(active: Element): string | null {
  const dialog = active.closest('[role=dialog][aria-modal=true]');
  return dialog && clip(readAccessibleName(dialog, 'dialog'), 200);
}

/** Input comes before messages in the page's queue: when a message arrives, all earlier input has been handled. */
function waitForInput(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}

function classifySurface(active: Element | null, surface: Element | null | undefined): DomProbe['surface'] {
  if (surface?.matches('.xterm')) return 'terminal';
  // Small editors of search and commit boxes are fields: they have a value, and no document in a tab.
  if (surface) return surface.closest(SMALL_EDITORS) ? 'field' : 'editor';
  return active && isEditable(active) ? 'field' : null;
}

function readTerminalRows(terminal: Element): string[] {
  return [...terminal.querySelectorAll('.xterm-rows > div')]
    .slice(0, maxRows)
    .map((row) => clip(row.textContent.replaceAll('\u00a0', ' ').trimEnd(), maxRowLength));
}

/** Numbers of elements that had the focus. After a reload they continue from another number. */
const elementNumbers = new WeakMap<Element, number>();
let newestNumber = Math.floor(performance.timeOrigin);

/** Names of fields change with their results: "Search settings. 15 settings found". */
function numberElement(element: Element): number {
  const known = elementNumbers.get(element);
  if (known !== undefined) return known;
  newestNumber += 1;
  elementNumbers.set(element, newestNumber);
  return newestNumber;
}

/** Receives the keys of an editor (https://w3c.github.io/edit-context/); TypeScript has no type for it. */
interface EditContextHost {
  readonly editContext?: {
    readonly text: string;
    readonly selectionStart: number;
    readonly selectionEnd: number;
  } | null;
}

function readSelection(active: Element): string {
  const { editContext } = active as Element & EditContextHost;
  if (editContext) {
    const { text, selectionStart: from, selectionEnd: to } = editContext;
    return clip(text.slice(Math.min(from, to), Math.max(from, to)), 1000);
  }
  if (isField(active)) {
    const { value, selectionStart, selectionEnd } = active as HTMLInputElement;
    // A field for numbers does not say where its selection is.
    if (selectionStart !== null) return clip((value ?? '').slice(selectionStart, selectionEnd ?? 0), 1000);
  }
  return clip(active.ownerDocument.getSelection()?.toString() ?? '', 1000);
}

/** How far everything under a point is scrolled, the innermost first; empty if nothing scrolls. */
function readScrollAt(x: number, y: number): string {
  const places: string[] = [];
  let node: Node | null = findElementAt((x + 0.5) / readScale(), (y + 0.5) / readScale());
  for (; node && places.length < 5; node = findVisualParent(node)) {
    if (node.nodeType !== Node.ELEMENT_NODE) continue;
    const at = readScroll(node as Element);
    if (at) places.push(at);
  }
  return clip(places.join(' in '), 500);
}

/** VS Code scrolls by moving elements itself; pages leave scrolling to the browser. */
function readScroll(element: Element): string | undefined {
  if (element.matches('.monaco-scrollable-element')) {
    const content = [...element.children].find((child) => !child.matches('.scrollbar, .shadow'));
    if (!content) return undefined;
    const [own, inner] = [element.getBoundingClientRect(), content.getBoundingClientRect()];
    const sliders = [...element.querySelectorAll(':scope > .scrollbar > .slider')].map((slider) => {
      const box = slider.getBoundingClientRect();
      return `${Math.round(box.left - own.left)},${Math.round(box.top - own.top)}`;
    });
    return `(${Math.round(own.left - inner.left)},${Math.round(own.top - inner.top)}) ${sliders.join('/')}`;
  }
  const { scrollWidth, clientWidth, scrollHeight, clientHeight, scrollLeft, scrollTop } = element;
  const scrolls = scrollHeight > clientHeight || scrollWidth > clientWidth;
  return scrolls && (scrollTop > 0 || scrollLeft > 0 || hasScrollStyle(element))
    ? `(${Math.round(scrollLeft)},${Math.round(scrollTop)})`
    : undefined;
}

function hasScrollStyle(element: Element): boolean {
  if (element === element.ownerDocument.documentElement) return true;
  const { overflowX, overflowY } = getComputedStyle(element);
  return /auto|scroll/.test(overflowX + overflowY);
}
