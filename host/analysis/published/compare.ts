import { mean } from '../numbers/index.ts';
import { scoreRows } from '../metrics/index.ts';
import { byAgent, type AttemptRow } from '../rows/index.ts';
import { publishedPaper, type PrintedScore, type PublishedResult } from './paper.ts';

/** Scores of an agent of the studies, or of one in a paper. Shares, 0 to 1. */
export interface PublishedRow {
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
  return wholeCategories(publishedFamilies(rows)).map(({ name }) => name);
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
  return [...ownRows(shared, families), ...paperRows(families)];
}

function wholeCategories(families: readonly string[]) {
  return publishedPaper.categories.filter((one) => one.families.every((family) => families.includes(family)));
}

function ownRows(rows: readonly AttemptRow[], families: readonly string[]): PublishedRow[] {
  return byAgent(rows).flatMap(([agent, own]) => {
    // Family by family, since `scoreRows` leaves out families that the agent has not tried.
    const scores = families.map(
      (family) => scoreRows(own.filter((row) => row.family === family))[0]?.macro?.value ?? null,
    );
    const counts = families.map((family) => tasksIn(own, family));
    const steps = new Set(own.map(({ maxSteps }) => maxSteps));
    const [only = null] = steps.size === 1 ? steps : [];
    const scoreOf = (family: string) => scores[families.indexOf(family)] ?? null;
    return {
      ...{ paper: null, agent, model: own[0]?.model ?? null, steps: only },
      tasks: [Math.min(...counts), Math.max(...counts)] as const,
      ...{ families: scores, mean: meanOfKnown(scores) },
      categories: wholeCategories(families).map((one) => meanOfKnown(one.families.map(scoreOf))),
    };
  });
}

function tasksIn(rows: readonly AttemptRow[], family: string): number {
  return new Set(rows.filter((row) => row.family === family).map(({ task }) => task)).size;
}

/** The agents with a known figure at these families. */
function paperRows(families: readonly string[]): PublishedRow[] {
  const { title: paper, tasksOfFamily, categories, groups } = publishedPaper;
  const isAll = families.length === publishedPaper.families.length;
  const whole = wholeCategories(families);
  const rowOf = ({ agent, model, steps, byFamily, byCategory, overall }: PublishedResult): PublishedRow => {
    const scores = families.map((family) => shareOf(byFamily[family]));
    return {
      ...{ paper, agent, model, steps, tasks: [tasksOfFamily, tasksOfFamily] as const, families: scores },
      categories: whole.map((one) => shareOf(byCategory[categories.indexOf(one)])),
      mean: isAll ? shareOf(overall) : meanOfKnown(scores),
    };
  };
  const all = groups.flatMap(({ results }) => results.map(rowOf));
  return all.filter((row) => [...row.families, ...row.categories, row.mean].some((one) => one !== null));
}

function shareOf(score: PrintedScore | undefined): number | null {
  return score?.mean === null || score === undefined ? null : score.mean / 100;
}

/** Null if one is not known. */
function meanOfKnown(scores: readonly (number | null)[]): number | null {
  const known = scores.filter((score) => score !== null);
  return known.length === scores.length ? mean(known) : null;
}
