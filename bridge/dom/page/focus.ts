import type { Box, Focus } from '../../protocol/index.ts';
import { clip } from '../../text/index.ts';
import { isEditable, isField, readAccessibleName, readFieldValue, readRole } from './accessibility.ts';
import type { Rect } from './api.ts';
import { SMALL_EDITORS } from './targets.ts';
import {
  findActiveElement,
  findViewOffset,
  hasRoom,
  intersectRects,
  readPageClip,
  shiftRect,
  toBox,
} from './views.ts';

/** The focused element as a person would name it: the row of a list, the editor around its hidden input. */
export function readFocus(): Focus | null {
  const active = findActiveElement();
  if (!active) return null;
  const editable = isEditable(active);
  const shown = editable ? active : (findActiveRow(active) ?? active);
  const role = readRole(shown) || 'generic';
  const surface = findSurface(shown);
  const value = surface
    ? readSmallEditor(surface)
    : isField(shown)
      ? readFieldValue(shown, 10_000)
      : undefined;
  const box = boxAroundCaret(surface ?? shown, (surface ?? shown).getBoundingClientRect());
  const view = nameViewAround(active);
  return {
    role,
    name: readAccessibleName(shown, role),
    editable,
    ...(active.matches('input[type=password]') && { secret: true }),
    ...(value !== undefined && { value }),
    ...(box && { box }),
    ...(view !== undefined && { view: clip(view, 100) }),
  };
}

/** Places without an id of VS Code's; of nested ones, the innermost comes first. */
const namedPlaces: readonly (readonly [selector: string, view: string])[] = [
  ['.rename-box', 'rename'],
  ['.quick-input-widget', 'quickInput'],
  ['.monaco-dialog-box', 'dialog'],
  ['.notifications-toasts, .notifications-center', 'notification'],
  ['.monaco-menu', 'menu'],
  ['.settings-editor', 'settings'],
  ['.keybindings-editor', 'keybindings'],
  ['.extension-editor', 'extension'],
  ['.search-editor', 'searchEditor'],
  ['.notebook-editor', 'notebook'],
];

/** The view, panel, editor or part that an element is in; undefined outside of the workbench, as in a webview. */
function nameViewAround(element: Element): string | undefined {
  const own = namedPlaces.find(([selector]) => element.closest(selector));
  return own ? own[1] : element.closest('.composite[id], .part[id]')?.id;
}

/** The editor or terminal whose hidden input this is. Other fields in an editor, as its find widget's, are themselves. */
export function findSurface(element: Element): Element | null {
  const hidden = '.inputarea, .native-edit-context, .ime-text-area, .xterm-helper-textarea';
  return element.matches(hidden) ? element.closest('.monaco-editor, .xterm') : null;
}

/** The drawn text of a search or commit box that is a small editor; undefined for any other editor. */
export function readSmallEditor(surface: Element): string | undefined {
  if (!surface.closest(SMALL_EDITORS)) return undefined;
  // Not in the order of the document: those above what was shown before come last.
  const drawn = [...surface.querySelectorAll<HTMLElement>('.view-line')];
  const lines = drawn
    .sort((one, other) => (parseFloat(one.style.top) || 0) - (parseFloat(other.style.top) || 0))
    .map((line) => line.textContent);
  return clip(lines.join('\n').replaceAll('\u00a0', ' '), 10_000);
}

/** Lists and trees keep the focus themselves and point at their active row. */
export function findActiveRow(active: Element): Element | null {
  const id = active.getAttribute('aria-activedescendant');
  return id ? (active.getRootNode() as Document | ShadowRoot).getElementById(id) : null;
}

/** The place where typed text will appear; null if the focus takes no text or its caret is out of sight. */
export function readCaret(): Box | null {
  const active = findActiveElement();
  if (!active || !isEditable(active)) return null;
  const cursor = findSurface(active)?.querySelector('.cursors-layer > .cursor, .xterm-cursor');
  if (cursor) return boxAroundCaret(cursor, cursor.getBoundingClientRect());
  const rect = isField(active)
    ? measureFieldCaret(active as HTMLInputElement)
    : measureSelectionCaret(active);
  return rect && boxAroundCaret(active, rect);
}

function boxAroundCaret(element: Element, rect: Rect): Box | null {
  const { dx, dy } = findViewOffset(element);
  const shown = intersectRects(shiftRect(rect, dx, dy), readPageClip());
  const thin = shown.right - shown.left > 0 && shown.bottom > shown.top;
  return hasRoom(shown) || thin ? toBox(shown) : null;
}

function measureSelectionCaret(active: Element): Rect | null {
  const selection = active.ownerDocument.getSelection();
  if (!selection?.rangeCount) return null;
  const [rect] = selection.getRangeAt(0).getClientRects();
  return rect ? { left: rect.left, top: rect.top, right: rect.left + 1, bottom: rect.bottom } : null;
}

/** Measures the text before the caret, since a field does not report where it draws it. One-line fields only. */
function measureFieldCaret(field: HTMLInputElement): Rect | null {
  if (field.localName !== 'input' || field.selectionStart === null) return null;
  const style = getComputedStyle(field);
  const canvas = document.createElement('canvas').getContext('2d');
  if (!canvas) return null;
  canvas.font = style.font;
  const before = field.value.slice(0, Math.min(field.selectionStart, 2000));
  const rect = field.getBoundingClientRect();
  const start = rect.left + parseFloat(style.borderLeftWidth) + parseFloat(style.paddingLeft);
  const left = Math.min(start + canvas.measureText(before).width - field.scrollLeft, rect.right);
  return { left, top: rect.top, right: left + 1, bottom: rect.bottom };
}
