import type { Point } from '../../protocol/index.ts';
import type { Rect } from './api.ts';
import { containsNode, findElementAt, findVisualParent, readScale, type RectCache } from './views.ts';

/** The part of an element that represents it, in client coordinates of its own tree. */
export function measureTarget(element: Element, role: string, rects: RectCache): Rect {
  const rect = rects.of(element);
  if (role === 'line' || role === 'sticky line') return measureTextLine(element.firstElementChild, rect);
  if (role === 'terminal line') return measureTextLine(element.lastElementChild, rect);
  if (role === 'gutter') return measureGlyphMargin(element, rect);
  if (isPlayer(element)) return placePlayButton(element, rect);
  if (element.localName === 'a') return measureLink(element, rect);
  return rect;
}

/** A line reaches to the end of its text, not of the editor; an empty one keeps room for the caret. */
function measureTextLine(text: Element | null, rect: Rect): Rect {
  const right = Math.max(text?.getBoundingClientRect().right ?? rect.left, rect.left + 8);
  return { left: rect.left, top: rect.top, right, bottom: rect.bottom };
}

/** A link that wraps does not fill the rectangle around it: its longest line represents it. */
function measureLink(element: Element, rect: Rect): Rect {
  const lines = [...element.getClientRects()];
  if (lines.length < 2) return rect;
  const { left, top, right, bottom } = lines.reduce((one, other) => (other.width > one.width ? other : one));
  return { left, top, right, bottom };
}

/** The place left of the line number, where a click sets a breakpoint. */
function measureGlyphMargin(element: Element, rect: Rect): Rect {
  const number = element.querySelector('.line-numbers')?.getBoundingClientRect();
  if (!number || number.left - rect.left < 8) return rect;
  return { left: rect.left, top: rect.top, right: number.left, bottom: rect.bottom };
}

/** The place where a click reaches an element. */
interface ClickTarget {
  /** In screen pixels. */
  readonly point: Point;
  /** The element, or the half of it that is not covered: a click at its centre reaches the element. */
  readonly part: Rect;
}

/** Parts whose centres are tried, as fractions of width and height: the whole first, then its halves. */
const PARTS = [
  [0, 0, 1, 1],
  [0, 0, 0.5, 1],
  [0.5, 0, 1, 1],
  [0, 0, 1, 0.5],
  [0, 0.5, 1, 1],
] as const;

/** The element, or the first half of it, whose centre a click reaches; null if all that was tried is covered. */
export function findReachedPart(rect: Rect, isReached: (x: number, y: number) => boolean): Rect | null {
  for (const fractions of PARTS) {
    const part = cutPart(rect, fractions);
    const { x, y } = findCentrePixel(part);
    if (isReached(x, y)) return part;
  }
  return null;
}

/**
 * Finds where a click reaches the element; null if all that was tried is covered.
 * A point over a smaller target inside it is taken only when there is no better one.
 */
export function findClickTarget(element: Element, rect: Rect): ClickTarget | null {
  let second: ClickTarget | null = null;
  for (const fractions of PARTS) {
    const part = cutPart(rect, fractions);
    const { x, y } = findCentrePixel(part);
    const hit = findElementAt(x, y);
    if (!hit || !clickReaches(element, hit)) continue;
    // With a smaller target in the middle, the whole is still visible, but a click there would reach that target.
    const point = { x: Math.floor(x * readScale()), y: Math.floor(y * readScale()) };
    const target: ClickTarget = { point, part: second?.part ?? part };
    const inner = findInnerTarget(element, hit);
    if (!inner || fillsTarget(inner, element)) return target;
    second ??= target;
  }
  return second;
}

function cutPart(rect: Rect, [left, top, right, bottom]: (typeof PARTS)[number]): Rect {
  const width = rect.right - rect.left;
  const height = rect.bottom - rect.top;
  return {
    left: rect.left + width * left,
    top: rect.top + height * top,
    right: rect.left + width * right,
    bottom: rect.top + height * bottom,
  };
}

/** The middle of the screen's pixel that a click at the centre hits. */
function findCentrePixel({ left, top, right, bottom }: Rect): Point {
  const middle = (from: number, to: number) =>
    (Math.floor(((from + to) / 2) * readScale()) + 0.5) / readScale();
  return { x: middle(left, right), y: middle(top, bottom) };
}

/** Whether a click on the element that was hit counts as a click on this one. */
export function clickReaches(element: Element, hit: Element): boolean {
  return containsNode(element, hit) || isLabelFor(element, hit) || isOnSameSurface(element, hit);
}

function isLabelFor(element: Element, hit: Element): boolean {
  const { labels: found } = element as HTMLInputElement;
  return Boolean(found && [...found].some((label) => label.contains(hit)));
}

/** Handles the mouse for all the text in it, by transparent layers over the lines. */
const SURFACE = '.lines-content, .margin, .xterm';
const WIDGETS = '.contentWidgets > *, .overlayWidgets > *, .overflowingContentWidgets > *';

/** The element that takes the clicks on an editor's or a terminal's text; null for anything else. */
export function findTextSurface(element: Element): Element | null {
  return element.closest(SURFACE);
}

function isOnSameSurface(element: Element, hit: Element): boolean {
  const own = findTextSurface(element);
  return own !== null && own === findTextSurface(hit) && !hit.closest(WIDGETS);
}

/** The smaller target, if any, at a place within an element. */
function findInnerTarget(element: Element, hit: Element): Element | null {
  for (let node: Node | null = hit; node && node !== element; node = findVisualParent(node)) {
    if ('matches' in node && (node as Element).matches(CANDIDATES))
      return containsNode(element, hit) ? (node as Element) : null;
  }
  return null;
}

/** Whether an inner target is at all places that would be tried: then no other place is better. */
function fillsTarget(inner: Element, outer: Element): boolean {
  if (inner.getRootNode() !== outer.getRootNode()) return false;
  const [a, b] = [inner.getBoundingClientRect(), outer.getBoundingClientRect()];
  const [width, height] = [b.width / 4, b.height / 4];
  return (
    a.left <= b.left + width &&
    a.right >= b.right - width &&
    a.top <= b.top + height &&
    a.bottom >= b.bottom - height
  );
}

/** The browser draws its own controls into them, which no script can read. */
const PLAYERS = 'audio[controls], video[controls]';

export function isPlayer(element: Element): boolean {
  return element.matches(PLAYERS);
}

/** A player's state and position, as its controls show them: `paused at 0:00 of 0:12`. */
export function describePlayer(element: Element): string {
  const { paused, currentTime, duration } = element as HTMLMediaElement;
  const length = Number.isFinite(duration) ? ` of ${formatClock(duration)}` : '';
  return `${paused ? 'paused' : 'playing'} at ${formatClock(currentTime)}${length}`;
}

/** The place where a click plays and pauses: the button at the left of an audio player, the whole of a video player. */
function placePlayButton(element: Element, rect: Rect): Rect {
  const side = rect.bottom - rect.top;
  return element.localName === 'audio' ? { ...rect, right: Math.min(rect.right, rect.left + side) } : rect;
}

function formatClock(seconds: number): string {
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}

/** Boxes whose name is their message. */
export const MESSAGE_BOXES = '.monaco-dialog-box, .defineKeybindingWidget';

/** Elements that VS Code shows in front of its window. */
export const IN_FRONT =
  '[role=dialog][aria-modal=true], .monaco-dialog-box, .quick-input-widget, .context-view, .notifications-toasts';

/** A sticky line: it stays at the top of an editor while the block that it begins is scrolled. */
export const STICKY_LINE = '.sticky-line-content';

/** Links that only a script follows, in the debug console and in pages of extensions. */
export const LINKS_BY_SCRIPT = 'a:not([href], [data-href], [role], .action-label, .label-name)';

/** Elements that a person would click, type into or read to decide. */
export const CANDIDATES = [
  'a[href]',
  'a[data-href]',
  LINKS_BY_SCRIPT,
  'button',
  'input:not([type=hidden])',
  'textarea',
  'select',
  'summary',
  '[contenteditable=""]',
  '[contenteditable=true]',
  ...[
    'button',
    'link',
    'tab',
    'treeitem',
    'option',
    'menuitem',
    'menuitemcheckbox',
    'menuitemradio',
    'checkbox',
    'radio',
    'switch',
    'slider',
    'spinbutton',
    'textbox',
    'searchbox',
    'combobox',
    'gridcell',
  ].map((role) => `[role=${role}]`),
  '.action-label',
  '.monaco-button',
  '.monaco-list-row',
  '.setting-list-row',
  '.monaco-breadcrumb-item',
  '.clickable',
  '.lightBulbWidget',
  '.statusbar-item-label',
  '.monaco-editor[data-uri]',
  '.view-lines > .view-line',
  '.margin-view-overlays > div',
  '.xterm-rows > div',
  '.minimap',
  STICKY_LINE,
  PLAYERS,
  MESSAGE_BOXES,
  '.defineKeybindingWidget .existingText',
  '.cell-status-item.cell-status-item-has-command',
  '.codelens-decoration > a',
  '.monaco-hover a',
  '.colorpicker-color-decoration',
].join(',');

/** Inputs that are small editors: search and commit boxes. */
export const SMALL_EDITORS =
  '.suggest-input-container, .scm-editor, .repl-input-wrapper, .breakpoint-widget, .rename-box';

/** One pixel wide fields that receive an editor's keys: the editor itself takes their place. */
const KEY_SINKS = '.native-edit-context, .inputarea, .ime-text-area, .xterm-helper-textarea';

/** Whether a matched element is drawn for people. */
export function isTarget(element: Element): boolean {
  if (element.matches(KEY_SINKS)) return false;
  // The content of a small editor is reported as its value.
  if (element.matches(`:is(${SMALL_EDITORS}) :is(.view-line, .margin-view-overlays > div)`)) return false;
  // An anchor may as well be a place to jump to.
  if (element.matches(LINKS_BY_SCRIPT) && getComputedStyle(element).cursor !== 'pointer') return false;
  if (element.getAttribute('aria-hidden') !== 'true') return true;
  return element.matches('.view-line, .margin-view-overlays > div, .xterm-rows > div, .minimap');
}
