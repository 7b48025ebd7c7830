import { clip } from '../../text/index.ts';
import { isPlayer, playerState } from './players.ts';
import { codeLine, line } from './words.ts';

/** Roles whose text is their name (https://w3c.github.io/aria/#namefromcontent). A container's text is not. */
const namedByContent = new Set(
  (
    'button link tab treeitem option menuitem menuitemcheckbox menuitemradio checkbox radio switch row listitem ' +
    'breadcrumb cell gridcell heading'
  ).split(' '),
);

/** The accessible name, as far as it can be computed without the accessibility tree. */
export function nameOf(element: Element, role: string): string {
  if (role === 'line' || role === 'terminal line' || role === 'sticky line')
    return codeLine(element.textContent);
  if (role === 'gutter') return gutterName(element);
  if (role === 'minimap') return 'minimap';
  if (element.matches('.monaco-editor')) return editorName(element);
  if (element.matches('.defineKeybindingWidget')) return contentName(element);
  if (element.matches('.monaco-dialog-box')) return dialogName(element);
  return (
    line(element.getAttribute('aria-label')) ||
    labelledBy(element) ||
    actionName(element) ||
    fieldName(element) ||
    line(element.getAttribute('alt')) ||
    (namedByContent.has(role) ? contentName(element) : '') ||
    line(element.getAttribute('title')) ||
    line(element.querySelector('[aria-label]')?.getAttribute('aria-label')) ||
    iconName(element) ||
    (isPlayer(element) ? `${element.localName} player` : '')
  );
}

/** The text in an element, as it is drawn. An icon font's letters don't count. */
function contentName(element: Element): string {
  return element.firstChild ? line((element as HTMLElement).innerText) : '';
}

/** An editor's hidden input names its file; the three editors of a merge, all of one file, have a title above them. */
function editorName(element: Element): string {
  const input = element.querySelector('.native-edit-context, .inputarea');
  const file = line(input?.getAttribute('aria-label')) || 'editor';
  const side = line(element.closest('.merge-editor .code-view')?.querySelector('.title')?.textContent, 60);
  return side ? `${side}: ${file}` : file;
}

/** The question or message of a dialog, and the smaller text below. */
function dialogName(element: Element): string {
  const parts = [...element.querySelectorAll('.dialog-message-text, .dialog-message-detail')];
  return (
    line(parts.map(({ textContent }) => textContent).join(' ')) || line(element.getAttribute('aria-label'))
  );
}

/** Tabs of bars are wrappers; the action inside has the name, with its keys. */
function actionName(element: Element): string {
  if (!element.matches('.action-item')) return '';
  return line(element.querySelector('.action-label')?.getAttribute('aria-label'));
}

function labelledBy(element: Element): string {
  const ids = element.getAttribute('aria-labelledby')?.split(/\s+/).slice(0, 10) ?? [];
  const root = element.getRootNode() as Document | ShadowRoot;
  return line(ids.map((id) => root.getElementById(id)?.textContent ?? '').join(' '));
}

function fieldName(element: Element): string {
  if (!isField(element)) return '';
  const field = element as HTMLInputElement;
  return line(field.labels?.[0]?.textContent) || line(field.placeholder);
}

export function isField(element: Element): boolean {
  return ['input', 'textarea', 'select'].includes(element.localName);
}

/** `codicon-debug-start` → `debug start`: distinguishes icons without text. */
function iconName(element: Element): string {
  const icon = element.matches('.codicon') ? element : element.querySelector('.codicon');
  const word = [...(icon?.classList ?? [])].find((name) => /^codicon-(?!modifier)/.test(name));
  return word ? line(word.slice('codicon-'.length).replaceAll('-', ' ')) : '';
}

/** The name of the margin beside a line of code: its number, and any breakpoint. */
function gutterName(element: Element): string {
  const number = line(element.querySelector('.line-numbers')?.textContent, 12);
  if (!number) return '';
  const signs = glyphsOf(element)
    .flatMap((sign) => [...sign.classList])
    .filter((name) => name.startsWith('codicon-debug-'))
    .map((name) => name.slice('codicon-debug-'.length).replaceAll('-', ' '));
  return line(['line', number, ...new Set(signs)].join(' '));
}

/** Glyphs are drawn in a separate layer, at the height of their line. */
function glyphsOf(row: Element): Element[] {
  const { top } = (row as HTMLElement).style;
  const glyphs = row.closest('.margin')?.querySelectorAll<HTMLElement>('.glyph-margin-widgets > *') ?? [];
  return [...glyphs].filter((glyph) => glyph.style.top === top);
}

/** The value of an input; undefined for anything else. */
export function valueOf(element: Element, max: number): string | undefined {
  if (element.localName === 'select') {
    return line((element as HTMLSelectElement).selectedOptions[0]?.textContent, max);
  }
  if (isPlayer(element)) return playerState(element);
  if (element.localName === 'textarea') return clip((element as HTMLTextAreaElement).value, max);
  if (element.localName === 'input') {
    const input = element as HTMLInputElement;
    return ['checkbox', 'radio', 'button', 'submit', 'reset', 'image'].includes(input.type)
      ? undefined
      : clip(input.value, max);
  }
  const value = element.getAttribute('aria-valuetext') ?? element.getAttribute('aria-valuenow');
  return value === null ? undefined : line(value, max);
}
