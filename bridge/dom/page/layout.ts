import type { LayoutPart } from '../../protocol/index.ts';
import { toBox } from './rect.ts';
import { line } from './words.ts';

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
const most = 40;

/** The visible parts of the window, and their places, as commands for bars and panels and dragged borders change them. */
export function readLayout(): LayoutPart[] {
  const parts = PARTS.flatMap(([selector, name]) =>
    roots()
      .flatMap((root) => [...root.querySelectorAll(selector)])
      .flatMap((element, i) => {
        const rect = element.getBoundingClientRect();
        const isShown = rect.width > 0 && rect.height > 0 && element.checkVisibility(drawn);
        return isShown ? [{ name: i === 0 ? name : `${name} ${i + 1}`, box: toBox(rect) }] : [];
      }),
  );
  return parts.slice(0, most);
}

/** Tabs of a group beyond these are not compared. */
const mostTabs = 100;

/** The tabs of each group of editors in their order: a tab that is dragged within its group changes nothing else. */
export function readTabs(): string[][] {
  return [...document.querySelectorAll('.editor-group-container')]
    .slice(0, most)
    .map((group) =>
      [...group.querySelectorAll('.tabs-container > .tab')]
        .slice(0, mostTabs)
        .map((tab) => line(tab.getAttribute('data-resource-name') ?? tab.getAttribute('aria-label'), 200)),
    );
}

const drawn = { opacityProperty: true, visibilityProperty: true } as const;

/** Menus at the pointer are in trees of their own. */
function roots(): (Document | ShadowRoot)[] {
  const hosts = document.querySelectorAll('.shadow-root-host');
  return [document, ...[...hosts].flatMap(({ shadowRoot }) => shadowRoot ?? [])];
}
