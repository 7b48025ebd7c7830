import assert from 'node:assert/strict';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { extract } from 'tar';
import * as z from 'zod';
import { projectFolder } from './cli.ts';
import { temporaryFolder, type TemporaryFolder } from './folder.ts';

const quiet = ['--no-audit', '--no-fund', '--loglevel=error', '--prefer-offline'];

const packed = z.tuple([
  z.object({
    filename: z.string(),
    size: z.number(),
    files: z.array(z.object({ path: z.string() })),
  }),
]);

/** With its types. A tenth of it is code of packages that npm need not install. */
export const maxPackageBytes = 3_400_000;

const manifest = z.object({ dependencies: z.record(z.string(), z.string()) });

/** A separate project that has the package. */
export interface PackedPackage extends AsyncDisposable {
  /** The project that uses the package. */
  readonly project: string;
  /** Size of the tarball in bytes. */
  readonly bytes: number;
  /** Paths in the tarball, relative to the package. */
  readonly paths: readonly string[];
  /** Folder for other downloads of a test. */
  readonly folder: TemporaryFolder;
}

/** The package as npm installs it. */
export interface InstalledPackage extends PackedPackage {
  /** The command line, as npm links it. */
  readonly pwp: string;
  /** Runs npm in the project. */
  npm(...args: string[]): Promise<void>;
  /** Compiles the README's example to `example.js`. Returns the compiler's output, empty if it succeeds. */
  compileExample(): Promise<string>;
}

/**
 * Packs `dist/` as every test command has built it, without the types, which take a minute, and unpacks it beside links
 * to the dependencies that it declares, and no others. Needs no network.
 */
export async function unpackPackage(): Promise<PackedPackage> {
  await using stack = new AsyncDisposableStack();
  const { tarball, ...packed } = await packPackage(stack, ['--ignore-scripts']);
  const modules = join(packed.project, 'node_modules');
  const place = join(modules, 'programming-with-pixels');
  await mkdir(place, { recursive: true });
  await extract({ file: tarball, cwd: place, strip: 1 });
  const { dependencies } = manifest.parse(JSON.parse(await readFile(join(place, 'package.json'), 'utf8')));
  for (const name of [...Object.keys(dependencies), '@types/node']) {
    await mkdir(dirname(join(modules, name)), { recursive: true });
    await symlink(join(projectFolder, 'node_modules', name), join(modules, name));
  }
  const owned = stack.move();
  return { ...packed, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** Builds, packs and installs the package. Its own Node is left out: it would be another 120 MB. */
export async function installPackage(): Promise<InstalledPackage> {
  await using stack = new AsyncDisposableStack();
  const { tarball, ...packed } = await packPackage(stack);
  const { project } = packed;
  const npm = async (...args: string[]) => void (await execa('npm', [...args, ...quiet], { cwd: project }));
  const types = `@types/node@${await versionOf('node_modules/@types/node')}`;
  await npm('install', '--ignore-scripts', tarball, types);
  const owned = stack.move();
  const pwp = join(project, 'node_modules/.bin/pwp');
  return {
    ...packed,
    npm,
    pwp,
    compileExample: () => compileExample(project),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Packs the package beside an empty project that is to use it. */
async function packPackage(stack: AsyncDisposableStack, options: readonly string[] = []) {
  const folder = stack.use(await temporaryFolder());
  const { filename, size, files } = await pack(folder.path, options);
  const project = folder.file('project');
  await mkdir(project);
  // These tests do not need the install scripts of other packages.
  const consumer = { name: 'consumer', private: true, type: 'module', allowScripts: { node: true } };
  await writeFile(join(project, 'package.json'), JSON.stringify(consumer));
  return {
    project,
    folder,
    tarball: folder.file(filename),
    bytes: size,
    paths: files.map(({ path }) => path),
  };
}

async function pack(folder: string, more: readonly string[]): Promise<z.output<typeof packed>[0]> {
  const options = ['--json', '--pack-destination', folder, '--loglevel=error', ...more];
  const { stdout } = await execa('npm', ['pack', ...options], { cwd: projectFolder });
  const [tarball] = packed.parse(JSON.parse(stdout.slice(stdout.indexOf('['))));
  return tarball;
}

/** TypeScript's strictest options. */
const compilerOptions = {
  target: 'ES2022',
  lib: ['ES2023', 'ESNext.Disposable'],
  module: 'NodeNext',
  types: ['node'],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: false,
};

async function compileExample(project: string): Promise<string> {
  await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
  await writeFile(join(project, 'example.ts'), await exampleIn('README.md'));
  const tsc = join(projectFolder, 'node_modules/typescript/bin/tsc');
  return (await execa(process.execPath, [tsc, '-p', project], { reject: false })).stdout;
}

/** The first example in TypeScript. */
async function exampleIn(name: string): Promise<string> {
  const text = await readFile(join(projectFolder, name), 'utf8');
  const found = /```ts\n(.*?)```/s.exec(text)?.[1];
  assert.ok(found, `${name} has no example`);
  return found;
}

/** Version of a package in a folder of this project. */
export async function versionOf(path: string): Promise<string> {
  const text = await readFile(join(projectFolder, path, 'package.json'), 'utf8');
  return z.object({ version: z.string() }).parse(JSON.parse(text)).version;
}

/** The newest Node of a major version, from npm. */
export async function fetchNode(folder: TemporaryFolder, major: number): Promise<string> {
  const name = `node-linux-${process.arch}`;
  const place = folder.file(`node${major}`);
  await mkdir(place, { recursive: true });
  const version = await newestOf(name, major);
  await execa('npm', ['install', '--prefix', place, `${name}@${version}`, ...quiet], { cwd: place });
  return join(place, 'node_modules', name, 'bin/node');
}

/** Not every version of a major version is available for every platform. */
async function newestOf(name: string, major: number): Promise<string> {
  const args = ['view', `${name}@${major}`, 'version', '--json', '--loglevel=error'];
  const { stdout } = await execa('npm', args);
  const versions = z.union([z.string(), z.array(z.string())]).parse(JSON.parse(stdout));
  const newest = [versions].flat().sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  return newest.at(-1) ?? String(major);
}
