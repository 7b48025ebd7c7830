/** One line with its line end; the last has none. */
export interface Line {
  readonly text: string;
  readonly end: '' | '\n' | '\r\n' | '\r';
}

/**
 * A text as lines, and back without loss. As in editors, a text that ends with a line end has no further, empty line:
 * `a\n` is one line, and so is `a`; the empty text has none.
 */
export function splitLines(text: string): Line[] {
  const lines: Line[] = [];
  let at = 0;
  for (const found of text.matchAll(/\r\n|\n|\r/g)) {
    lines.push({ text: text.slice(at, found.index), end: found[0] as Line['end'] });
    at = found.index + found[0].length;
  }
  if (at < text.length) lines.push({ text: text.slice(at), end: '' });
  return lines;
}

export function joinLines(lines: readonly Line[]): string {
  return lines.map(({ text, end }) => text + end).join('');
}

/** The line end that a text uses. */
export function endOfLineOf(lines: readonly Line[]): '\n' | '\r\n' | 'mixed' | 'none' {
  const ends = new Set(lines.map(({ end }) => end).filter((end) => end !== ''));
  const [only] = ends;
  if (only === undefined) return 'none';
  return ends.size > 1 || only === '\r' ? 'mixed' : only;
}
