import { createHash } from 'node:crypto';
import type { Package } from './package.ts';
import type { Page } from './query.ts';

/** The gallery's names for what can be fetched of a package, and the file of the extension that it is. */
export const assets = {
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
const published = '2026-01-01T00:00:00.000Z';

/** A UUID that follows from the id: galleries give each extension one. */
export function uuidOf({ id }: Package): string {
  return uuid(id);
}

/** The path inside the package of an asset; undefined if it has none. */
export function assetPath({ files, manifest }: Package, type: string): string | undefined {
  const candidates: Readonly<Record<string, readonly string[]>> = {
    [assets.manifest]: ['package.json'],
    [assets.details]: ['README.md', 'readme.md'],
    [assets.changelog]: ['CHANGELOG.md', 'changelog.md'],
    [assets.license]: ['LICENSE', 'LICENSE.txt', 'LICENSE.md'],
    [assets.icon]: manifest.icon === undefined ? [] : [manifest.icon.replace(/^\.\//, '')],
  };
  return candidates[type]?.find((path) => files.has(path));
}

/** The answer to `extensionquery`. @param base address of the gallery, without a slash at its end */
export function answerOf(pages: readonly Page[], base: string) {
  return { results: pages.map((page) => resultOf(page, base)) };
}

function resultOf({ packages, total }: Page, base: string) {
  return {
    extensions: packages.map((one) => extensionOf(one, base)),
    pagingToken: null,
    resultMetadata: [{ metadataType: 'ResultCount', metadataItems: [{ name: 'TotalCount', count: total }] }],
  };
}

/** One extension, as the gallery describes it. */
export function extensionOf(one: Package, base: string) {
  const { manifest } = one;
  const { publisher } = manifest;
  return {
    extensionId: uuidOf(one),
    extensionName: manifest.name,
    displayName: manifest.displayName ?? manifest.name,
    shortDescription: manifest.description,
    publisher: { publisherId: uuid(publisher), publisherName: publisher, displayName: publisher, flags: '' },
    versions: [versionOf(one, base)],
    statistics: [],
    tags: manifest.keywords,
    categories: manifest.categories,
    releaseDate: published,
    publishedDate: published,
    lastUpdated: published,
    flags: '',
  };
}

function versionOf(one: Package, base: string) {
  const { publisher, name, version } = one.manifest;
  const assetUri = `${base}/assets/${publisher}/${name}/${version}`;
  const made: readonly string[] = [assets.vsix, assets.signature];
  const types = Object.values(assets).filter((type) => made.includes(type) || assetPath(one, type));
  return {
    version,
    lastUpdated: published,
    assetUri,
    fallbackAssetUri: assetUri,
    files: types.map((assetType) => ({ assetType, source: `${assetUri}/${assetType}` })),
    properties: propertiesOf(one),
  };
}

function propertiesOf({ manifest }: Package) {
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

function uuid(word: string): string {
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
