/** An element of the page's HTML. */
export function element(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return found;
}

/** A new element with its text. */
export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  text = '',
  className = '',
): HTMLElementTagNameMap[K] {
  const fresh = document.createElement(tag);
  fresh.textContent = text;
  fresh.className = className;
  return fresh;
}
