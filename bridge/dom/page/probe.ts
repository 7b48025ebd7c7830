import { clip } from '../../text/index.ts';
import type { DomProbe, Point } from '../../protocol/index.ts';
import type { Activity } from './activity.ts';
import type { PageProbe } from './api.ts';
import { SMALL_EDITORS } from './candidates.ts';
import { descendantOf, readFocus, surfaceOf } from './focus.ts';
import { readLayout, readTabs } from './layout.ts';
import { readMessages } from './messages.ts';
import { isField, nameOf } from './names.ts';
import { pauseLeft } from './pauses.ts';
import { scale } from './rect.ts';
import { isEditable } from './roles.ts';
import { stateOf } from './state.ts';
import { activeElement, elementAt, parentOf } from './views.ts';
import { hasKeyboard, isWorkbench } from './workbench.ts';

const mostRows = 500;
const longestRow = 1000;

/** The state that an action may have changed. */
export async function readProbe(points: readonly Point[], activity: Activity): Promise<PageProbe> {
  await inputDone();
  activity.watch();
  const active = activeElement();
  const surface = active && surfaceOf(active);
  const terminal = surface?.matches('.xterm') ? surface : null;
  const keyboard = hasKeyboard();
  return {
    workbench: keyboard && isWorkbench(),
    keyboard,
    focus: readFocus(),
    element: active ? numberOf(active) : 0,
    state: active ? stateOf(descendantOf(active) ?? active, false) : {},
    surface: surfaceKind(active, surface),
    terminal: terminal && rowsOf(terminal),
    selected: active ? selectedIn(active) : '',
    scroll: points.map(({ x, y }) => scrollAt(x, y)),
    pressed: activity.presses.read(),
    drag: activity.drags.read(),
    messages: readMessages(),
    pending: pendingIn(active),
    setting: active !== null && isInSetting(active),
    paced: active && pacedAs(active),
    modal: active && modalAround(active),
    layout: readLayout(),
    tabs: readTabs(),
    accepted: activity.accepted.read(),
    loadedAt: performance.timeOrigin,
    changes: activity.changes,
    keys: activity.keys,
  };
}

/** VS Code's pauses after typing or choosing. In the settings editor, it writes only typed values after a pause. */
function pendingIn(active: Element | null): DomProbe['pending'] {
  if (pauseLeft() === 0) return null;
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
function pacedAs(active: Element): DomProbe['paced'] {
  const widget = active.closest('.quick-input-widget');
  if (!widget || !isEditable(active)) return null;
  return widget.querySelector('.quick-input-action')?.checkVisibility() === true ? 'path' : 'name';
}

/** VS Code shows settings and keyboard shortcuts in a dialog over the window, and ignores nearly all shortcuts there. */
function modalAround(active: Element): string | null {
  const dialog = active.closest('[role=dialog][aria-modal=true]');
  return dialog && clip(nameOf(dialog, 'dialog'), 200);
}

/** Input comes before messages in the page's queue: when a message arrives, all earlier input has been handled. */
function inputDone(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}

function surfaceKind(active: Element | null, surface: Element | null | undefined): DomProbe['surface'] {
  if (surface?.matches('.xterm')) return 'terminal';
  // Small editors of search and commit boxes are fields: they have a value, and no document in a tab.
  if (surface) return surface.closest(SMALL_EDITORS) ? 'field' : 'editor';
  return active && isEditable(active) ? 'field' : null;
}

function rowsOf(terminal: Element): string[] {
  return [...terminal.querySelectorAll('.xterm-rows > div')]
    .slice(0, mostRows)
    .map((row) => clip(row.textContent.replaceAll('\u00a0', ' ').trimEnd(), longestRow));
}

/** Numbers of elements that had the focus. After a reload they continue from another number. */
const numbers = new WeakMap<Element, number>();
let newest = Math.floor(performance.timeOrigin);

/** Names of fields change with their results: "Search settings. 15 settings found". */
function numberOf(element: Element): number {
  const known = numbers.get(element);
  if (known !== undefined) return known;
  newest += 1;
  numbers.set(element, newest);
  return newest;
}

/** Receives the keys of an editor (https://w3c.github.io/edit-context/); TypeScript has no type for it. */
interface EditContextHost {
  readonly editContext?: {
    readonly text: string;
    readonly selectionStart: number;
    readonly selectionEnd: number;
  } | null;
}

function selectedIn(active: Element): string {
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
function scrollAt(x: number, y: number): string {
  const places: string[] = [];
  let node: Node | null = elementAt((x + 0.5) / scale(), (y + 0.5) / scale());
  for (; node && places.length < 5; node = parentOf(node)) {
    if (node.nodeType !== Node.ELEMENT_NODE) continue;
    const at = scrolledBy(node as Element);
    if (at) places.push(at);
  }
  return clip(places.join(' in '), 500);
}

/** VS Code scrolls by moving elements itself; pages leave scrolling to the browser. */
function scrolledBy(element: Element): string | undefined {
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
