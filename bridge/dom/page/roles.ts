import { clip } from '../../text/index.ts';
import { LINKS_BY_SCRIPT, MESSAGE_BOXES, STICKY_LINE } from './candidates.ts';

const tagRoles: Readonly<Record<string, string>> = {
  a: 'link',
  button: 'button',
  textarea: 'textbox',
  select: 'combobox',
  summary: 'button',
  option: 'option',
  img: 'image',
  nav: 'navigation',
  main: 'main',
  dialog: 'dialog',
  audio: 'audio',
  video: 'video',
  table: 'table',
  ul: 'list',
  ol: 'list',
  li: 'listitem',
};

const inputRoles: Readonly<Record<string, string>> = {
  checkbox: 'checkbox',
  radio: 'radio',
  range: 'slider',
  number: 'spinbutton',
  search: 'searchbox',
  button: 'button',
  submit: 'button',
  reset: 'button',
  image: 'button',
  file: 'button',
  color: 'button',
};

/** Elements that VS Code draws without an ARIA role. */
const classRoles: readonly (readonly [selector: string, role: string])[] = [
  ['.view-lines > .view-line', 'line'],
  ['.margin-view-overlays > div', 'gutter'],
  ['.xterm-rows > div', 'terminal line'],
  ['.minimap', 'minimap'],
  [STICKY_LINE, 'sticky line'],
  [MESSAGE_BOXES, 'dialog'],
  ['.monaco-editor', 'textbox'],
  ['.monaco-hover', 'tooltip'],
  ['.monaco-breadcrumb-item', 'breadcrumb'],
  ['.monaco-list-row', 'row'],
  [
    '.action-label, .monaco-button, .statusbar-item-label, .cell-status-item, .existingText, .clickable, .lightBulbWidget',
    'button',
  ],
];

/** Roles of last resort: an element's own role is better. */
const nearest = new Set(['row', 'button']);

/** The ARIA role of an element, or the nearest one; empty if it has none. */
export function roleOf(element: Element): string {
  const drawn = classRoles.find(([selector]) => element.matches(selector))?.[1];
  const given = clip(element.getAttribute('role')?.trim().split(/\s+/)[0] ?? '', 60);
  const explicit = given === 'presentation' || given === 'none' ? '' : given;
  if (drawn && !nearest.has(drawn)) return drawn;
  return explicit || tagRole(element) || drawn || '';
}

function tagRole(element: Element): string {
  if (element.localName === 'input') return inputRoles[(element as HTMLInputElement).type] ?? 'textbox';
  if (element.localName === 'a' && !element.matches(`[href], [data-href], ${LINKS_BY_SCRIPT}`)) return '';
  if (isEditable(element)) return 'textbox';
  return tagRoles[element.localName] ?? '';
}

/** Whether typing into it writes text. */
export function isEditable(element: Element): boolean {
  if (element.localName === 'textarea') return !(element as HTMLTextAreaElement).readOnly;
  if (element.localName === 'input') {
    const input = element as HTMLInputElement;
    return (
      !input.readOnly && !(input.type in inputRoles && input.type !== 'search' && input.type !== 'number')
    );
  }
  const { editContext, isContentEditable } = element as HTMLElement & { editContext?: object | null };
  return isContentEditable || Boolean(editContext);
}
