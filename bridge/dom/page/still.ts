/**
 * Stops decorative motion and hides nothing. An animation ends after one short run, so that events that code waits for
 * still fire. A transition takes no time at all: any other duration would give one to every property of every element,
 * and the page would measure old values after setting new ones.
 */
const STILL = `
*, *::before, *::after {
  transition-duration: 0s !important;
  transition-delay: 0s !important;
  animation-duration: 1ms !important;
  animation-delay: 0s !important;
  animation-iteration-count: 1 !important;
  scroll-behavior: auto !important;
  caret-animation: manual !important;
}`;

const sheets = new WeakMap<Document, CSSStyleSheet>();

/** Adds the stylesheet to a document or a shadow tree, unless it has it. */
export function still(root: Document | ShadowRoot): void {
  const owner = 'defaultView' in root ? root : root.ownerDocument;
  const sheet = sheets.get(owner) ?? makeSheet(owner);
  if (sheet && !root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets.push(sheet);
}

/** A document only adopts sheets that its own window made. */
function makeSheet(owner: Document): CSSStyleSheet | undefined {
  const view = owner.defaultView;
  if (!view) return undefined;
  const sheet = new view.CSSStyleSheet();
  sheet.replaceSync(STILL);
  sheets.set(owner, sheet);
  return sheet;
}
