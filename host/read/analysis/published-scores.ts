import { type AttemptRow, groupByAgent } from './attempt-rows.ts';
import pwp from './pwp.json' with { type: 'json' };
import { scoreRows } from './score-metrics.ts';
import { computeMean } from './statistics.ts';

/** Scores of an agent of the studies, or of one in a paper. Shares, 0 to 1. */
interface PublishedRow {
  /** Null for an agent of the studies. */
  readonly paper: string | null;
  readonly agent: string;
  readonly model: string | null;
  /** Tasks of a family: the fewest and the most. */
  readonly tasks: readonly [fewest: number, most: number];
  /** Maximum steps of an attempt; null if it is not known, or differs. */
  readonly steps: number | null;
  /** In the order of {@link publishedFamilies}; null if it is not known. */
  readonly families: readonly (number | null)[];
  /** In the order of {@link publishedCategories}; null if it is not known. */
  readonly categories: readonly (number | null)[];
  /** Mean of the families, which weigh the same; null if one is not known. */
  readonly mean: number | null;
}

/** The families of the studies that the paper has, too, in its order. */
export function publishedFamilies(rows: readonly AttemptRow[]): string[] {
  const own = new Set(rows.map(({ family }) => family));
  return publishedPaper.families.flatMap(({ id }) => (own.has(id) ? [id] : []));
}

/** The paper's categories of which the studies have all families. */
export function publishedCategories(rows: readonly AttemptRow[]): string[] {
  return listWholeCategories(publishedFamilies(rows)).map(({ name }) => name);
}

/**
 * The agents of the studies next to those of the paper on Programming with Pixels, at the families that both have; empty
 * without common families. The paper's figures for a category, or for all families, are included if the studies have all
 * of its families.
 */
export function publishedRows(rows: readonly AttemptRow[]): PublishedRow[] {
  const families = publishedFamilies(rows);
  if (families.length === 0) return [];
  const shared = rows.filter(({ family }) => families.includes(family));
  return [...makeStudyRows(shared, families), ...makePaperRows(families)];
}

function listWholeCategories(families: readonly string[]) {
  return publishedPaper.categories.filter((one) => one.families.every((family) => families.includes(family)));
}

function makeStudyRows(rows: readonly AttemptRow[], families: readonly string[]): PublishedRow[] {
  return groupByAgent(rows).flatMap(([agent, own]) => {
    // Family by family, since `scoreRows` leaves out families that the agent has not tried.
    const scores = families.map(
      (family) => scoreRows(own.filter((row) => row.family === family))[0]?.macro?.value ?? null,
    );
    const counts = families.map((family) => listTasksIn(own, family));
    const steps = new Set(own.map(({ maxSteps }) => maxSteps));
    const [only = null] = steps.size === 1 ? steps : [];
    const scoreOf = (family: string) => scores[families.indexOf(family)] ?? null;
    return {
      ...{ paper: null, agent, model: own[0]?.model ?? null, steps: only },
      tasks: [Math.min(...counts), Math.max(...counts)] as const,
      ...{ families: scores, mean: averageIfAllKnown(scores) },
      categories: listWholeCategories(families).map((one) => averageIfAllKnown(one.families.map(scoreOf))),
    };
  });
}

function listTasksIn(rows: readonly AttemptRow[], family: string): number {
  return new Set(rows.filter((row) => row.family === family).map(({ task }) => task)).size;
}

/** The agents with a known figure at these families. */
function makePaperRows(families: readonly string[]): PublishedRow[] {
  const { title: paper, tasksOfFamily, categories, groups } = publishedPaper;
  const isAll = families.length === publishedPaper.families.length;
  const whole = listWholeCategories(families);
  const rowOf = ({ agent, model, steps, byFamily, byCategory, overall }: PublishedResult): PublishedRow => {
    const scores = families.map((family) => toShare(byFamily[family]));
    return {
      ...{ paper, agent, model, steps, tasks: [tasksOfFamily, tasksOfFamily] as const, families: scores },
      categories: whole.map((one) => toShare(byCategory[categories.indexOf(one)])),
      mean: isAll ? toShare(overall) : averageIfAllKnown(scores),
    };
  };
  const all = groups.flatMap(({ results }) => results.map(rowOf));
  return all.filter((row) => [...row.families, ...row.categories, row.mean].some((one) => one !== null));
}

function toShare(score: PublishedScore | undefined): number | null {
  return score?.mean === null || score === undefined ? null : score.mean / 100;
}

/** Null if one is not known. */
function averageIfAllKnown(scores: readonly (number | null)[]): number | null {
  const known = scores.filter((score) => score !== null);
  return known.length === scores.length ? computeMean(known) : null;
}

/** A printed score, in percent, with its standard deviation over repeated runs if that is printed. */
interface PublishedScore {
  readonly mean: number | null;
  readonly deviation: number | null;
}

/** A row of the paper's tables. */
interface PublishedResult {
  readonly agent: string;
  readonly model: string;
  /** Maximum steps of an attempt. */
  readonly steps: number;
  /** In the order of the categories. */
  readonly byCategory: readonly PublishedScore[];
  /** By the names of families; unprinted ones are absent. */
  readonly byFamily: Readonly<Partial<Record<string, PublishedScore>>>;
  readonly overall: PublishedScore;
}

interface PublishedPaper {
  readonly title: string;
  readonly tasksOfFamily: number;
  /** Maximum steps of an attempt, unless a row has its own. */
  readonly steps: number;
  /** In its order, with their names in its tables. */
  readonly families: readonly { readonly id: string; readonly name: string }[];
  readonly categories: readonly { readonly name: string; readonly families: readonly string[] }[];
  readonly groups: readonly { readonly title: string; readonly results: readonly PublishedResult[] }[];
}

interface WrittenResult {
  readonly agent: string;
  readonly model: string;
  readonly steps?: number;
  readonly overall?: number;
  readonly categories?: readonly number[];
  /** Of the categories, then of overall. */
  readonly deviations?: readonly number[];
  readonly families?: Readonly<Partial<Record<string, number>>>;
}

/** The figures of the paper on Programming with Pixels for its agents at PwP-Bench-Lite. */
export const publishedPaper: PublishedPaper = {
  ...{ title: pwp.paper, tasksOfFamily: pwp.tasksOfFamily, steps: pwp.steps },
  ...{ families: pwp.families, categories: pwp.categories },
  groups: pwp.groups.map(({ title, results }) => ({ title, results: results.map(readPaperResult) })),
};

function readPaperResult({
  agent,
  model,
  steps = pwp.steps,
  overall,
  families = {},
  ...rest
}: WrittenResult): PublishedResult {
  const { categories, deviations = [] } = rest;
  const entries = Object.entries(families).flatMap(([family, value]) =>
    value === undefined ? [] : [[family, readPaperScore(value)] as const],
  );
  return {
    ...{ agent, model, steps, byFamily: Object.fromEntries(entries) },
    byCategory: pwp.categories.map(({ families: own }, i) =>
      readPaperScore(
        categories?.[i] ?? averagePublished(own.map((family) => families[family])),
        deviations[i],
      ),
    ),
    overall: readPaperScore(overall, deviations[pwp.categories.length]),
  };
}

function readPaperScore(value: number | null | undefined, deviation?: number): PublishedScore {
  return { mean: value ?? null, deviation: deviation ?? null };
}

/** Null if one is not known. */
function averagePublished(values: readonly (number | undefined)[]): number | null {
  const known = values.filter((value) => value !== undefined);
  return known.length === values.length ? computeMean(known) : null;
}
