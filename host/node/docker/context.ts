import { cp, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PwpError } from '../../../bridge/lib/index.ts';
import { contentHash, openTemporaryFolder, packageFolder } from '../../lib/index.ts';
import { nativeModules } from './modules.ts';
import { fetchModules, fetchRuntime } from './runtime.ts';

const dist = ['node.js', 'checkpoint-worker.js', 'bridge.cjs', 'extension', 'extensions', 'languages'];

/**
 * Changes when any input of the node's image changes.
 * @param arch of the machine it is for
 * @param below what the image is built on, as far as these folders do not contain it
 */
export async function imageKey(arch: string, below: string): Promise<string> {
  const root = packageFolder();
  const sources = [
    join(root, 'images/node'),
    join(root, 'images/sandbox'),
    join(root, 'images/criu'),
    join(root, 'images/gallery'),
    ...dist.map((name) => join(root, 'dist', name)),
  ];
  if (!isForeign(arch)) {
    const modules = nativeModules(import.meta.url).map(({ from }) => join(from, 'package.json'));
    return contentHash([...sources, ...modules], [arch, below, process.version, 'node 2']);
  }
  return contentHash(sources, [arch, below, await sharpVersion(), 'node 3']);
}

/** The sharp that this machine has: only its version is fetched for another kind of machine. */
async function sharpVersion(): Promise<string> {
  const [sharp] = nativeModules(import.meta.url);
  if (!sharp) throw new PwpError('image-build-failed', "npm's package sharp is not there");
  const manifest = await readFile(join(sharp.from, 'package.json'), 'utf8');
  return (JSON.parse(manifest) as { readonly version: string }).version;
}

/** A folder with all that the Dockerfile copies. Dispose to remove it. */
export async function stageContext(
  arch: string,
  signal: AbortSignal,
): Promise<{ readonly folder: string } & AsyncDisposable> {
  await using owned = new AsyncDisposableStack();
  const { path: folder } = owned.use(await openTemporaryFolder('build'));
  await copySources(folder);
  if (isForeign(arch)) await fetchPrograms(folder, arch, signal);
  else await copyPrograms(folder);
  const moved = owned.move();
  return { folder, [Symbol.asyncDispose]: () => moved.disposeAsync() };
}

/** Whether this machine's Node and native modules can't run in the container. */
function isForeign(arch: string): boolean {
  return process.platform !== 'linux' || arch !== process.arch || !isGlibc();
}

function isGlibc(): boolean {
  const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } };
  return header.glibcVersionRuntime !== undefined;
}

async function copySources(folder: string): Promise<void> {
  const root = packageFolder();
  await copy(join(root, 'images/node'), folder);
  await copy(join(root, 'images/sandbox'), join(folder, 'images/sandbox'));
  await copy(join(root, 'images/gallery'), join(folder, 'images/gallery'));
  await copy(join(root, 'images/criu'), join(folder, 'criu'));
  await mkdir(join(folder, 'dist'));
  for (const name of dist) await copy(join(root, 'dist', name), join(folder, 'dist', name));
}

/** This machine's own Node and native modules. */
async function copyPrograms(folder: string): Promise<void> {
  for (const { name, from } of nativeModules(import.meta.url))
    await copy(from, join(folder, 'node_modules', name));
  await copy(process.execPath, join(folder, 'node'));
}

/** The same versions for the container's kind of machine, from the npm registry. */
async function fetchPrograms(folder: string, arch: string, signal: AbortSignal): Promise<void> {
  const root = packageFolder();
  await using temporary = await openTemporaryFolder('fetch');
  const scratch = temporary.path;
  await copy(join(root, 'images/sandbox/runtime'), join(scratch, 'runtime'));
  await fetchRuntime(join(scratch, 'runtime'), arch, signal);
  await copy(join(scratch, `runtime/node_modules/node-linux-${arch}/bin/node`), join(folder, 'node'));
  await fetchModules(join(scratch, 'modules'), { sharp: await sharpVersion() }, arch, signal);
  for (const { name, from } of nativeModules(join(scratch, 'modules/package.json')))
    await copy(from, join(folder, 'node_modules', name));
}

function copy(from: string, to: string): Promise<void> {
  return cp(from, to, { recursive: true, dereference: true });
}
