import type { Score } from '../../study/index.ts';

/** A table in the form of the paper on Programming with Pixels: scores in percent with ±, in groups, the best in bold. */
export interface PaperTable {
  /** For names of files and links. */
  readonly id: string;
  readonly title: string;
  readonly about: string;
  /** Heads of the columns before the scores. */
  readonly labels: readonly string[];
  readonly columns: readonly PaperColumn[];
  readonly groups: readonly PaperGroup[];
  /** Whether the best score is that of a column or of a row. */
  readonly bestOf: 'column' | 'row';
}

export interface PaperColumn {
  readonly name: string;
  /** A head above several consecutive columns; empty for no head. */
  readonly over: string;
}

export interface PaperGroup {
  /** Empty for rows without a head. */
  readonly title: string;
  readonly rows: readonly PaperRow[];
}

export interface PaperRow {
  /** One for each of {@link PaperTable.labels}. */
  readonly labels: readonly string[];
  readonly scores: readonly Score[];
}

export const noScore: Score = { mean: null, deviation: null };

/** A score as it is printed, and whether it is among the best in its column or row. */
export interface PrintedScore {
  readonly mean: string;
  /** Without its sign; null without a deviation. */
  readonly deviation: string | null;
  readonly isBest: boolean;
}

/** The scores of a table as they are printed, by groups and rows. Two equal-looking ones are both the best. */
export function printedScores({ groups, bestOf }: PaperTable): PrintedScore[][][] {
  const rows = groups.flatMap((group) => group.rows.map(({ scores }) => scores));
  return groups.map((group) =>
    group.rows.map(({ scores }) =>
      scores.map((score, i) =>
        printed(score, bestOf === 'row' ? scores : rows.flatMap((row) => row[i] ?? [])),
      ),
    ),
  );
}

function printed({ mean, deviation }: Score, others: readonly Score[]): PrintedScore {
  if (mean === null) return { mean: '–', deviation: null, isBest: false };
  const best = others.reduce((all, other) => Math.max(all, other.mean ?? 0), 0);
  const text = mean.toFixed(1);
  return {
    mean: text,
    deviation: deviation?.toFixed(1) ?? null,
    isBest: best > 0 && text === best.toFixed(1),
  };
}
