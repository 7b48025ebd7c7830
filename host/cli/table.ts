/** The minimum width of a narrowed column, in characters. */
const narrowest = 12;
const gap = '  ';

/**
 * Lines up rows in columns; the first row is the head. In a terminal that is too narrow, the widest columns are narrowed and
 * their cells wrap.
 * @param columns characters of a line; default: those of the terminal, else any number
 */
export function table(
  rows: readonly (readonly (string | number)[])[],
  columns = process.stdout.columns ?? Number.POSITIVE_INFINITY,
): string {
  const cells = rows.map((row) => row.map(String));
  const widths = narrowed(natural(cells), columns);
  return cells.flatMap((row) => linesOf(row, widths)).join('\n');
}

function natural(cells: readonly (readonly string[])[]): number[] {
  return cells.reduce<number[]>((all, row) => row.map((cell, i) => Math.max(all[i] ?? 0, cell.length)), []);
}

/** Narrows the widest columns until a row fits into a line. */
function narrowed(widths: readonly number[], columns: number): number[] {
  const result = [...widths];
  const total = () => result.reduce((sum, width) => sum + width, gap.length * (result.length - 1));
  while (total() > columns) {
    const widest = Math.max(...result);
    if (widest <= narrowest) return result;
    const next = Math.max(narrowest, ...result.filter((width) => width < widest));
    const wide = result.filter((width) => width === widest).length;
    const width = Math.max(next, widest - Math.ceil((total() - columns) / wide));
    result.forEach((one, i) => one === widest && (result[i] = width));
  }
  return result;
}

function linesOf(row: readonly string[], widths: readonly number[]): string[] {
  const wrapped = row.map((cell, i) => wrap(cell, widths[i] ?? 0));
  const height = Math.max(...wrapped.map(({ length }) => length));
  return Array.from({ length: height }, (_, line) =>
    wrapped
      .map((cell, i) => (cell[line] ?? '').padEnd(widths[i] ?? 0))
      .join(gap)
      .trimEnd(),
  );
}

/** Breaks after a space or a slash if possible, so that a line's end shows that the cell continues. */
function wrap(cell: string, width: number): string[] {
  const lines: string[] = [];
  let rest = cell;
  while (rest.length > width) {
    // Not between the two halves of a character.
    const fits = rest.slice(0, width).replace(/[\ud800-\udbff]$/, '');
    const at = Math.max(fits.lastIndexOf(' '), fits.lastIndexOf('/')) + 1 || fits.length;
    lines.push(rest.slice(0, at).trimEnd());
    rest = rest.slice(at).trimStart();
  }
  return [...lines, rest];
}
