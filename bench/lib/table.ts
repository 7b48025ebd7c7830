import type { Summary } from './stats.ts';

/** Times of this project and of the seed design, in milliseconds. */
export interface Row {
  readonly what: string;
  readonly own: Summary;
  /** Absent if the seed design has no equivalent. */
  readonly seed?: Summary;
}

/** Two ways of the same thing, in milliseconds. */
export interface Pair {
  readonly what: string;
  readonly first: Summary;
  /** Absent if there is only one way. */
  readonly second?: Summary;
}

export function renderTable(rows: readonly Row[]): string {
  const pairs = rows.map(({ what, own, seed }) => ({ what, first: own, ...(seed && { second: seed }) }));
  return renderComparison(['pwp', 'seed', 'faster'], pairs, (own, seed) => seed / own);
}

/**
 * A table for people; columns of figures end on one line.
 * @param names of the two ways and of their ratio
 * @param ratio of the two medians
 */
export function renderComparison(
  [first, second, times]: readonly [string, string, string],
  pairs: readonly Pair[],
  ratio: (first: number, second: number) => number,
): string {
  const head = ['', 'n', `${first}: median`, 'p10 - p90', `${second}: median`, 'p10 - p90', times];
  return renderCells([head, ...pairs.map((pair) => cellsOf(pair, ratio))]);
}

/** A table of texts: the first column begins on one line, the others end on one. */
export function renderCells(cells: readonly (readonly string[])[]): string {
  const [head = []] = cells;
  const widths = head.map((_, column) => Math.max(...cells.map((row) => (row[column] ?? '').length)));
  return cells
    .map((row) =>
      row
        .map((cell, i) => pad(cell, widths[i] ?? 0, i))
        .join('   ')
        .trimEnd(),
    )
    .join('\n');
}

function cellsOf({ what, first, second }: Pair, ratio: (first: number, second: number) => number): string[] {
  const count = String(first.count);
  if (second === undefined) return [what, count, ...figures(first), '-', '-', '-'];
  const times = `${decimals(ratio(first.median, second.median))}x`;
  return [what, count, ...figures(first), ...figures(second), times];
}

function figures({ median, p10, p90 }: Summary): string[] {
  return [`${decimals(median)} ms`, `${decimals(p10)} - ${decimals(p90)}`];
}

/** Only as many digits as comparing needs. */
function decimals(value: number): string {
  return value < 10 ? value.toFixed(1) : value.toFixed(0);
}

function pad(text: string, width: number, column: number): string {
  return column === 0 ? text.padEnd(width) : text.padStart(width);
}
