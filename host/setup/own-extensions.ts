import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { BuildOptions } from 'esbuild';
import { servedLanguages } from '../node/index.ts';
import { packageVersion } from '../lib/index.ts';
import { copyChanged, keepOnly, writeChanged } from './output.ts';

/**
 * Extensions of our own beside the one of `extension/` itself, all baked into the image: folders of `extension/` with
 * `package.json`, `src/extension.ts` and what `pages` says.
 */
export const ownExtensions: readonly OwnExtension[] = [
  { name: 'canvas', pages: ['page'] },
  { name: 'profile', pages: ['page'] },
  { name: 'python', pages: [] },
];

export interface OwnExtension {
  readonly name: string;
  /** Folders whose `main.ts` is a webview's script; it becomes `<folder>.js`. */
  readonly pages: readonly string[];
}

export const ownExtensionsOut = 'dist/extensions';
const languagesOut = 'dist/languages';

/** Extension hosts load CommonJS; the target is the newest Node that all of them have. */
const host = {
  format: 'cjs',
  external: ['vscode'],
  target: 'node20',
  mainFields: ['module', 'main'],
} satisfies BuildOptions;

/** For bundles that are mostly libraries: short names inside; functions and classes keep theirs for stack traces. */
export const mostlyLibraries = { minifyIdentifiers: true, keepNames: true } satisfies BuildOptions;

const page = {
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
  outfile: `${languagesOut}/extension.cjs`,
  options: { ...host, ...mostlyLibraries },
};

/** The bundles that esbuild makes of one of them. */
export function bundlesOf({ name, pages }: OwnExtension) {
  const [from, to] = [`extension/${name}`, `${ownExtensionsOut}/${name}`];
  return [
    {
      name,
      entry: `${from}/src/extension.ts`,
      outfile: `${to}/extension.cjs`,
      options: { ...host, ...mostlyLibraries },
    },
    ...pages.map((one) => ({
      name,
      entry: `${from}/${one}/main.ts`,
      outfile: `${to}/${one}.js`,
      options: page,
    })),
  ];
}

/** Files of an extension's folder beside its code; missing ones are left out. */
const parts = ['README.md', 'NOTICE', 'media', 'scripts'];

/** Fills `dist/extensions/` with everything but the code, and removes folders that are no longer extensions. */
export async function layOutOwnExtensions(root: string): Promise<void> {
  await keepOnly(
    join(root, ownExtensionsOut),
    ownExtensions.map(({ name }) => name),
  );
  for (const { name, pages } of ownExtensions) {
    const [source, target] = [join(root, 'extension', name), join(root, ownExtensionsOut, name)];
    const there = (await readdir(source)).filter((part) => parts.includes(part));
    for (const part of there) await copyChanged(join(source, part), join(target, part));
    await writeChanged(join(target, 'package.json'), await withVersion(join(source, 'package.json')));
    await copyChanged(join(root, 'LICENSE'), join(target, 'LICENSE'));
    await keepOnly(target, [
      ...there,
      'package.json',
      'LICENSE',
      'extension.cjs',
      ...pages.map((one) => `${one}.js`),
    ]);
  }
}

/** Fills `dist/languages/` with everything but the code. */
export async function layOutLanguages(root: string): Promise<void> {
  await keepOnly(join(root, languagesOut), [...servedLanguages, 'extension.cjs']);
  for (const name of servedLanguages) {
    const target = join(root, languagesOut, name);
    const manifest = await withVersion(join(root, 'extension/languages', name, 'package.json'));
    await writeChanged(join(target, 'package.json'), manifest);
    await copyChanged(join(root, 'LICENSE'), join(target, 'LICENSE'));
    await keepOnly(target, ['package.json', 'LICENSE']);
  }
}

/** They have the version of the package that they come with. */
async function withVersion(path: string): Promise<Uint8Array> {
  const manifest = JSON.parse(await readFile(path, 'utf8')) as object;
  return Buffer.from(`${JSON.stringify({ ...manifest, version: packageVersion() }, null, 2)}\n`);
}
