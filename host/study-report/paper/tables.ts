import { byAgent, publishedPaper, type AttemptRow } from '../../analysis/index.ts';
import { scoreOf, type Score } from '../../study/index.ts';
import { noScore, type PaperGroup, type PaperRow, type PaperTable } from './layout.ts';

type Rows = readonly AttemptRow[];

/** Tables 1 and 6 of the paper, with the agents of the studies; empty without a common family. */
export function paperTables(rows: Rows): PaperTable[] {
  const families = new Set(rows.map(({ family }) => family));
  if (!publishedPaper.families.some(({ id }) => families.has(id))) return [];
  return [byCategory(rows), byFamily(rows)];
}

/** Table 1: agents by categories of families. */
function byCategory(rows: Rows): PaperTable {
  const { categories, groups } = publishedPaper;
  const own = byAgent(rows).map(([agent, of]): PaperRow => {
    const scores = categories.map(({ families }) => scoreAt(of, families));
    return { labels: [agent, modelOf(of)], scores: [...scores, scoreAt(of, allFamilies())] };
  });
  const published = groups.map(({ title, results }): PaperGroup => {
    const printed = results.filter(({ steps }) => steps === publishedPaper.steps);
    return {
      title: `${title} (paper)`,
      rows: printed.map((one) => ({
        labels: [one.agent, one.model],
        scores: [...categories.map((_, i) => one.byCategory[i] ?? noScore), one.overall],
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
function byFamily(rows: Rows): PaperTable {
  const own = byAgent(rows);
  const published = publishedPaper.groups.flatMap(({ results }) => results.filter(isByFamily));
  const scoresOf = (families: readonly string[], ofPaper: (one: Result) => Score): Score[] => [
    ...own.map(([, of]) => scoreAt(of, families)),
    ...published.map(ofPaper),
  ];
  const groups = publishedPaper.categories.map(({ name, families }): PaperGroup => {
    const shown = publishedPaper.families.filter(({ id }) => families.includes(id));
    return {
      title: name,
      rows: shown.map(({ id, name: short }) => ({
        labels: [short],
        scores: scoresOf([id], ({ byFamily: scores }) => scores[id] ?? noScore),
      })),
    };
  });
  const all = { labels: ['All'], scores: scoresOf(allFamilies(), ({ overall }) => overall) };
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

type Result = (typeof publishedPaper.groups)[number]['results'][number];

function isByFamily({ byFamily: scores, steps }: Result): boolean {
  return steps === publishedPaper.steps && Object.keys(scores).length > 0;
}

/** The macro average over families, if all of them were tried. */
function scoreAt(rows: Rows, families: readonly string[]): Score {
  const parts = families.map((family) => rows.filter((row) => row.family === family));
  if (parts.some((part) => part.every(({ reward }) => reward === null))) return noScore;
  return scoreOf(
    parts.map((part) => part.map(({ task, attempt, reward }) => ({ task, number: attempt, reward }))),
  );
}

function allFamilies(): string[] {
  return publishedPaper.families.map(({ id }) => id);
}

function modelOf([row]: Rows): string {
  return row?.model?.replace(/^[\w-]+:/, '') ?? '';
}
