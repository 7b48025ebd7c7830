import { readFileSync } from 'node:fs';
import { access, chmod, mkdir, readdir, rm } from 'node:fs/promises';
import { dirname, extname, join, relative, resolve } from 'node:path';
import type { BuildFailure, BuildOptions, OutputFile } from 'esbuild';
import { describeError, PwpError } from '../../../bridge/lib/index.ts';
import { acquireLock, packageFolder, readPackageVersion } from '../../lib/index.ts';
import { describeLicenses } from './bundled-licenses.ts';
import { directImports } from './direct-imports.ts';
import {
  copyChanged,
  languageBundle,
  layOutExtension,
  layOutLanguages,
  layOutOwnExtensions,
  libraryBundleOptions,
  listExtensionBundles,
  ownExtensions,
  packExtension,
  writeChanged,
} from './extension-packages.ts';

const packageRoot = packageFolder();
/** What V8 compiled of the bundles before; see `host/doors/cli/launch.ts`. Programs may write it at any time. */
const compileCache = 'dist/.compile-cache';
/** Names of the files with the code that several bundles share begin with it. */
const sharedPrefix = 'shared-';
/** The check library for tests in Python, and what grades without an IDE. */
const pythonChecks = ['pwp_checks.py', 'own_answers.py'];
const commonOptions = {
  bundle: true,
  platform: 'node',
  target: 'node22',
  absWorkingDir: packageRoot,
  legalComments: 'none',
  // A third smaller and read sooner; names stay as they are in stack traces, and lines are short enough to find a place.
  minifyWhitespace: true,
  minifySyntax: true,
  lineLimit: 160,
  logLevel: 'silent',
} satisfies BuildOptions;

/**
 * Builds `dist/`, all of it or the bundles of these names. Takes about a second, so it never asks whether it must, but
 * it touches only files whose content changes. Errors: `command-failed`, with file and line.
 */
export async function buildDist(
  signal: AbortSignal,
  names: readonly string[] = bundleSpecs.map(({ name }) => name),
): Promise<void> {
  await mkdir(join(packageRoot, 'dist'), { recursive: true });
  const lock = await acquireLock(join(packageRoot, 'dist/.lock'), { signal });
  try {
    const scripts = Object.entries(pageScriptEntries).map(async ([world, entry]) => {
      const script = await buildBytes({
        ...pageScriptOptions,
        entryPoints: [{ in: entry, out: world }],
        outdir: 'dist',
      });
      return [world, Buffer.from(script).toString()] as const;
    });
    const define = {
      __PWP_PAGE_SCRIPTS__: JSON.stringify(Object.fromEntries(await Promise.all(scripts))),
      __PWP_VERSION__: JSON.stringify(readPackageVersion()),
    };
    if (names.includes('host'))
      await rm(join(packageRoot, compileCache), { recursive: true, force: true, maxRetries: 3 });
    const wanted = bundleSpecs.filter(({ name }) => names.includes(name));
    const inputs = await Promise.all(wanted.map((one) => buildBundle(one, define)));
    if (wanted.length === bundleSpecs.length) await writeLicenses(inputs.flat());
    if (names.includes('extension')) {
      await layOutExtension(packageRoot);
      await packExtension(packageRoot);
    }
    if (names.includes('checks'))
      for (const name of pythonChecks)
        await copyChanged(
          join(packageRoot, 'host/tasks/grade/checks-python', name),
          join(packageRoot, 'dist', name),
        );
    if (ownExtensions.some(({ name }) => names.includes(name))) await layOutOwnExtensions(packageRoot);
    if (names.includes('languages')) await layOutLanguages(packageRoot);
  } finally {
    await lock[Symbol.asyncDispose]();
  }
}

/** The script that runs within the IDE's page, as text: the bridge carries it as a constant. */
const pageScriptOptions = {
  ...commonOptions,
  platform: 'browser',
  target: 'chrome120',
  format: 'iife',
  minify: true,
} satisfies BuildOptions;

async function buildBundle(
  { entry, outfile, siblings = [], options }: BundleSpec,
  define: Record<string, string>,
): Promise<string[]> {
  const folder = dirname(outfile);
  const entries = [{ entry, outfile }, ...siblings];
  const { files, inputs } = await buildFiles({
    ...commonOptions,
    ...options,
    entryPoints: entries.map((one) => ({
      in: one.entry,
      out: relative(folder, one.outfile).slice(0, -extname(one.outfile).length),
    })),
    outdir: folder,
    outExtension: { '.js': extname(outfile) },
    ...(siblings.length > 0 && { splitting: true, chunkNames: `${sharedPrefix}[hash]` }),
    define,
    plugins: [directImports()],
  });
  // Entries come first: the files that they import exist before they do.
  for (const { path, contents } of files.toReversed()) await writeChanged(path, contents);
  if (siblings.length > 0) await removeOldShared(join(packageRoot, folder), files);
  if (options.banner) await chmod(join(packageRoot, outfile), 0o755);
  return inputs;
}

async function writeLicenses(inputs: readonly string[]): Promise<void> {
  const text = await describeLicenses(inputs.map((path) => resolve(packageRoot, path)));
  await writeChanged(join(packageRoot, 'dist/third-party-licenses.txt'), Buffer.from(text));
}

/** Names of shared code change with its content: removes what an earlier build left. */
async function removeOldShared(folder: string, files: readonly OutputFile[]): Promise<void> {
  const kept = new Set(files.map(({ path }) => path));
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    if (name.startsWith(sharedPrefix) && !kept.has(path)) await rm(path);
  }
}

async function buildBytes(
  options: BuildOptions & { entryPoints: { in: string; out: string }[] },
): Promise<Uint8Array> {
  const { files } = await buildFiles(options);
  return files[0]?.contents ?? new Uint8Array();
}

interface BuiltFiles {
  readonly files: readonly OutputFile[];
  /** Paths of what they are made of. */
  readonly inputs: string[];
}

async function buildFiles(
  options: BuildOptions & { entryPoints: { in: string; out: string }[] },
): Promise<BuiltFiles> {
  for (const { in: entry } of options.entryPoints) await requireEntry(entry);
  // Loaded here and not above, so that the built program, which never builds, starts without it.
  const { build } = await import('esbuild');
  try {
    const { outputFiles, metafile } = await build({ ...options, write: false, metafile: true });
    return { files: outputFiles, inputs: Object.keys(metafile.inputs) };
  } catch (cause) {
    const names = options.entryPoints.map((one) => one.in).join(' and ');
    throw new PwpError('command-failed', `can't bundle ${names}: ${explainFailure(cause)}`, { cause });
  }
}

async function requireEntry(entry: string): Promise<void> {
  try {
    await access(join(packageRoot, entry));
  } catch (cause) {
    throw new PwpError('command-failed', `can't bundle: ${entry} is not there`, { cause });
  }
}

function explainFailure(cause: unknown): string {
  const first = (cause as Partial<BuildFailure>).errors?.[0];
  return first?.location
    ? `${first.location.file}:${first.location.line}: ${first.text}`
    : describeError(cause);
}

/** One file that esbuild makes, or two that share code. Paths are relative to the package's folder. */
interface BundleSpec {
  /** Those of an extension of our own have the name of its folder. */
  readonly name: string;
  readonly entry: string;
  readonly outfile: string;
  /**
   * More files, in the same folder or below it. Code that several need is in further ones, `shared-…`, and so only once
   * in the package. They are beside the first, since code finds the files of `dist/` from there.
   */
  readonly siblings?: readonly { readonly entry: string; readonly outfile: string }[];
  readonly options: BuildOptions;
}

/** What npm installs beside the built program. */
function readDependencies(): string[] {
  const manifest = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  return Object.keys(manifest.dependencies);
}

/** For bundled CommonJS modules. Under a name that no bundled module imports it by: two of one name do not load. */
const requireBanner = {
  js: "import { createRequire as requireOf } from 'node:module';\nconst require = requireOf(import.meta.url);",
};

/** Bundles that run in the IDE's page, by the world that they run in. */
const pageScriptEntries = {
  reader: 'bridge/dom/page/script.ts',
  main: 'bridge/dom/page/main-world.ts',
};

/** Run on this machine. The packages that ours depends on are beside them; all others go into the bundle. */
const besideDependencies = {
  format: 'esm',
  external: [...readDependencies(), 'esbuild'],
  banner: requireBanner,
} satisfies BuildOptions;

/** Classes that Node 22 lacks. */
const node24Classes = { inject: ['host/lib/disposable-stack.ts'] };

/** What programs import: a file of `dist/library` for each of package.json's `exports`. */
export const libraryEntries = [
  { name: 'index', entry: 'host/doors/library/index.ts' },
  ...['node', 'env', 'study', 'analysis', 'tools'].map((name) => ({
    name,
    entry: `host/doors/library/${name}-library.ts`,
  })),
];

const bundleSpecs: readonly BundleSpec[] = [
  {
    name: 'host',
    entry: 'host/doors/cli/main.ts',
    outfile: 'dist/cli.js',
    siblings: libraryEntries.map(({ entry, name }) => ({ entry, outfile: `dist/library/${name}.js` })),
    options: { ...besideDependencies, ...node24Classes },
  },
  {
    name: 'launch',
    entry: 'host/doors/cli/launch.ts',
    outfile: 'dist/pwp.js',
    options: { ...besideDependencies, target: 'node18', banner: { js: '#!/usr/bin/env node' } },
  },
  {
    name: 'bridge',
    entry: 'bridge/src/main.ts',
    outfile: 'dist/bridge.cjs',
    options: { format: 'cjs', ...libraryBundleOptions },
  },
  {
    name: 'extension',
    entry: 'extension/src/extension.ts',
    outfile: 'dist/extension/extension.cjs',
    // Desktop VS Code runs it in the Node of its Electron, whichever version that is.
    // jsonc-parser's main file asks for its parts in a way that no bundler follows.
    options: {
      format: 'cjs',
      external: ['vscode'],
      target: 'node20',
      mainFields: ['module', 'main'],
      ...libraryBundleOptions,
    },
  },
  {
    name: 'checks',
    entry: 'host/tasks/grade/checks/index.ts',
    outfile: 'dist/checks.mjs',
    // ESM entries first: the UMD ones of some libraries can't be bundled.
    options: { format: 'esm', mainFields: ['module', 'main'], ...libraryBundleOptions },
  },
  {
    name: 'variant',
    entry: 'host/tasks/format/variant-program.ts',
    outfile: 'dist/variant.mjs',
    // All in one: its process may read nothing else.
    options: { format: 'esm' },
  },
  {
    name: 'worker',
    entry: 'host/node/checkpoint-store/checkpoint-worker.ts',
    outfile: 'dist/checkpoint-worker.js',
    // All in one: it is loaded by threads of a container, too.
    options: { format: 'esm', ...node24Classes, ...libraryBundleOptions },
  },
  {
    name: 'node',
    entry: 'host/node/docker/program/main.ts',
    outfile: 'dist/node.js',
    // All in one but what is native: a container has no node_modules.
    options: {
      ...node24Classes,
      ...libraryBundleOptions,
      format: 'esm',
      external: ['sharp'],
      banner: requireBanner,
    },
  },
  ...[
    ['live/live-page.ts', 'live.js'],
    ['studies/studies-page.ts', 'studies.js'],
    ['studies/queue-page.ts', 'queue.js'],
    ['report/report-viewer.ts', 'report.js'],
    ...['live.css', 'studies.css', 'queue.css', 'report.css', 'tables.css'].map((name) => [
      `styles/${name}`,
      name,
    ]),
  ].map(([entry, file]) => ({
    name: 'web',
    entry: `host/doors/web/${entry}`,
    outfile: `dist/web/${file}`,
    options: pageScriptOptions,
  })),
  ...ownExtensions.flatMap(listExtensionBundles),
  languageBundle,
];
