import type { ColumnKind, ReportCell, ReportTable } from '../tables/index.ts';
import { isInterval } from './cell-text.ts';
import { plain } from './plain.ts';

/**
 * A table for programs, as RFC 4180: each head with its unit, shares from 0 to 1, empty fields for unknown values. An
 * interval is three columns: `name`, `name_low`, `name_high`.
 */
export function csvOf({ columns, rows }: ReportTable): string {
  const wide = columns.map((_, i) => rows.some((row) => isInterval(row[i] ?? null)));
  const head = columns.flatMap(({ name, kind }, i) =>
    ['', ...(wide[i] ? ['_low', '_high'] : [])].map((end) => withUnit(`${name}${end}`, kind)),
  );
  const lines = rows.map((row) => row.flatMap((cell, i) => (wide[i] ? three(cell) : [cell])));
  return csvLines([head, ...lines]);
}

function withUnit(name: string, kind: ColumnKind): string {
  const unit = units[kind];
  return unit === undefined ? name : `${name} (${unit})`;
}

/** Units of the values in the file, for kinds that are shown to people with percent and dollar signs. */
const units: Readonly<Partial<Record<ColumnKind, string>>> = {
  share: '0 to 1',
  points: '-1 to 1',
  usd: 'USD',
  seconds: 's',
};

function three(cell: ReportCell): ReportCell[] {
  return isInterval(cell) ? [cell.value, cell.low, cell.high] : [cell, null, null];
}

export function csvLines(lines: readonly (readonly ReportCell[])[]): string {
  return lines.map((line) => `${line.map(csvCell).join(',')}\n`).join('');
}

function csvCell(cell: ReportCell): string {
  if (cell === null || isInterval(cell)) return '';
  if (typeof cell !== 'string') return String(cell);
  const text = plain(cell);
  // A spreadsheet would run such a name as a formula.
  const inert = /^[=+\-@]/.test(text) ? `'${text}` : text;
  return /[",]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}
