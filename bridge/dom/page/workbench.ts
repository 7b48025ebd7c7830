import type { LayoutPart, WindowMessage } from '../../protocol/index.ts';
import { shortenLine } from './accessibility.ts';
import { listBusyIndicators } from './activity.ts';
import type { PageState } from './api.ts';
import { readScale, toBox } from './views.ts';

/** Set by VS Code when editors and views of the last session are back (its lifecycle phase). */
const RESTORED = 'code/LifecyclePhase/Restored';

export function isWorkbench(): boolean {
  return document.querySelector('.monaco-workbench') !== null;
}

/** Whether keys go to this document, and it is shown. */
export function hasKeyboard(): boolean {
  return document.hasFocus() && document.visibilityState === 'visible';
}

export function readWorkbenchState(): PageState {
  const workbench = isWorkbench();
  return {
    workbench,
    restored:
      workbench &&
      performance.getEntriesByName(RESTORED).length > 0 &&
      isWorkbenchDrawn() &&
      listBusyIndicators().length === 0,
    focused: hasKeyboard(),
    width: Math.round(window.innerWidth * readScale()),
    height: Math.round(window.innerHeight * readScale()),
    loadedAt: performance.timeOrigin,
  };
}

function isWorkbenchDrawn(): boolean {
  const editor = document.querySelector('.part.editor')?.getBoundingClientRect();
  return Boolean(
    editor && editor.width > 0 && editor.height > 0 && document.querySelector('.statusbar-item'),
  );
}

/** Parts of the window that a person can show and hide, by the class that VS Code draws them with. */
const PARTS = [
  ['.part.titlebar', 'title bar'],
  ['.part.activitybar', 'activity bar'],
  ['.part.sidebar', 'side bar'],
  ['.part.auxiliarybar', 'secondary side bar'],
  ['.part.panel', 'panel'],
  ['.part.statusbar', 'status bar'],
  // Settings and the like open over the window, in a group of their own.
  ['.editor-group-container:not(.modal-editor-part *)', 'editor group'],
  ['.modal-editor-part', 'modal editor'],
  ['.menubar-menu-items-holder, .context-view .monaco-menu', 'menu'],
  ['.find-widget.visible', 'find box'],
  ['.suggest-widget.visible', 'suggestions'],
] as const;

/** Groups of editors beyond these are not compared. */
const maxGroups = 40;

/** The visible parts of the window, and their places, as commands for bars and panels and dragged borders change them. */
export function readLayout(): LayoutPart[] {
  const parts = PARTS.flatMap(([selector, name]) =>
    listRoots()
      .flatMap((root) => [...root.querySelectorAll(selector)])
      .flatMap((element, i) => {
        const rect = element.getBoundingClientRect();
        const isShown = rect.width > 0 && rect.height > 0 && element.checkVisibility(drawnTabs);
        return isShown ? [{ name: i === 0 ? name : `${name} ${i + 1}`, box: toBox(rect) }] : [];
      }),
  );
  return parts.slice(0, maxGroups);
}

/** Tabs of a group beyond these are not compared. */
const maxTabs = 100;

/** The tabs of each group of editors in their order: a tab that is dragged within its group changes nothing else. */
export function readTabOrder(): string[][] {
  return [...document.querySelectorAll('.editor-group-container')]
    .slice(0, maxGroups)
    .map((group) =>
      [...group.querySelectorAll('.tabs-container > .tab')]
        .slice(0, maxTabs)
        .map((tab) =>
          shortenLine(tab.getAttribute('data-resource-name') ?? tab.getAttribute('aria-label'), 200),
        ),
    );
}

const drawnTabs = { opacityProperty: true, visibilityProperty: true } as const;

/** Menus at the pointer are in trees of their own. */
function listRoots(): (Document | ShadowRoot)[] {
  const hosts = document.querySelectorAll('.shadow-root-host');
  return [document, ...[...hosts].flatMap(({ shadowRoot }) => shadowRoot ?? [])];
}

/** VS Code does not show more at once. */
const maxMessages = 10;

/** A dialog without a detail shows its message there. */
const messageKinds = [
  ['notification', '.notifications-toasts .notification-list-item-message'],
  ['dialog', '.monaco-dialog-box :is(.dialog-message-text, .dialog-message-detail)'],
  ['status', '[id="status.message"]'],
] as const;

/** The messages that VS Code shows now. */
export function readMessages(): WindowMessage[] {
  return messageKinds
    .flatMap(([kind, selector]) =>
      [...document.querySelectorAll(selector)]
        .slice(0, maxMessages)
        .filter((element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
        .map((element) => ({ kind, text: shortenLine(element.textContent) })),
    )
    .filter(({ text }) => text !== '')
    .slice(0, maxMessages);
}
