import { mean } from '../numbers/index.ts';
import { scoreRows } from '../metrics/index.ts';
import { byAgent, type AttemptRow } from '../rows/index.ts';
import pwp from './pwp.json' with { type: 'json' };

/** Scores of an agent of the studies, or of one that a paper prints. Shares, 0 to 1. */
export interface PublishedRow {
  /** Null for an agent of the studies. */
  readonly paper: string | null;
  readonly agent: string;
  readonly model: string | null;
  /** Tasks of a family: the fewest and the most. */
  readonly tasks: readonly [fewest: number, most: number];
  /** Steps of an attempt, at most; null where it is not known, or differs. */
  readonly steps: number | null;
  /** In the order of {@link publishedFamilies}; null where it is not known. */
  readonly families: readonly (number | null)[];
  /** Of these families, each counting as much as another; null if one is not known. */
  readonly mean: number | null;
}

/** The families of the studies that the paper has, too, in its order. */
export function publishedFamilies(rows: readonly AttemptRow[]): string[] {
  const own = new Set(rows.map(({ family }) => family));
  return pwp.families.filter((family) => own.has(family));
}

/**
 * The agents of the studies beside those that the paper on Programming with Pixels prints, at the families that both have;
 * nothing if there is none. What the paper prints for all families together is there if the studies have them all.
 */
export function publishedRows(rows: readonly AttemptRow[]): PublishedRow[] {
  const families = publishedFamilies(rows);
  if (families.length === 0) return [];
  const shared = rows.filter(({ family }) => families.includes(family));
  return [...ownRows(shared, families), ...paperRows(families)];
}

function ownRows(rows: readonly AttemptRow[], families: readonly string[]): PublishedRow[] {
  return byAgent(rows).flatMap(([agent, own]) => {
    // By itself, since what it has not tried would not be among its families.
    const scores = families.map(
      (family) => scoreRows(own.filter((row) => row.family === family))[0]?.macro?.value,
    );
    const counts = families.map((family) => tasksIn(own, family));
    const steps = new Set(own.map(({ maxSteps }) => maxSteps));
    const [only = null] = steps.size === 1 ? steps : [];
    return {
      ...{ paper: null, agent, model: own[0]?.model ?? null, steps: only },
      tasks: [Math.min(...counts), Math.max(...counts)] as const,
      ...withMean(scores.map((score) => score ?? null)),
    };
  });
}

function tasksIn(rows: readonly AttemptRow[], family: string): number {
  return new Set(rows.filter((row) => row.family === family).map(({ task }) => task)).size;
}

function paperRows(families: readonly string[]): PublishedRow[] {
  const { paper, tasksOfFamily, steps } = pwp;
  const isAll = families.length === pwp.families.length;
  return pwp.results
    .filter(({ byFamily }) => byFamily !== undefined || isAll)
    .map(({ agent, model, byFamily, overall }) => {
      const scores = families.map((family) => byFamily?.[pwp.families.indexOf(family)]);
      const known = withMean(scores.map((score) => (score === undefined ? null : score / 100)));
      return {
        ...{ paper, agent, model, steps, tasks: [tasksOfFamily, tasksOfFamily] as const },
        ...known,
        mean: isAll ? overall / 100 : known.mean,
      };
    });
}

function withMean(families: readonly (number | null)[]): Pick<PublishedRow, 'families' | 'mean'> {
  const known = families.filter((score) => score !== null);
  return { families, mean: known.length === families.length ? mean(known) : null };
}
