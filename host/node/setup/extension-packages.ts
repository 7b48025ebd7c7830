import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { BuildOptions } from 'esbuild';
import { execa } from 'execa';
import { PwpError } from '../../../bridge/lib/index.ts';
import { describeLanguageModelTools } from '../../../bridge/protocol/index.ts';
import { contentHash, pathExists, readPackageVersion } from '../../lib/index.ts';
import { servedLanguages } from '../sandbox-spec.ts';

/**
 * Extensions of our own beside the one of `extension/` itself, all baked into the image: folders of `extension/` with
 * `package.json`, `src/extension.ts` and what `pages` says.
 */
export const ownExtensions: readonly OwnExtension[] = [
  { name: 'canvas', pages: ['page'] },
  { name: 'profile', pages: ['page'] },
  { name: 'python', pages: [] },
];

interface OwnExtension {
  readonly name: string;
  /** Folders of webviews: `page.html`, and `main.ts` and `page.css`, which become `<folder>.js` and `<folder>.css`. */
  readonly pages: readonly string[];
}

const ownExtensionsFolder = 'dist/extensions';
const languagesFolder = 'dist/languages';

/** Extension hosts load CommonJS; the target is the newest Node that all of them have. */
const extensionHostOptions = {
  format: 'cjs',
  external: ['vscode'],
  target: 'node20',
  mainFields: ['module', 'main'],
} satisfies BuildOptions;

/** For bundles that are mostly libraries: short names inside; functions and classes keep theirs for stack traces. */
export const libraryBundleOptions = { minifyIdentifiers: true, keepNames: true } satisfies BuildOptions;

const webviewOptions = {
  format: 'iife',
  platform: 'browser',
  target: 'chrome120',
  mainFields: ['module', 'main'],
  minify: true,
} satisfies BuildOptions;

/**
 * Extensions for the extra languages of an image: a manifest for each, a folder of `extension/languages`, and one
 * program, which the image links into each.
 */
export const languageBundle = {
  name: 'languages',
  entry: 'extension/languages/src/extension.ts',
  outfile: `${languagesFolder}/extension.cjs`,
  options: { ...extensionHostOptions, ...libraryBundleOptions },
};

/** The bundles that esbuild makes of one of them. */
export function listExtensionBundles({ name, pages }: OwnExtension) {
  const [from, to] = [`extension/${name}`, `${ownExtensionsFolder}/${name}`];
  return [
    {
      name,
      entry: `${from}/src/extension.ts`,
      outfile: `${to}/extension.cjs`,
      options: { ...extensionHostOptions, ...libraryBundleOptions },
    },
    ...pages.flatMap((one) => [
      { name, entry: `${from}/${one}/main.ts`, outfile: `${to}/${one}.js`, options: webviewOptions },
      { name, entry: `${from}/${one}/page.css`, outfile: `${to}/${one}.css`, options: webviewOptions },
    ]),
  ];
}

/** Files of an extension's folder beside its code; missing ones are left out. */
const ownExtensionParts = ['README.md', 'NOTICE', 'media', 'scripts'];

/** Fills `dist/extensions/` with everything but the code, and removes folders that are no longer extensions. */
export async function layOutOwnExtensions(root: string): Promise<void> {
  await removeOtherEntries(
    join(root, ownExtensionsFolder),
    ownExtensions.map(({ name }) => name),
  );
  for (const { name, pages } of ownExtensions) {
    const [source, target] = [join(root, 'extension', name), join(root, ownExtensionsFolder, name)];
    const there = (await readdir(source)).filter((part) => ownExtensionParts.includes(part));
    for (const part of there) await copyChanged(join(source, part), join(target, part));
    for (const one of pages) await copyChanged(join(source, one, 'page.html'), join(target, `${one}.html`));
    await writeChanged(join(target, 'package.json'), await withVersion(join(source, 'package.json')));
    await copyChanged(join(root, 'LICENSE'), join(target, 'LICENSE'));
    await removeOtherEntries(target, [
      ...there,
      'package.json',
      'LICENSE',
      'extension.cjs',
      ...pages.flatMap((one) => [`${one}.js`, `${one}.css`, `${one}.html`]),
    ]);
  }
}

/** Fills `dist/languages/` with everything but the code. */
export async function layOutLanguages(root: string): Promise<void> {
  await removeOtherEntries(join(root, languagesFolder), [...servedLanguages, 'extension.cjs']);
  for (const name of servedLanguages) {
    const target = join(root, languagesFolder, name);
    const manifest = await withVersion(join(root, 'extension/languages', name, 'package.json'));
    await writeChanged(join(target, 'package.json'), manifest);
    await copyChanged(join(root, 'LICENSE'), join(target, 'LICENSE'));
    await removeOtherEntries(target, ['package.json', 'LICENSE']);
  }
}

/** They have the version of the package that they come with. */
async function withVersion(path: string): Promise<Uint8Array> {
  const manifest = JSON.parse(await readFile(path, 'utf8')) as object;
  return Buffer.from(`${JSON.stringify({ ...manifest, version: readPackageVersion() }, null, 2)}\n`);
}

/** Files of an extension's folder beside its code; missing ones are left out. */
const extensionParts = ['package.json', 'README.md', 'media'];

/**
 * Fills `dist/extension/` with all but the code. Errors: `usage`.
 * @param pictures where those of the README are published, an https address
 */
export async function layOutExtension(
  root: string,
  pictures: string | undefined = process.env.PWP_README_PICTURES,
): Promise<void> {
  const [source, target] = [join(root, 'extension'), join(root, 'dist/extension')];
  const there = (await readdir(source)).filter((name) => extensionParts.includes(name));
  for (const name of there) await layOutPart(join(source, name), join(target, name), pictures);
  await copyChanged(join(root, 'LICENSE'), join(target, 'LICENSE'));
  await removeOtherEntries(target, [...there, 'LICENSE', 'extension.cjs']);
}

/** Generates the tools for chats in package.json and the addresses of the README's pictures; copies all else. */
async function layOutPart(source: string, target: string, pictures: string | undefined): Promise<void> {
  const name = basename(source);
  if (name === 'package.json')
    await writeChanged(target, Buffer.from(addLanguageModelTools(await readFile(source, 'utf8'))));
  else if (name === 'README.md')
    await writeChanged(target, Buffer.from(rewritePictures(await readFile(source, 'utf8'), pictures)));
  else await copyChanged(source, target);
}

/** As VS Code wants them declared: generated from the registry that serves them. */
function addLanguageModelTools(text: string): string {
  const manifest = JSON.parse(text) as { readonly contributes: object };
  const contributes = { ...manifest.contributes, languageModelTools: describeLanguageModelTools() };
  return `${JSON.stringify({ ...manifest, version: readPackageVersion(), contributes }, null, 2)}\n`;
}

/**
 * The Marketplace and VS Code show a picture of a README only from the web, neither from the extension's folder nor
 * from within the text. So without an address they are left out; the walkthrough has them, too.
 * Errors: `usage`.
 */
export function rewritePictures(readme: string, pictures: string | undefined): string {
  const line = /^!\[([^\]]*)\]\(media\/([\w-]+\.png)\)\n\n?/gm;
  if (!pictures) return readme.replaceAll(line, '');
  if (!URL.canParse(pictures) || new URL(pictures).protocol !== 'https:')
    throw new PwpError('usage', `PWP_README_PICTURES: ${pictures} is not an https address`);
  const folder = pictures.replace(/\/*$/, '');
  return readme.replaceAll(line, (_, text: string, name: string) => `![${text}](${folder}/${name})\n\n`);
}

/** Packs `dist/extension/` as `dist/pwp.vsix`, for other people's VS Code; not again when it has not changed. */
export async function packExtension(root: string): Promise<void> {
  const folder = join(root, 'dist/extension');
  const vsix = join(root, 'dist/pwp.vsix');
  const stamp = `${vsix}.key`;
  const key = await contentHash([folder]);
  if ((await pathExists(vsix)) && (await readFile(stamp, 'utf8').catch(() => '')) === key) return;
  // The program and not its library: that one talks to standard output.
  const options = [
    '--no-dependencies',
    '--allow-missing-repository',
    '--no-rewrite-relative-links',
    '--out',
    vsix,
  ];
  const { exitCode, all } = await execa('vsce', ['package', ...options], {
    cwd: folder,
    preferLocal: true,
    localDir: root,
    all: true,
    reject: false,
  });
  if (exitCode !== 0 || /\bWARNING\b/.test(all))
    throw new PwpError('command-failed', `can't pack the extension:\n${all}`);
  await writeFile(stamp, key);
}

/**
 * Writes a file unless it has these bytes already, whole or not at all: a reader, e.g. another run, never meets half of
 * it. True if it was written.
 */
export async function writeChanged(path: string, bytes: Uint8Array): Promise<boolean> {
  const old = await readFile(path).catch(() => null);
  if (old?.equals(bytes)) return false;
  await mkdir(dirname(path), { recursive: true });
  const fresh = `${path}.${process.pid}.new`;
  await writeFile(fresh, bytes);
  await rename(fresh, path);
  return true;
}

/** Copies a file or folder over another one, touching only what differs. */
export async function copyChanged(from: string, to: string): Promise<void> {
  const entries = await readdir(from, { withFileTypes: true }).catch(() => null);
  if (!entries) {
    await writeChanged(to, await readFile(from));
    return;
  }
  for (const { name } of entries) await copyChanged(join(from, name), join(to, name));
  await removeOtherEntries(
    to,
    entries.map(({ name }) => name),
  );
}

/** Removes what a folder holds beside these names. */
async function removeOtherEntries(folder: string, names: readonly string[]): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    if (!names.includes(name)) await rm(join(folder, name), { recursive: true, force: true });
  }
}
