import type { Interval } from '../../analysis/index.ts';

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

export function text(...names: readonly string[]): ReportColumn[] {
  return names.map((name) => ({ name, kind: 'text' }));
}

export function columns(kind: ColumnKind, ...names: readonly string[]): ReportColumn[] {
  return names.map((name) => ({ name, kind }));
}
