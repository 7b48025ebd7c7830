import { mean } from '../numbers/index.ts';
import pwp from './pwp.json' with { type: 'json' };

/** A printed score, in percent, with its standard deviation over repeated runs if that is printed. */
export interface PrintedScore {
  readonly mean: number | null;
  readonly deviation: number | null;
}

/** A row of the paper's tables. */
export interface PublishedResult {
  readonly agent: string;
  readonly model: string;
  /** Maximum steps of an attempt. */
  readonly steps: number;
  /** In the order of the categories. */
  readonly byCategory: readonly PrintedScore[];
  /** By the names of families; unprinted ones are absent. */
  readonly byFamily: Readonly<Partial<Record<string, PrintedScore>>>;
  readonly overall: PrintedScore;
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

interface Written {
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
  groups: pwp.groups.map(({ title, results }) => ({ title, results: results.map(resultOf) })),
};

function resultOf({
  agent,
  model,
  steps = pwp.steps,
  overall,
  families = {},
  ...rest
}: Written): PublishedResult {
  const { categories, deviations = [] } = rest;
  const entries = Object.entries(families).flatMap(([family, value]) =>
    value === undefined ? [] : [[family, score(value)] as const],
  );
  return {
    ...{ agent, model, steps, byFamily: Object.fromEntries(entries) },
    byCategory: pwp.categories.map(({ families: own }, i) =>
      score(categories?.[i] ?? meanOfAll(own.map((family) => families[family])), deviations[i]),
    ),
    overall: score(overall, deviations[pwp.categories.length]),
  };
}

function score(value: number | null | undefined, deviation?: number): PrintedScore {
  return { mean: value ?? null, deviation: deviation ?? null };
}

/** Null if one is not known. */
function meanOfAll(values: readonly (number | undefined)[]): number | null {
  const known = values.filter((value) => value !== undefined);
  return known.length === values.length ? mean(known) : null;
}
