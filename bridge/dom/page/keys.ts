/**
 * Keys that Chromium would act on itself (find bar, history, downloads, printing, reload, new windows, caret
 * browsing, zoom) if the page does not. VS Code still receives them; no key that edits text is among them.
 */
const browserKeys = {
  alone: ['F1', 'F3', 'F5', 'F6', 'F7', 'F10', 'F11', 'F12'],
  alt: ['ArrowLeft', 'ArrowRight', 'Home', 'd', 'e', 'f', 'F4'],
  ctrl: [...'defghjklnoprstuw0123456789+-=', 'Tab', 'PageUp', 'PageDown', 'F4', 'F5'],
  ctrlShift: [...'abcdeghijmnoprtuw+_)', 'Tab', 'Delete', 'PageUp', 'PageDown', 'F5'],
} as const;

const kept = {
  alone: new Set<string>(browserKeys.alone),
  alt: new Set<string>(browserKeys.alt),
  ctrl: new Set<string>(browserKeys.ctrl),
  ctrlShift: new Set<string>(browserKeys.ctrlShift),
};

/** Keeps keys inside the IDE: people and agents work in the IDE, not in the browser around it. */
export function keepKeys(root: Document): void {
  const keep = (event: KeyboardEvent) => {
    if (isBrowserKey(event)) event.preventDefault();
  };
  // In the capture phase, before any other listener can stop the event.
  root.defaultView?.addEventListener('keydown', keep, { capture: true });
}

function isBrowserKey({ key, ctrlKey, altKey, shiftKey, metaKey }: KeyboardEvent): boolean {
  const name = key.length === 1 ? key.toLowerCase() : key;
  if (metaKey || (ctrlKey && altKey)) return false;
  if (ctrlKey) return (shiftKey ? kept.ctrlShift : kept.ctrl).has(name);
  if (altKey) return kept.alt.has(name);
  return kept.alone.has(name);
}
