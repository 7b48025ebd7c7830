import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { ExtensionPackage, GalleryPackages } from './extension-package.ts';

/** Kinds of criteria that VS Code sends and that narrow down what is found; others are about other products. */
const criterionKinds = { tag: 1, uuid: 4, category: 5, name: 7, text: 10 } as const;
/** Ways to sort; all others are by relevance. */
const sortKeys = { title: 2, publisher: 3 } as const;
const descending = 2;

const galleryFilterSchema = z.object({
  criteria: z.array(z.object({ filterType: z.int(), value: z.string().max(1000).default('') })).max(1000),
  pageNumber: z.int().min(1).default(1),
  pageSize: z.int().min(0).max(1000).default(50),
  sortBy: z.int().default(0),
  sortOrder: z.int().default(0),
});
/** The body of a POST to `extensionquery`, as far as it is used. */
export const galleryQuerySchema = z.object({ filters: z.array(galleryFilterSchema).min(1).max(100) });
type GalleryFilter = z.output<typeof galleryFilterSchema>;

interface GalleryPage {
  readonly packages: readonly ExtensionPackage[];
  /** How many there are on all pages. */
  readonly total: number;
}

/** The matches of one filter: at least one criterion of each kind must hold. */
export function findPackages(
  packages: GalleryPackages,
  filter: GalleryFilter,
  uuidOf: (one: ExtensionPackage) => string,
): GalleryPage {
  const values = (kind: number) =>
    filter.criteria.filter(({ filterType }) => filterType === kind).map(normalizeValue);
  const [tags, uuids, categories, names] = [
    criterionKinds.tag,
    criterionKinds.uuid,
    criterionKinds.category,
    criterionKinds.name,
  ].map(values);
  const text = values(criterionKinds.text).join(' ');
  const matching = [...packages.values()].filter(
    (one) =>
      matchesAny(uuids, [uuidOf(one)]) &&
      matchesAny(names, [one.id]) &&
      matchesAny(tags, one.manifest.keywords) &&
      matchesAny(categories, one.manifest.categories) &&
      scoreRelevance(one, text) > 0,
  );
  const sorted = matching.sort(compareBy(filter, text));
  const start = (filter.pageNumber - 1) * filter.pageSize;
  return { packages: sorted.slice(start, start + filter.pageSize), total: sorted.length };
}

function normalizeValue({ value }: { readonly value: string }): string {
  return value.toLowerCase().replaceAll('"', '').trim();
}

function matchesAny(wanted: readonly string[] = [], found: readonly string[]): boolean {
  return wanted.length === 0 || found.some((each) => wanted.includes(each.toLowerCase()));
}

function compareBy(
  { sortBy, sortOrder }: GalleryFilter,
  text: string,
): (a: ExtensionPackage, b: ExtensionPackage) => number {
  const turn = sortOrder === descending ? -1 : 1;
  if (sortBy === sortKeys.title) return (a, b) => turn * compareText(readTitle(a), readTitle(b));
  if (sortBy === sortKeys.publisher)
    return (a, b) => turn * compareText(a.manifest.publisher, b.manifest.publisher);
  return (a, b) =>
    scoreRelevance(b, text) - scoreRelevance(a, text) || compareText(readTitle(a), readTitle(b));
}

/** 0 if a word of the search is nowhere; more for the name than for the description. */
function scoreRelevance(one: ExtensionPackage, text: string): number {
  const wanted = text.split(/\s+/).filter((word) => word !== '');
  if (wanted.length === 0) return 1;
  const { manifest, id } = one;
  const title = readTitle(one).toLowerCase();
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

function readTitle({ manifest }: ExtensionPackage): string {
  return manifest.displayName ?? manifest.name;
}

function compareText(a: string, b: string): number {
  return a.localeCompare(b, 'en');
}

/** The gallery's names for what can be fetched of a package, and the file of the extension that it is. */
export const galleryAssets = {
  vsix: 'Microsoft.VisualStudio.Services.VSIXPackage',
  /** VS Code offers nothing without one to be installed; a VS Code built from the open sources has nothing to check it by. */
  signature: 'Microsoft.VisualStudio.Services.VsixSignature',
  manifest: 'Microsoft.VisualStudio.Code.Manifest',
  details: 'Microsoft.VisualStudio.Services.Content.Details',
  changelog: 'Microsoft.VisualStudio.Services.Content.Changelog',
  license: 'Microsoft.VisualStudio.Services.Content.License',
  icon: 'Microsoft.VisualStudio.Services.Icons.Default',
} as const;

/** All packages are of one day, so that answers are the same every time. ISO 8601. */
const publicationDate = '2026-01-01T00:00:00.000Z';

/** A UUID that follows from the id: galleries give each extension one. */
export function makeExtensionUuid({ id }: ExtensionPackage): string {
  return makeUuid(id);
}

/** The path inside the package of an asset; undefined if it has none. */
export function findAssetPath({ files, manifest }: ExtensionPackage, type: string): string | undefined {
  const candidates: Readonly<Record<string, readonly string[]>> = {
    [galleryAssets.manifest]: ['package.json'],
    [galleryAssets.details]: ['README.md', 'readme.md'],
    [galleryAssets.changelog]: ['CHANGELOG.md', 'changelog.md'],
    [galleryAssets.license]: ['LICENSE', 'LICENSE.txt', 'LICENSE.md'],
    [galleryAssets.icon]: manifest.icon === undefined ? [] : [manifest.icon.replace(/^\.\//, '')],
  };
  return candidates[type]?.find((path) => files.has(path));
}

/** The answer to `extensionquery`. @param base address of the gallery, without a slash at its end */
export function buildQueryAnswer(pages: readonly GalleryPage[], base: string) {
  return { results: pages.map((page) => buildQueryResult(page, base)) };
}

function buildQueryResult({ packages, total }: GalleryPage, base: string) {
  return {
    extensions: packages.map((one) => describePackage(one, base)),
    pagingToken: null,
    resultMetadata: [{ metadataType: 'ResultCount', metadataItems: [{ name: 'TotalCount', count: total }] }],
  };
}

/** One extension, as the gallery describes it. */
export function describePackage(one: ExtensionPackage, base: string) {
  const { manifest } = one;
  const { publisher } = manifest;
  return {
    extensionId: makeExtensionUuid(one),
    extensionName: manifest.name,
    displayName: manifest.displayName ?? manifest.name,
    shortDescription: manifest.description,
    publisher: {
      publisherId: makeUuid(publisher),
      publisherName: publisher,
      displayName: publisher,
      flags: '',
    },
    versions: [describeVersion(one, base)],
    statistics: [],
    tags: manifest.keywords,
    categories: manifest.categories,
    releaseDate: publicationDate,
    publishedDate: publicationDate,
    lastUpdated: publicationDate,
    flags: '',
  };
}

function describeVersion(one: ExtensionPackage, base: string) {
  const { publisher, name, version } = one.manifest;
  const assetUri = `${base}/assets/${publisher}/${name}/${version}`;
  const made: readonly string[] = [galleryAssets.vsix, galleryAssets.signature];
  const types = Object.values(galleryAssets).filter(
    (type) => made.includes(type) || findAssetPath(one, type),
  );
  return {
    version,
    lastUpdated: publicationDate,
    assetUri,
    fallbackAssetUri: assetUri,
    files: types.map((assetType) => ({ assetType, source: `${assetUri}/${assetType}` })),
    properties: listProperties(one),
  };
}

function listProperties({ manifest }: ExtensionPackage) {
  const { engines, extensionDependencies, extensionPack, extensionKind } = manifest;
  const properties: Readonly<Record<string, string | undefined>> = {
    'Microsoft.VisualStudio.Code.Engine': engines.vscode,
    'Microsoft.VisualStudio.Code.ExtensionDependencies': extensionDependencies.join(','),
    'Microsoft.VisualStudio.Code.ExtensionPack': extensionPack.join(','),
    'Microsoft.VisualStudio.Code.ExtensionKind': extensionKind && [extensionKind].flat().join(','),
    'Microsoft.VisualStudio.Code.ExecutesCode': String('main' in manifest),
  };
  return Object.entries(properties).flatMap(([key, value]) => (value === undefined ? [] : [{ key, value }]));
}

function makeUuid(word: string): string {
  const digits = createHash('sha256').update(`pwp gallery ${word}`).digest('hex');
  return [
    [0, 8],
    [8, 12],
    [12, 16],
    [16, 20],
    [20, 32],
  ]
    .map(([from, to]) => digits.slice(from, to))
    .join('-');
}
