/** Server-sent events as text, with a name if the vendor sends one. */
export function event(data: unknown, name?: string): string {
  const said = typeof data === 'string' ? data : JSON.stringify(data);
  return `${name === undefined ? '' : `event: ${name}\n`}data: ${said}\n\n`;
}

/** A text in three pieces, as models write it: they may split a character. An empty text is one empty piece. */
export function piecesOf(text: string): string[] {
  const size = Math.max(1, Math.ceil(text.length / 3));
  const pieces = [0, 1, 2].map((i) => text.slice(i * size, (i + 1) * size));
  return pieces.filter((piece, i) => piece !== '' || i === 0);
}
