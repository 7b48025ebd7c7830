/** A label as draw.io keeps it, as plain text: with `html=1` in the style it is HTML. */
export function textOf(label: string, isHtml: boolean): string {
  if (!isHtml) return label;
  const broken = label.replaceAll(
    /<br\s*\/?>|<\/(?:div|p|li|h[1-6])>(?=\s*<(?:div|p|li|h[1-6])|\s*\S)/gi,
    '\n',
  );
  // Parsed apart from the page: nothing in it is loaded or run.
  return (new DOMParser().parseFromString(broken, 'text/html').body.textContent ?? '').trim();
}

/** The other way round. */
export function labelOf(text: string, isHtml: boolean): string {
  return isHtml ? escaped(text).replaceAll('\n', '<br>') : text;
}

export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
