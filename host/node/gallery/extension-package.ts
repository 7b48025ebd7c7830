import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { unzipSync, zipSync } from 'fflate';
import * as z from 'zod';
import { describeError, PwpError } from '../../../bridge/lib/index.ts';
import { packageFolder } from '../../lib/index.ts';

/** Every extension of the gallery, by id. */
export type GalleryPackages = ReadonlyMap<string, ExtensionPackage>;

/** Where the gallery's packages are: a folder for each stand-in, and any `.vsix` files beside them. */
function locateGalleryFolder(): string {
  return join(packageFolder(import.meta.url), 'images/gallery');
}

/** Reads all packages of a folder. A `.vsix` replaces a stand-in of the same id. Errors: `bad-package`. */
export async function readGalleryPackages(folder: string = locateGalleryFolder()): Promise<GalleryPackages> {
  const entries = (await readdir(folder, { withFileTypes: true })).sort((a, b) => (a.name < b.name ? -1 : 1));
  const packages = new Map<string, ExtensionPackage>();
  for (const entry of entries) {
    if (!entry.isDirectory()) continue;
    const files = await readFiles(join(folder, entry.name));
    if (files.has('package.json')) addPackage(packages, buildVsix(entry.name, files));
  }
  for (const entry of entries)
    if (entry.isFile() && entry.name.endsWith('.vsix'))
      addPackage(packages, readVsix(entry.name, await readFile(join(folder, entry.name))));
  return packages;
}

function addPackage(packages: Map<string, ExtensionPackage>, one: ExtensionPackage): void {
  packages.set(one.id, one);
}

async function readFiles(folder: string, prefix = ''): Promise<Map<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>();
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory())
      for (const [name, bytes] of await readFiles(path, `${prefix}${entry.name}/`)) files.set(name, bytes);
    else if (entry.isFile()) files.set(`${prefix}${entry.name}`, await readFile(path));
  }
  return files;
}

const wordList = z.array(z.string()).catch([]);
/** Fields of an extension's package.json that a gallery reports. */
const manifestSchema = z.looseObject({
  name: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9-]*$/),
  publisher: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9-]*$/),
  version: z.string().regex(/^\d+\.\d+\.\d+[\w.+-]*$/),
  displayName: z.string().optional(),
  description: z.string().default(''),
  engines: z.looseObject({ vscode: z.string() }),
  categories: wordList.default([]),
  keywords: wordList.default([]),
  extensionDependencies: wordList.default([]),
  extensionPack: wordList.default([]),
  extensionKind: z.union([z.string(), z.array(z.string())]).optional(),
  icon: z.string().optional(),
});
type ExtensionManifest = z.output<typeof manifestSchema>;

/** One extension, as the gallery has it. */
export interface ExtensionPackage {
  /** `publisher.name` in lower case, by which VS Code compares. */
  readonly id: string;
  readonly manifest: ExtensionManifest;
  /** The installed files, by path in the extension's folder. */
  readonly files: PackageFiles;
  readonly vsix: Uint8Array;
}

const extensionPrefix = 'extension/';

/** Reads a `.vsix`. Errors: `bad-package`. */
export function readVsix(name: string, vsix: Buffer): ExtensionPackage {
  try {
    const own = [...unzipFiles(vsix)].filter(([path]) => path.startsWith(extensionPrefix));
    return toPackage(new Map(own.map(([path, bytes]) => [path.slice(extensionPrefix.length), bytes])), vsix);
  } catch (cause) {
    throw makeBadPackageError(name, cause);
  }
}

/** Packs an extension's files into a `.vsix`, the same bytes every time. Errors: `bad-package`. */
export function buildVsix(name: string, files: PackageFiles): ExtensionPackage {
  try {
    const manifest = parseManifest(files);
    const own = [...files].map(([path, bytes]) => [`${extensionPrefix}${path}`, bytes] as const);
    const head = [
      ['extension.vsixmanifest', Buffer.from(renderVsixManifest(manifest))],
      ['[Content_Types].xml', Buffer.from(contentTypes)],
    ] as const;
    return toPackage(files, zipFiles(new Map([...head, ...own.sort(([a], [b]) => (a < b ? -1 : 1))])));
  } catch (cause) {
    throw makeBadPackageError(name, cause);
  }
}

/** Hexadecimal SHA-256 of each file, by path in the extension's folder. */
export function hashPackageFiles({ files }: ExtensionPackage): Readonly<Record<string, string>> {
  const hashes = [...files].map(([path, bytes]) => [path, createHash('sha256').update(bytes).digest('hex')]);
  return Object.fromEntries(hashes) as Record<string, string>;
}

function toPackage(files: PackageFiles, vsix: Uint8Array): ExtensionPackage {
  const manifest = parseManifest(files);
  return { id: `${manifest.publisher}.${manifest.name}`.toLowerCase(), manifest, files, vsix };
}

function parseManifest(files: PackageFiles): ExtensionManifest {
  const bytes = files.get('package.json');
  if (!bytes) throw new Error('it has no package.json');
  const checked = manifestSchema.safeParse(JSON.parse(Buffer.from(bytes).toString('utf8')));
  if (checked.success) return checked.data;
  throw new Error(`package.json: ${z.prettifyError(checked.error)}`);
}

function makeBadPackageError(name: string, cause: unknown): PwpError {
  return new PwpError(
    'bad-package',
    `${name} is not an extension that can be served: ${describeError(cause)}`,
    {
      cause,
      help: 'Take it out of the gallery, or put a sound .vsix in its place.',
    },
  );
}

const contentTypes = `<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension=".json" ContentType="application/json"/><Default Extension=".vsixmanifest" ContentType="text/xml"/></Types>
`;

function renderVsixManifest({
  publisher,
  name,
  version,
  displayName = name,
  description,
}: ExtensionManifest): string {
  return `<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id="${escapeXml(name)}" Version="${escapeXml(version)}" Publisher="${escapeXml(publisher)}"/>
    <DisplayName>${escapeXml(displayName)}</DisplayName>
    <Description xml:space="preserve">${escapeXml(description)}</Description>
  </Metadata>
  <Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation>
  <Dependencies/>
  <Assets><Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/></Assets>
</PackageManifest>
`;
}

function escapeXml(value: string): string {
  const names: Readonly<Record<string, string>> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot' };
  return value.replaceAll(/[&<>"]/g, (sign) => `&${names[sign] ?? ''};`);
}

/** Contents by path: relative, with slashes. */
type PackageFiles = ReadonlyMap<string, Uint8Array>;

/** More than any extension holds, in bytes unpacked and in files. */
const maxBytes = 1024 * 1024 * 1024;
const maxFiles = 100_000;
/** The first day that the format has, in local time as the format's dates are: the same bytes every time. */
const mtime = new Date(1980, 0, 1);

/** A zip archive of these files, in this order, stored as they are. */
export function zipFiles(files: PackageFiles): Uint8Array {
  return zipSync(Object.fromEntries(files), { level: 0, mtime });
}

/** The files of a zip archive. Throws for one that is damaged or too large. */
function unzipFiles(archive: Uint8Array): PackageFiles {
  const sizes = new Map<string, number>();
  let count = 0;
  let total = 0;
  // Asked about each file before it is unpacked, and never unpacks more than the size given.
  const filter = ({ name, originalSize }: { name: string; originalSize: number }) => {
    sizes.set(name, originalSize);
    count += 1;
    total += originalSize;
    if (count > maxFiles) throw new Error(`the archive has more than ${maxFiles} files`);
    if (total > maxBytes) throw new Error(`the archive holds more than ${maxBytes} bytes`);
    return !name.endsWith('/');
  };
  const files = new Map(Object.entries(unzipSync(archive, { filter })));
  for (const [name, bytes] of files)
    if (bytes.length !== sizes.get(name)) throw new Error(`the archive has a damaged file, ${name}`);
  return files;
}
