import { busy } from './activity.ts';
import { scale } from './rect.ts';
import type { PageState } from './api.ts';

/** Set by VS Code when editors and views of the last session are back (its lifecycle phase). */
const RESTORED = 'code/LifecyclePhase/Restored';

export function isWorkbench(): boolean {
  return document.querySelector('.monaco-workbench') !== null;
}

/** Whether keys go to this document, and it is shown. */
export function hasKeyboard(): boolean {
  return document.hasFocus() && document.visibilityState === 'visible';
}

export function readState(): PageState {
  const workbench = isWorkbench();
  return {
    workbench,
    restored:
      workbench && performance.getEntriesByName(RESTORED).length > 0 && isDrawn() && busy().length === 0,
    focused: hasKeyboard(),
    width: Math.round(window.innerWidth * scale()),
    height: Math.round(window.innerHeight * scale()),
    loadedAt: performance.timeOrigin,
  };
}

function isDrawn(): boolean {
  const editor = document.querySelector('.part.editor')?.getBoundingClientRect();
  return Boolean(
    editor && editor.width > 0 && editor.height > 0 && document.querySelector('.statusbar-item'),
  );
}
