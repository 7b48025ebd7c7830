import stringWidth from 'string-width';
import type { CheckpointInfo } from '../../node/index.ts';

/** The minimum width of a narrowed column, in columns of the terminal. */
const narrowestColumn = 12;
const columnGap = '  ';

/**
 * Lines up rows in columns; the first row is the head. In a terminal that is too narrow, the widest columns are narrowed and
 * their cells wrap.
 * @param columns characters of a line; default: those of the terminal, else any number
 */
export function formatTable(
  rows: readonly (readonly (string | number)[])[],
  columns = process.stdout.columns ?? Number.POSITIVE_INFINITY,
): string {
  const cells = rows.map((row) => row.map(String));
  const widths = narrowColumns(measureColumns(cells), columns);
  return cells.flatMap((row) => layOutRow(row, widths)).join('\n');
}

function measureColumns(cells: readonly (readonly string[])[]): number[] {
  return cells.reduce<number[]>(
    (all, row) => row.map((cell, i) => Math.max(all[i] ?? 0, stringWidth(cell))),
    [],
  );
}

/** Narrows the widest columns until a row fits into a line. */
function narrowColumns(widths: readonly number[], columns: number): number[] {
  const result = [...widths];
  const total = () => result.reduce((sum, width) => sum + width, columnGap.length * (result.length - 1));
  while (total() > columns) {
    const widest = Math.max(...result);
    if (widest <= narrowestColumn) return result;
    const next = Math.max(narrowestColumn, ...result.filter((width) => width < widest));
    const wide = result.filter((width) => width === widest).length;
    const width = Math.max(next, widest - Math.ceil((total() - columns) / wide));
    result.forEach((one, i) => one === widest && (result[i] = width));
  }
  return result;
}

function layOutRow(row: readonly string[], widths: readonly number[]): string[] {
  const wrapped = row.map((cell, i) => wrapCell(cell, widths[i] ?? 0));
  const height = Math.max(...wrapped.map(({ length }) => length));
  return Array.from({ length: height }, (_, line) =>
    wrapped
      .map((cell, i) => padToWidth(cell[line] ?? '', widths[i] ?? 0))
      .join(columnGap)
      .trimEnd(),
  );
}

function padToWidth(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - stringWidth(text)));
}

/** Breaks after a space or a slash if possible, so that a line's end shows that the cell continues. */
function wrapCell(cell: string, width: number): string[] {
  const lines: string[] = [];
  let rest = cell;
  while (stringWidth(rest) > width) {
    const fits = cutToWidth(rest, width);
    const at = Math.max(fits.lastIndexOf(' '), fits.lastIndexOf('/')) + 1 || fits.length;
    lines.push(rest.slice(0, at).trimEnd());
    rest = rest.slice(at).trimStart();
  }
  return [...lines, rest];
}

const graphemes = new Intl.Segmenter();

/** The longest beginning that fits, but at least one character. */
function cutToWidth(text: string, width: number): string {
  let fits = '';
  let taken = 0;
  for (const { segment } of graphemes.segment(text)) {
    taken += stringWidth(segment);
    if (taken > width && fits !== '') break;
    fits += segment;
  }
  return fits;
}

/**
 * Checkpoints as a tree, one per line: the oldest first, each below its parent; those without one are at the root.
 */
export function checkpointTree(all: readonly CheckpointInfo[], now: Date): string {
  const rows = listBranches(all, null, '').map(({ line, info }) => formatCheckpointRow(line, info, now));
  return formatTable([['CHECKPOINT', 'NAME', 'KIND', 'STATE', 'AGE', 'SIZE'], ...rows]);
}

interface CheckpointRow {
  readonly line: string;
  readonly info: CheckpointInfo;
}

function listBranches(
  all: readonly CheckpointInfo[],
  parent: string | null,
  indent: string,
): CheckpointRow[] {
  const known = new Set(all.map(({ id }) => id));
  const isChild = (one: CheckpointInfo) =>
    parent === null ? one.parent === null || !known.has(one.parent) : one.parent === parent;
  const children = all.filter(isChild);
  return children.flatMap((info, index) => {
    const last = index === children.length - 1;
    const [joint, below] = parent === null ? ['', ''] : last ? ['└─ ', '   '] : ['├─ ', '│  '];
    return [{ line: indent + joint + info.id, info }, ...listBranches(all, info.id, indent + below)];
  });
}

function formatCheckpointRow(
  line: string,
  { name, kind, state, takenAt, bytes }: CheckpointInfo,
  now: Date,
): string[] {
  return [line, name ?? '-', kind, state, ageText(now.getTime() - Date.parse(takenAt)), sizeText(bytes)];
}

/** In the largest unit that gives at least 1. */
export function ageText(ms: number): string {
  const units: [number, string][] = [
    [86_400_000, 'd'],
    [3_600_000, 'h'],
    [60_000, 'min'],
  ];
  const found = units.find(([length]) => ms >= length);
  return found ? `${Math.floor(ms / found[0])} ${found[1]}` : `${Math.max(0, Math.floor(ms / 1000))} s`;
}

export function sizeText(bytes: number): string {
  return `${Math.ceil(bytes / 1024 / 1024)} MiB`;
}
