import * as z from 'zod';
import type { Package } from './package.ts';
import type { GalleryPackages } from './packages.ts';

/** Kinds of criteria that VS Code sends and that narrow down what is found; others are about other products. */
const kinds = { tag: 1, uuid: 4, category: 5, name: 7, text: 10 } as const;
/** Ways to sort; all others are by relevance. */
const sorts = { title: 2, publisher: 3 } as const;
const descending = 2;

const filter = z.object({
  criteria: z.array(z.object({ filterType: z.int(), value: z.string().max(1000).default('') })).max(1000),
  pageNumber: z.int().min(1).default(1),
  pageSize: z.int().min(0).max(1000).default(50),
  sortBy: z.int().default(0),
  sortOrder: z.int().default(0),
});
/** The body of a POST to `extensionquery`, as far as it is used. */
export const querySchema = z.object({ filters: z.array(filter).min(1).max(100) });
export type Filter = z.output<typeof filter>;

export interface Page {
  readonly packages: readonly Package[];
  /** How many there are on all pages. */
  readonly total: number;
}

/** The matches of one filter: at least one criterion of each kind must hold. */
export function find(packages: GalleryPackages, filter: Filter, uuidOf: (one: Package) => string): Page {
  const values = (kind: number) => filter.criteria.filter(({ filterType }) => filterType === kind).map(lower);
  const [tags, uuids, categories, names] = [kinds.tag, kinds.uuid, kinds.category, kinds.name].map(values);
  const text = values(kinds.text).join(' ');
  const matching = [...packages.values()].filter(
    (one) =>
      among(uuids, [uuidOf(one)]) &&
      among(names, [one.id]) &&
      among(tags, one.manifest.keywords) &&
      among(categories, one.manifest.categories) &&
      relevance(one, text) > 0,
  );
  const sorted = matching.sort(order(filter, text));
  const start = (filter.pageNumber - 1) * filter.pageSize;
  return { packages: sorted.slice(start, start + filter.pageSize), total: sorted.length };
}

function lower({ value }: { readonly value: string }): string {
  return value.toLowerCase().replaceAll('"', '').trim();
}

function among(wanted: readonly string[] = [], found: readonly string[]): boolean {
  return wanted.length === 0 || found.some((each) => wanted.includes(each.toLowerCase()));
}

function order({ sortBy, sortOrder }: Filter, text: string): (a: Package, b: Package) => number {
  const turn = sortOrder === descending ? -1 : 1;
  if (sortBy === sorts.title) return (a, b) => turn * compare(titleOf(a), titleOf(b));
  if (sortBy === sorts.publisher) return (a, b) => turn * compare(a.manifest.publisher, b.manifest.publisher);
  return (a, b) => relevance(b, text) - relevance(a, text) || compare(titleOf(a), titleOf(b));
}

/** 0 if a word of the search is nowhere; more for the name than for the description. */
function relevance(one: Package, text: string): number {
  const wanted = text.split(/\s+/).filter((word) => word !== '');
  if (wanted.length === 0) return 1;
  const { manifest, id } = one;
  const title = titleOf(one).toLowerCase();
  const further = [manifest.description, ...manifest.keywords, ...manifest.categories]
    .join(' ')
    .toLowerCase();
  const scores = wanted.map((word) =>
    title.includes(word) ? 4 : id.includes(word) ? 3 : further.includes(word) ? 1 : 0,
  );
  if (scores.some((score) => score === 0)) return 0;
  const bonus = title === text || id === text ? 100 : title.startsWith(text) ? 50 : 0;
  return bonus + scores.reduce<number>((sum, score) => sum + score, 0) / wanted.length;
}

function titleOf({ manifest }: Package): string {
  return manifest.displayName ?? manifest.name;
}

function compare(a: string, b: string): number {
  return a.localeCompare(b, 'en');
}
