import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { contentHash, packageFolder } from '../../lib/index.ts';

const dist = ['node.js', 'checkpoint-worker.js', 'bridge.cjs', 'extension'];

/** Changes when anything changes that goes into the node's image. */
export async function imageKey(): Promise<string> {
  const root = packageFolder();
  const roots = [
    join(root, 'images/node'),
    join(root, 'images/sandbox'),
    join(root, 'images/criu'),
    ...dist.map((name) => join(root, 'dist', name)),
  ];
  const modules = nativeModules().map(({ from }) => join(from, 'package.json'));
  return contentHash([...roots, ...modules], [process.arch, process.version, 'node 1']);
}

/** A folder with all that the Dockerfile copies. Dispose to remove it. */
export async function stageContext(): Promise<{ readonly folder: string } & AsyncDisposable> {
  const root = packageFolder();
  const folder = await mkdtemp(join(tmpdir(), 'pwp-build-'));
  const copy = (from: string, to: string) =>
    cp(from, join(folder, to), { recursive: true, dereference: true });
  await copy(join(root, 'images/node'), '.');
  await copy(join(root, 'images/sandbox'), 'images/sandbox');
  await copy(join(root, 'images/criu'), 'criu');
  await mkdir(join(folder, 'dist'));
  for (const name of dist) await copy(join(root, 'dist', name), join('dist', name));
  for (const { name, from } of nativeModules()) await copy(from, join('node_modules', name));
  await copy(process.execPath, 'node');
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
}

interface Module {
  readonly name: string;
  readonly from: string;
}

/** The one module that can't be bundled, sharp, and all that it needs at run time. */
function nativeModules(): Module[] {
  const found = new Map<string, Module>();
  addModule('sharp', import.meta.url, found);
  return [...found.values()];
}

function addModule(name: string, wantedBy: string, found: Map<string, Module>): void {
  if (found.has(name)) return;
  const require = createRequire(wantedBy);
  const manifest = locate(require, name);
  if (manifest === undefined) return;
  found.set(name, { name, from: manifest.slice(0, manifest.lastIndexOf(sep)) });
  const { dependencies = {}, optionalDependencies = {} } = require(manifest) as Manifest;
  for (const next of Object.keys({ ...dependencies, ...optionalDependencies }))
    addModule(next, manifest, found);
}

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** Undefined for what npm left out because it is for other machines. */
function locate(require: NodeJS.Require, name: string): string | undefined {
  for (const folder of require.resolve.paths(name) ?? []) {
    try {
      return require.resolve(join(folder, name, 'package.json'));
    } catch {
      // Looked for further up.
    }
  }
  return undefined;
}
