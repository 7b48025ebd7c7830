import { access, chmod, mkdir } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import type { BuildFailure, BuildOptions, OutputFile } from 'esbuild';
import { PwpError, messageOf } from '../../bridge/lib/index.ts';
import { acquireLock, packageFolder, packageVersion } from '../lib/index.ts';
import { bundles, pageScriptEntries, type Bundle } from './bundles.ts';
import { layOutExtension, packExtension } from './extension.ts';
import { copyChanged, writeChanged } from './output.ts';
import { layOutLanguages, layOutOwnExtensions, ownExtensions } from './own-extensions.ts';

const root = packageFolder();
/** The check library for tests in Python, and what grades without an IDE. */
const pythonChecks = ['pwp_checks.py', 'own_answers.py'];
const common = {
  bundle: true,
  platform: 'node',
  target: 'node22',
  absWorkingDir: root,
  legalComments: 'none',
  // A third smaller and read sooner; names stay as they are in stack traces, and lines are short enough to find a place.
  minifyWhitespace: true,
  minifySyntax: true,
  lineLimit: 160,
  logLevel: 'silent',
} satisfies BuildOptions;

/**
 * Builds `dist/`, all of it or the bundles of these names. Takes about a second, so it never asks whether it must, but
 * it touches only files whose content changes. Errors: `bundle-failed`, with file and line.
 */
export async function bundle(
  signal: AbortSignal,
  names: readonly string[] = bundles.map(({ name }) => name),
): Promise<void> {
  await mkdir(join(root, 'dist'), { recursive: true });
  const lock = await acquireLock(join(root, 'dist/.lock'), { signal });
  try {
    const scripts = Object.entries(pageScriptEntries).map(async ([world, entry]) => {
      const script = await bytesOf({
        ...pageScript,
        entryPoints: [{ in: entry, out: world }],
        outdir: 'dist',
      });
      return [world, Buffer.from(script).toString()] as const;
    });
    const define = {
      __PWP_PAGE_SCRIPTS__: JSON.stringify(Object.fromEntries(await Promise.all(scripts))),
      __PWP_VERSION__: JSON.stringify(packageVersion()),
    };
    await Promise.all(bundles.filter(({ name }) => names.includes(name)).map((one) => buildOne(one, define)));
    if (names.includes('extension')) {
      await layOutExtension(root);
      await packExtension(root);
    }
    if (names.includes('checks'))
      for (const name of pythonChecks)
        await copyChanged(join(root, 'host/grade/checks-python', name), join(root, 'dist', name));
    if (ownExtensions.some(({ name }) => names.includes(name))) await layOutOwnExtensions(root);
    if (names.includes('languages')) await layOutLanguages(root);
  } finally {
    await lock[Symbol.asyncDispose]();
  }
}

/** The script that runs within the IDE's page, as text: the bridge carries it as a constant. */
const pageScript = {
  ...common,
  platform: 'browser',
  target: 'chrome120',
  format: 'iife',
  minify: true,
} satisfies BuildOptions;

async function buildOne(
  { entry, outfile, sibling, options }: Bundle,
  define: Record<string, string>,
): Promise<void> {
  const entries = [{ entry, outfile }, ...(sibling ? [sibling] : [])];
  const files = await filesOf({
    ...common,
    ...options,
    entryPoints: entries.map((one) => ({ in: one.entry, out: basename(one.outfile, extname(one.outfile)) })),
    outdir: dirname(outfile),
    outExtension: { '.js': extname(outfile) },
    ...(sibling && { splitting: true, chunkNames: 'shared' }),
    define,
  });
  // Entries come first: the files that they import exist before they do.
  for (const { path, contents } of files.toReversed()) await writeChanged(path, contents);
  if (options.banner) await chmod(join(root, outfile), 0o755);
}

async function bytesOf(
  options: BuildOptions & { entryPoints: { in: string; out: string }[] },
): Promise<Uint8Array> {
  const [file] = await filesOf(options);
  return file?.contents ?? new Uint8Array();
}

async function filesOf(
  options: BuildOptions & { entryPoints: { in: string; out: string }[] },
): Promise<readonly OutputFile[]> {
  for (const { in: entry } of options.entryPoints) await requireEntry(entry);
  // Loaded here and not above, so that the built program, which never builds, starts without it.
  const { build } = await import('esbuild');
  try {
    const { outputFiles } = await build({ ...options, write: false });
    return outputFiles;
  } catch (cause) {
    const names = options.entryPoints.map((one) => one.in).join(' and ');
    throw new PwpError('bundle-failed', `can't bundle ${names}: ${explain(cause)}`, { cause });
  }
}

async function requireEntry(entry: string): Promise<void> {
  try {
    await access(join(root, entry));
  } catch (cause) {
    throw new PwpError('bundle-failed', `can't bundle: ${entry} is not there`, { cause });
  }
}

function explain(cause: unknown): string {
  const first = (cause as Partial<BuildFailure>).errors?.[0];
  return first?.location ? `${first.location.file}:${first.location.line}: ${first.text}` : messageOf(cause);
}
