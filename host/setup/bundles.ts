import type { BuildOptions } from 'esbuild';
import { bundlesOf, languageBundle, mostlyLibraries, ownExtensions } from './own-extensions.ts';

/** One file that esbuild makes, or two that share code. Paths are relative to the package's folder. */
export interface Bundle {
  /** Those of an extension of our own have the name of its folder. */
  readonly name: string;
  readonly entry: string;
  readonly outfile: string;
  /**
   * A second file in the same folder. Code that both need is in a third, `shared.js`, and so only once in the package.
   */
  readonly sibling?: { readonly entry: string; readonly outfile: string };
  readonly options: BuildOptions;
}

/** Bundles that run in the IDE's page, by the world that they run in. */
export const pageScriptEntries = {
  reader: 'bridge/dom/page/script.ts',
  main: 'bridge/dom/page/main-world.ts',
};

/** Run on this machine, beside node_modules. */
const beside = { format: 'esm', packages: 'external' } as const;

/** Classes that Node 22 lacks. */
const ofNode24 = { inject: ['host/lib/disposable-stack.ts'] };

export const bundles: readonly Bundle[] = [
  {
    name: 'host',
    entry: 'host/cli/main.ts',
    outfile: 'dist/cli.js',
    sibling: { entry: 'host/index.ts', outfile: 'dist/index.js' },
    options: { ...beside, ...ofNode24 },
  },
  {
    name: 'launch',
    entry: 'host/cli/launch.ts',
    outfile: 'dist/pwp.js',
    options: { ...beside, target: 'node18', banner: { js: '#!/usr/bin/env node' } },
  },
  {
    name: 'bridge',
    entry: 'bridge/src/main.ts',
    outfile: 'dist/bridge.cjs',
    options: { format: 'cjs', ...mostlyLibraries },
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
      ...mostlyLibraries,
    },
  },
  {
    name: 'checks',
    entry: 'host/grade/checks/index.ts',
    outfile: 'dist/checks.mjs',
    // ESM entries first: the UMD ones of some libraries can't be bundled.
    options: { format: 'esm', mainFields: ['module', 'main'], ...mostlyLibraries },
  },
  {
    name: 'variant',
    entry: 'host/tasks/variant/main.ts',
    outfile: 'dist/variant.mjs',
    // All in one: its process may read nothing else.
    options: { format: 'esm' },
  },
  {
    name: 'worker',
    entry: 'host/node/local/checkpoint-store/worker.ts',
    outfile: 'dist/checkpoint-worker.js',
    // All in one: it is loaded by threads of a container, too.
    options: { format: 'esm', ...ofNode24, ...mostlyLibraries },
  },
  {
    name: 'node',
    entry: 'host/node/docker/program/main.ts',
    outfile: 'dist/node.js',
    // All in one but what is native: a container has no node_modules.
    options: {
      ...ofNode24,
      ...mostlyLibraries,
      format: 'esm',
      external: ['sharp'],
      banner: {
        // Under a name that no bundled module imports it by: two of one name do not load.
        js: "import { createRequire as requireOf } from 'node:module';\nconst require = requireOf(import.meta.url);",
      },
    },
  },
  {
    name: 'page',
    entry: 'host/serve/page/main.ts',
    outfile: 'dist/page.js',
    options: { format: 'iife', platform: 'browser', target: 'chrome120', minify: true },
  },
  {
    name: 'view',
    entry: 'host/view/page/main.ts',
    outfile: 'dist/view.js',
    options: { format: 'iife', platform: 'browser', target: 'chrome120', minify: true },
  },
  ...ownExtensions.flatMap(bundlesOf),
  languageBundle,
];
