/** The element with this id, which the page always has. */
export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return found as T;
}

export function buildElement<K extends keyof HTMLElementTagNameMap>(
  name: K,
  className = '',
  text?: string,
): HTMLElementTagNameMap[K] {
  const element = document.createElement(name);
  if (className !== '') element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
}

/** Changes a text only if it differs, so that a screen reader reads it once. */
export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

/** Text with the matches of a search highlighted. */
export function highlightMatches(text: string, query: string, className: string): HTMLElement {
  const span = buildElement('span', className);
  const at = query === '' ? -1 : text.toLowerCase().indexOf(query);
  if (at < 0) span.textContent = text;
  else
    span.append(
      text.slice(0, at),
      buildElement('mark', '', text.slice(at, at + query.length)),
      text.slice(at + query.length),
    );
  return span;
}
