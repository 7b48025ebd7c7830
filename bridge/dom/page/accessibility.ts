import type { Mark } from '../../protocol/index.ts';
import { clip } from '../../text/index.ts';
import { describePlayer, isPlayer, LINKS_BY_SCRIPT, MESSAGE_BOXES, STICKY_LINE } from './targets.ts';

/** Roles whose text is their name (https://w3c.github.io/aria/#namefromcontent). A container's text is not. */
const namedByContent = new Set(
  (
    'button link tab treeitem option menuitem menuitemcheckbox menuitemradio checkbox radio switch row listitem ' +
    'breadcrumb cell gridcell heading'
  ).split(' '),
);

/** The accessible name, as far as it can be computed without the accessibility tree. */
export function readAccessibleName(element: Element, role: string): string {
  if (role === 'line' || role === 'terminal line' || role === 'sticky line')
    return shortenCodeLine(element.textContent);
  if (role === 'gutter') return readGutterName(element);
  if (role === 'minimap') return 'minimap';
  if (element.matches('.monaco-editor')) return readEditorName(element);
  if (element.matches('.defineKeybindingWidget')) return readContentName(element);
  if (element.matches('.monaco-dialog-box')) return readDialogName(element);
  return (
    shortenLine(element.getAttribute('aria-label')) ||
    readLabelledBy(element) ||
    readActionName(element) ||
    readFieldName(element) ||
    shortenLine(element.getAttribute('alt')) ||
    (namedByContent.has(role) ? readContentName(element) : '') ||
    shortenLine(element.getAttribute('title')) ||
    shortenLine(element.querySelector('[aria-label]')?.getAttribute('aria-label')) ||
    readIconName(element) ||
    (isPlayer(element) ? `${element.localName} player` : '')
  );
}

/** The text in an element, as it is drawn. An icon font's letters don't count. */
function readContentName(element: Element): string {
  return element.firstChild ? shortenLine((element as HTMLElement).innerText) : '';
}

/** An editor's hidden input names its file; the three editors of a merge, all of one file, have a title above them. */
function readEditorName(element: Element): string {
  const input = element.querySelector('.native-edit-context, .inputarea');
  const file = shortenLine(input?.getAttribute('aria-label')) || 'editor';
  const side = shortenLine(
    element.closest('.merge-editor .code-view')?.querySelector('.title')?.textContent,
    60,
  );
  return side ? `${side}: ${file}` : file;
}

/** The question or message of a dialog, and the smaller text below. */
function readDialogName(element: Element): string {
  const parts = [...element.querySelectorAll('.dialog-message-text, .dialog-message-detail')];
  return (
    shortenLine(parts.map(({ textContent }) => textContent).join(' ')) ||
    shortenLine(element.getAttribute('aria-label'))
  );
}

/** Tabs of bars are wrappers; the action inside has the name, with its keys. */
function readActionName(element: Element): string {
  if (!element.matches('.action-item')) return '';
  return shortenLine(element.querySelector('.action-label')?.getAttribute('aria-label'));
}

function readLabelledBy(element: Element): string {
  const ids = element.getAttribute('aria-labelledby')?.split(/\s+/).slice(0, 10) ?? [];
  const root = element.getRootNode() as Document | ShadowRoot;
  return shortenLine(ids.map((id) => root.getElementById(id)?.textContent ?? '').join(' '));
}

function readFieldName(element: Element): string {
  if (!isField(element)) return '';
  const field = element as HTMLInputElement;
  return shortenLine(field.labels?.[0]?.textContent) || shortenLine(field.placeholder);
}

export function isField(element: Element): boolean {
  return ['input', 'textarea', 'select'].includes(element.localName);
}

/** `codicon-debug-start` → `debug start`: distinguishes icons without text. */
function readIconName(element: Element): string {
  const icon = element.matches('.codicon') ? element : element.querySelector('.codicon');
  const word = [...(icon?.classList ?? [])].find((name) => /^codicon-(?!modifier)/.test(name));
  return word ? shortenLine(word.slice('codicon-'.length).replaceAll('-', ' ')) : '';
}

/** The name of the margin beside a line of code: its number, and any breakpoint. */
function readGutterName(element: Element): string {
  const number = shortenLine(element.querySelector('.line-numbers')?.textContent, 12);
  if (!number) return '';
  const signs = findGlyphs(element)
    .flatMap((sign) => [...sign.classList])
    .filter((name) => name.startsWith('codicon-debug-'))
    .map((name) => name.slice('codicon-debug-'.length).replaceAll('-', ' '));
  return shortenLine(['line', number, ...new Set(signs)].join(' '));
}

/** Glyphs are drawn in a separate layer, at the height of their line. */
function findGlyphs(row: Element): Element[] {
  const { top } = (row as HTMLElement).style;
  const glyphs = row.closest('.margin')?.querySelectorAll<HTMLElement>('.glyph-margin-widgets > *') ?? [];
  return [...glyphs].filter((glyph) => glyph.style.top === top);
}

/** The value of an input; undefined for anything else. */
export function readFieldValue(element: Element, max: number): string | undefined {
  if (element.localName === 'select') {
    return shortenLine((element as HTMLSelectElement).selectedOptions[0]?.textContent, max);
  }
  if (isPlayer(element)) return describePlayer(element);
  if (element.localName === 'textarea') return clip((element as HTMLTextAreaElement).value, max);
  if (element.localName === 'input') {
    const input = element as HTMLInputElement;
    return ['checkbox', 'radio', 'button', 'submit', 'reset', 'image'].includes(input.type)
      ? undefined
      : clip(input.value, max);
  }
  const value = element.getAttribute('aria-valuetext') ?? element.getAttribute('aria-valuenow');
  return value === null ? undefined : shortenLine(value, max);
}

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
const fallbackRoles = new Set(['row', 'button']);

/** The ARIA role of an element, or the nearest one; empty if it has none. */
export function readRole(element: Element): string {
  const drawn = classRoles.find(([selector]) => element.matches(selector))?.[1];
  const given = clip(element.getAttribute('role')?.trim().split(/\s+/)[0] ?? '', 60);
  const explicit = given === 'presentation' || given === 'none' ? '' : given;
  if (drawn && !fallbackRoles.has(drawn)) return drawn;
  return explicit || readTagRole(element) || drawn || '';
}

function readTagRole(element: Element): string {
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

/** The states of an element, from ARIA or from the element itself. */
export function readElementState(element: Element, focused: boolean): Mark['state'] {
  const aria = (name: string) => element.getAttribute(`aria-${name}`);
  const input = element as Partial<HTMLInputElement>;
  const expanded = aria('expanded');
  return {
    ...(focused && { focused: true }),
    ...((aria('checked') === 'true' || input.checked === true) && { checked: true }),
    ...((aria('pressed') === 'true' || element.matches('.monaco-custom-toggle.checked')) && {
      checked: true,
    }),
    ...(expanded === 'true' && { expanded: true }),
    ...(expanded === 'false' && { collapsed: true }),
    ...(aria('selected') === 'true' && { selected: true }),
    ...((aria('disabled') === 'true' ||
      input.disabled === true ||
      element.classList.contains('disabled')) && {
      disabled: true,
    }),
  };
}

/** A bounded, single-line text of one that may be megabytes long. */
export function shortenLine(text: string | null | undefined, max = 300): string {
  if (!text) return '';
  return clip(
    clip(text, max * 4)
      .replaceAll('\u00a0', ' ')
      .replace(/\s+/g, ' ')
      .trim(),
    max,
  );
}

/** As {@link shortenLine}, but keeps indentation: a line of code or of a terminal. */
function shortenCodeLine(text: string | null | undefined, max = 300): string {
  if (!text) return '';
  return clip(text, max).replaceAll('\u00a0', ' ').trimEnd();
}
