import { createHash } from 'node:crypto';
import * as z from 'zod';
import { PwpError, messageOf } from '../../../../bridge/lib/index.ts';
import { unzip, zip, type Files } from './zip.ts';

const words = z.array(z.string()).catch([]);
/** Fields of an extension's package.json that a gallery reports. */
const manifestSchema = z.looseObject({
  name: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9-]*$/),
  publisher: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9-]*$/),
  version: z.string().regex(/^\d+\.\d+\.\d+[\w.+-]*$/),
  displayName: z.string().optional(),
  description: z.string().default(''),
  engines: z.looseObject({ vscode: z.string() }),
  categories: words.default([]),
  keywords: words.default([]),
  extensionDependencies: words.default([]),
  extensionPack: words.default([]),
  extensionKind: z.union([z.string(), z.array(z.string())]).optional(),
  icon: z.string().optional(),
});
export type Manifest = z.output<typeof manifestSchema>;

/** One extension, as the gallery has it. */
export interface Package {
  /** `publisher.name` in lower case, by which VS Code compares. */
  readonly id: string;
  readonly manifest: Manifest;
  /** The installed files, by path in the extension's folder. */
  readonly files: Files;
  readonly vsix: Uint8Array;
}

const inside = 'extension/';

/** Reads a `.vsix`. Errors: `bad-package`. */
export function readPackage(name: string, vsix: Buffer): Package {
  try {
    const own = [...unzip(vsix)].filter(([path]) => path.startsWith(inside));
    return packageOf(new Map(own.map(([path, bytes]) => [path.slice(inside.length), bytes])), vsix);
  } catch (cause) {
    throw badPackage(name, cause);
  }
}

/** Packs an extension's files into a `.vsix`, the same bytes every time. Errors: `bad-package`. */
export function makePackage(name: string, files: Files): Package {
  try {
    const manifest = manifestOf(files);
    const own = [...files].map(([path, bytes]) => [`${inside}${path}`, bytes] as const);
    const head = [
      ['extension.vsixmanifest', Buffer.from(vsixManifest(manifest))],
      ['[Content_Types].xml', Buffer.from(contentTypes)],
    ] as const;
    return packageOf(files, zip(new Map([...head, ...own.sort(([a], [b]) => (a < b ? -1 : 1))])));
  } catch (cause) {
    throw badPackage(name, cause);
  }
}

/** Hexadecimal SHA-256 of each file, by path in the extension's folder. */
export function fileHashes({ files }: Package): Readonly<Record<string, string>> {
  const hashes = [...files].map(([path, bytes]) => [path, createHash('sha256').update(bytes).digest('hex')]);
  return Object.fromEntries(hashes) as Record<string, string>;
}

function packageOf(files: Files, vsix: Uint8Array): Package {
  const manifest = manifestOf(files);
  return { id: `${manifest.publisher}.${manifest.name}`.toLowerCase(), manifest, files, vsix };
}

function manifestOf(files: Files): Manifest {
  const bytes = files.get('package.json');
  if (!bytes) throw new Error('it has no package.json');
  const checked = manifestSchema.safeParse(JSON.parse(Buffer.from(bytes).toString('utf8')));
  if (checked.success) return checked.data;
  throw new Error(`package.json: ${z.prettifyError(checked.error)}`);
}

function badPackage(name: string, cause: unknown): PwpError {
  return new PwpError('bad-package', `${name} is not an extension that can be served: ${messageOf(cause)}`, {
    cause,
    help: 'Take it out of the gallery, or put a sound .vsix in its place.',
  });
}

const contentTypes = `<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension=".json" ContentType="application/json"/><Default Extension=".vsixmanifest" ContentType="text/xml"/></Types>
`;

function vsixManifest({ publisher, name, version, displayName = name, description }: Manifest): string {
  return `<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id="${escape(name)}" Version="${escape(version)}" Publisher="${escape(publisher)}"/>
    <DisplayName>${escape(displayName)}</DisplayName>
    <Description xml:space="preserve">${escape(description)}</Description>
  </Metadata>
  <Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation>
  <Dependencies/>
  <Assets><Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/></Assets>
</PackageManifest>
`;
}

function escape(value: string): string {
  const names: Readonly<Record<string, string>> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot' };
  return value.replaceAll(/[&<>"]/g, (sign) => `&${names[sign] ?? ''};`);
}
