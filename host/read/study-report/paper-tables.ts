import { computeScore, type StudyScore } from '../../run/index.ts';
import { type AttemptRow, groupByAgent, publishedPaper } from '../analysis/index.ts';

type AgentAttempts = readonly AttemptRow[];

/** Tables 1 and 6 of the paper, with the agents of the studies; empty without a common family. */
export function makePaperTables(rows: AgentAttempts): PaperTable[] {
  const families = new Set(rows.map(({ family }) => family));
  if (!publishedPaper.families.some(({ id }) => families.has(id))) return [];
  return [makeCategoryTable(rows), makeFamilyTable(rows)];
}

/** Table 1: agents by categories of families. */
function makeCategoryTable(rows: AgentAttempts): PaperTable {
  const { categories, groups } = publishedPaper;
  const own = groupByAgent(rows).map(([agent, of]): PaperRow => {
    const scores = categories.map(({ families }) => computeMacroScore(of, families));
    return {
      labels: [agent, formatModelName(of)],
      scores: [...scores, computeMacroScore(of, listAllFamilies())],
    };
  });
  const published = groups.map(({ title, results }): PaperGroup => {
    const printed = results.filter(({ steps }) => steps === publishedPaper.steps);
    return {
      title: `${title} (paper)`,
      rows: printed.map((one) => ({
        labels: [one.agent, one.model],
        scores: [...categories.map((_, i) => one.byCategory[i] ?? unknownScore), one.overall],
      })),
    };
  });
  return {
    id: 'paper-table-1',
    title: 'Scores by category',
    about:
      'Mean rewards in percent, with the standard deviation over repeated attempts. A category is the mean of its families, and overall that of all families; empty if not all of them were tried. The best of a column is bold.',
    labels: ['Agent', 'Model'],
    columns: [...categories.map(({ name }) => ({ name, over: 'Category' })), { name: 'Overall', over: '' }],
    groups: [{ title: 'This study', rows: own }, ...published],
    bestOf: 'column',
  };
}

/** Table 6: families by agents, as it has more families than agents. */
function makeFamilyTable(rows: AgentAttempts): PaperTable {
  const own = groupByAgent(rows);
  const published = publishedPaper.groups.flatMap(({ results }) => results.filter(hasFamilyScores));
  const scoresOf = (families: readonly string[], ofPaper: (one: PaperResult) => StudyScore): StudyScore[] => [
    ...own.map(([, of]) => computeMacroScore(of, families)),
    ...published.map(ofPaper),
  ];
  const groups = publishedPaper.categories.map(({ name, families }): PaperGroup => {
    const shown = publishedPaper.families.filter(({ id }) => families.includes(id));
    return {
      title: name,
      rows: shown.map(({ id, name: short }) => ({
        labels: [short],
        scores: scoresOf([id], ({ byFamily: scores }) => scores[id] ?? unknownScore),
      })),
    };
  });
  const all = { labels: ['All'], scores: scoresOf(listAllFamilies(), ({ overall }) => overall) };
  return {
    id: 'paper-table-6',
    title: 'Scores by family',
    about:
      'Mean rewards in percent, with the standard deviation over repeated attempts. The best of a row is bold. Columns under Paper are copied from the paper, whose agents had 20 steps, and their own prompts and tools.',
    labels: ['Family'],
    columns: [
      ...own.map(([agent]) => ({ name: agent, over: 'This study' })),
      ...published.map(({ agent, model }) => ({ name: `${agent}, ${model}`, over: 'Paper' })),
    ],
    groups: [...groups, { title: '', rows: [all] }],
    bestOf: 'row',
  };
}

type PaperResult = (typeof publishedPaper.groups)[number]['results'][number];

function hasFamilyScores({ byFamily: scores, steps }: PaperResult): boolean {
  return steps === publishedPaper.steps && Object.keys(scores).length > 0;
}

/** The macro average over families, if all of them were tried. */
function computeMacroScore(rows: AgentAttempts, families: readonly string[]): StudyScore {
  const parts = families.map((family) => rows.filter((row) => row.family === family));
  if (parts.some((part) => part.every(({ reward }) => reward === null))) return unknownScore;
  return computeScore(
    parts.map((part) => part.map(({ task, attempt, reward }) => ({ task, number: attempt, reward }))),
  );
}

function listAllFamilies(): string[] {
  return publishedPaper.families.map(({ id }) => id);
}

function formatModelName([row]: AgentAttempts): string {
  return row?.model?.replace(/^[\w-]+:/, '') ?? '';
}

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

interface PaperGroup {
  /** Empty for rows without a head. */
  readonly title: string;
  readonly rows: readonly PaperRow[];
}

interface PaperRow {
  /** One for each of {@link PaperTable.labels}. */
  readonly labels: readonly string[];
  readonly scores: readonly StudyScore[];
}

const unknownScore: StudyScore = { mean: null, deviation: null };

/** A score as it is printed, and whether it is among the best in its column or row. */
export interface PrintedScore {
  readonly mean: string;
  /** Without its sign; null without a deviation. */
  readonly deviation: string | null;
  readonly isBest: boolean;
}

/** The scores of a table as they are printed, by groups and rows. Two equal-looking ones are both the best. */
export function printScores({ groups, bestOf }: PaperTable): PrintedScore[][][] {
  const rows = groups.flatMap((group) => group.rows.map(({ scores }) => scores));
  return groups.map((group) =>
    group.rows.map(({ scores }) =>
      scores.map((score, i) =>
        printScore(score, bestOf === 'row' ? scores : rows.flatMap((row) => row[i] ?? [])),
      ),
    ),
  );
}

function printScore({ mean, deviation }: StudyScore, others: readonly StudyScore[]): PrintedScore {
  if (mean === null) return { mean: '–', deviation: null, isBest: false };
  const best = others.reduce((all, other) => Math.max(all, other.mean ?? 0), 0);
  const text = mean.toFixed(1);
  return {
    mean: text,
    deviation: deviation?.toFixed(1) ?? null,
    isBest: best > 0 && text === best.toFixed(1),
  };
}
