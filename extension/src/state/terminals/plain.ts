/** Marks "erase the rest of the line" while a line is put together. */
const erase = '\u0018';

/** What a program wrote to a terminal, as lines of text: colours are left out, and what a line overwrote of itself. */
export function plainText(raw: string): string {
  return raw
    .replaceAll(/\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)?/g, '')
    .replaceAll(/\u001b[PX^_][^\u001b]*(?:\u001b\\)?/g, '')
    .replaceAll(/\u001b\[[02]?K/g, erase)
    .replaceAll(/\u001b\[[0-?]*[ -/]*[@-~]/g, '')
    .replaceAll(/\u001b[ -/]*[0-~]/g, '')
    .split('\n')
    .map(shownLine)
    .join('\n');
}

function shownLine(raw: string): string {
  const line = raw.replace(/\r+$/, '');
  if (!/[\u0000-\u0008\u000b-\u001f\u007f]/.test(line)) return line;
  const cells: string[] = [];
  let at = 0;
  for (const character of line) {
    if (character === '\r') at = 0;
    else if (character === '\b') at = Math.max(0, at - 1);
    else if (character === erase) cells.length = Math.min(cells.length, at);
    else if (character === '\t' || character >= ' ') cells[at++] = character;
  }
  return Array.from(cells, (cell) => cell ?? ' ').join('');
}
