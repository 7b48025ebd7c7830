import { formatDollars, plainLine } from '../../../bridge/text/index.ts';
import type { Interval } from '../analysis/index.ts';

/** `share`: 0 to 1, shown in percent. `points`: a difference of shares, in percent with its sign. */
export type ColumnKind = 'text' | 'count' | 'share' | 'points' | 'number' | 'usd' | 'seconds' | 'p';

export interface ReportColumn {
  readonly name: string;
  readonly kind: ColumnKind;
}

/** A value of a table; null if it is not known. */
export type ReportCell = string | number | boolean | null | Interval;

/** A table of a report, for every format. */
export interface ReportTable {
  /** For names of files and links: lower-case words with `-`. */
  readonly id: string;
  readonly title: string;
  /** What it shows, in a sentence or two. */
  readonly about: string;
  readonly columns: readonly ReportColumn[];
  readonly rows: readonly (readonly ReportCell[])[];
}

export function textColumns(...names: readonly string[]): ReportColumn[] {
  return names.map((name) => ({ name, kind: 'text' }));
}

export function makeColumns(kind: ColumnKind, ...names: readonly string[]): ReportColumn[] {
  return names.map((name) => ({ name, kind }));
}

/** A cell for people; `–` if it is not known. */
export function formatCell(cell: ReportCell, kind: ColumnKind): string {
  if (cell === null) return '–';
  if (typeof cell === 'string') return plainLine(cell);
  if (typeof cell === 'boolean') return cell ? 'yes' : 'no';
  if (typeof cell === 'number') return formatFigure(cell, kind);
  const { value, low, high } = cell;
  return `${formatFigure(value, kind)} [${formatFigure(low, kind)}, ${formatFigure(high, kind)}]`;
}

export function isInterval(cell: ReportCell): cell is Interval {
  return typeof cell === 'object' && cell !== null;
}

function formatFigure(value: number, kind: ColumnKind): string {
  switch (kind) {
    case 'share':
      return (value * 100).toFixed(1);
    case 'points':
      return `${value > 0 ? '+' : ''}${(value * 100).toFixed(1)}`;
    case 'usd':
      return formatDollars(value);
    case 'seconds':
      return value.toFixed(1);
    case 'p':
      return value < 0.001 ? '<0.001' : value.toFixed(3);
    case 'number':
      return value.toLocaleString('en-US', { maximumFractionDigits: value >= 1000 ? 0 : 3 });
    case 'count':
    case 'text':
      return value.toLocaleString('en-US');
  }
}

/** The head of a column, with its unit. */
export function formatColumnHead(name: string, kind: ColumnKind): string {
  const unit = shownUnits[kind];
  return plainLine(unit === undefined ? name : `${name} (${unit})`);
}

const shownUnits: Partial<Record<ColumnKind, string>> = { share: '%', points: 'points', seconds: 's' };
