import { PLAYERS } from './players.ts';

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
