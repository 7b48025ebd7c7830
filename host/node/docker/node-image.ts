import { cp, mkdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type Docker from 'dockerode';
import { PwpError } from '../../../bridge/lib/index.ts';
import {
  acquireLock,
  contentHash,
  openTemporaryFolder,
  packageFolder,
  type ProcessIdentity,
  pwpHome,
  scaleProgress,
} from '../../lib/index.ts';
import { ensureImage, findImage } from '../image/index.ts';
import type { Language } from '../sandbox-spec.ts';
import {
  type BaseImageOptions,
  computeLayersTag,
  ensureBase,
  ensureLayers,
  hasDockerImage,
} from './base-images.ts';
import {
  chooseLayerSource,
  connectEngine,
  type EngineMachine,
  type LayerSource,
  readEngineMachine,
} from './engine.ts';
import { buildImage, fetchLinuxModules, fetchLinuxRuntime } from './image-build.ts';

/** What a node's container is made of. */
export interface NodeParts {
  readonly tag: string;
  /** Folders of layers on this machine, mounted read only; none where the image has its own. */
  readonly layers: readonly string[];
  /** Extra languages in the sandboxes: they decide which of the layers make up one image. */
  readonly languages: readonly string[];
}

interface NodePartsOptions extends Omit<BaseImageOptions, 'machine'> {
  readonly languages: readonly Language[];
}

/**
 * Builds everything that sandboxes in Docker are made from and that is missing. Errors: those of `connectEngine` and
 * {@link ensureNodeParts}.
 * @param installPackages called first where layers are built on this machine, which needs the same as the local node
 */
export async function prepareDockerNode(
  options: NodePartsOptions,
  installPackages: () => Promise<void>,
): Promise<void> {
  const engine = await connectEngine();
  const source = await chooseLayerSource(await readEngineMachine(engine));
  if (source === 'bound' && (await findImage(undefined, options.languages)) === null) await installPackages();
  await ensureNodeParts(engine, options);
}

/** Builds what is missing of a node's parts. Errors: `unsupported`, `image-build-failed`, `disk-full`. */
export async function ensureNodeParts(
  engine: Docker,
  { languages, progress, signal }: NodePartsOptions,
): Promise<NodeParts> {
  const machine = await readEngineMachine(engine);
  const layers = await chooseLayerSource(machine);
  if (layers === 'complete' && languages.length > 0) {
    const what = `a complete node image has no extra languages (${languages.join(', ')})`;
    throw new PwpError('unsupported', what, {
      help: 'Use layers of this machine (PWP_NODE_IMAGE=bound) or the local node: both need Linux and root.',
    });
  }
  const bound = layers === 'bound' ? (await ensureImage({ progress, signal, languages })).layers : [];
  const tag = await ensureNodeImage(engine, { machine, layers, progress, signal });
  return { tag, layers: bound, languages };
}

interface NodeImageOptions extends BaseImageOptions {
  readonly layers: LayerSource;
}

/**
 * The node's image of this very source tree, built where it isn't there yet; two callers at once build it once.
 * Errors: `image-build-failed`, `disk-full`.
 */
export async function ensureNodeImage(engine: Docker, options: NodeImageOptions): Promise<string> {
  const tag = await computeNodeTag(options.machine, options.layers);
  if (await hasDockerImage(engine, tag)) return tag;
  const { progress, signal } = options;
  const onWait = (holder: ProcessIdentity | null) =>
    progress.stage(`Waiting for another build${holder ? ` (process ${holder.pid})` : ''}`);
  const lock = await acquireLock(join(pwpHome(), 'images/node.lock'), { signal, onWait });
  try {
    if (!(await hasDockerImage(engine, tag))) await buildNodeImage(engine, tag, options);
    return tag;
  } finally {
    await lock[Symbol.asyncDispose]();
    progress.done();
  }
}

/** The name of the image: of all that goes into it, the layers included where they do. */
export async function computeNodeTag(machine: EngineMachine, layers: LayerSource): Promise<string> {
  const below = layers === 'complete' ? await computeLayersTag(machine.arch) : 'bound';
  return `pwp-node:${(await computeNodeImageKey(machine.arch, below)).slice(0, 16)}`;
}

async function buildNodeImage(engine: Docker, tag: string, options: NodeImageOptions): Promise<void> {
  const { machine, layers, progress, signal } = options;
  const [first, last] = layers === 'complete' ? [0.9, 0.1] : [0.5, 0.5];
  const below = { machine, progress: scaleProgress(progress, 0, first), signal };
  const base = await (layers === 'complete'
    ? ensureLayers(engine, below)
    : ensureBase(engine, 'node', below));
  progress.stage('Building the node', first);
  await using context = await stageContext(machine.arch, signal);
  await buildImage(engine, {
    tag,
    name: "the node's image",
    context: context.folder,
    arguments: { BASE: base },
    progress: scaleProgress(progress, 1 - last, 1),
    signal,
  });
}

const distParts = ['node.js', 'checkpoint-worker.js', 'bridge.cjs', 'extension', 'extensions', 'languages'];

/**
 * Changes when any input of the node's image changes.
 * @param arch of the machine it is for
 * @param below what the image is built on, as far as these folders do not contain it
 */
async function computeNodeImageKey(arch: string, below: string): Promise<string> {
  const root = packageFolder();
  const sources = [
    join(root, 'images/node'),
    join(root, 'images/sandbox'),
    join(root, 'images/criu'),
    join(root, 'images/gallery'),
    ...distParts.map((name) => join(root, 'dist', name)),
  ];
  if (!isForeign(arch)) {
    const modules = findNativeModules(import.meta.url).map(({ from }) => join(from, 'package.json'));
    return contentHash([...sources, ...modules], [arch, below, process.version, 'node 2']);
  }
  return contentHash(sources, [arch, below, await sharpVersion(), 'node 3']);
}

/** The sharp that this machine has: only its version is fetched for another kind of machine. */
async function sharpVersion(): Promise<string> {
  const [sharp] = findNativeModules(import.meta.url);
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
  await copyInto(join(root, 'images/node'), folder);
  await copyInto(join(root, 'images/sandbox'), join(folder, 'images/sandbox'));
  await copyInto(join(root, 'images/gallery'), join(folder, 'images/gallery'));
  await copyInto(join(root, 'images/criu'), join(folder, 'criu'));
  await mkdir(join(folder, 'dist'));
  for (const name of distParts) await copyInto(join(root, 'dist', name), join(folder, 'dist', name));
}

/** This machine's own Node and native modules. */
async function copyPrograms(folder: string): Promise<void> {
  for (const { name, from } of findNativeModules(import.meta.url))
    await copyInto(from, join(folder, 'node_modules', name));
  await copyInto(process.execPath, join(folder, 'node'));
}

/** The same versions for the container's kind of machine, from the npm registry. */
async function fetchPrograms(folder: string, arch: string, signal: AbortSignal): Promise<void> {
  const root = packageFolder();
  await using temporary = await openTemporaryFolder('fetch');
  const scratch = temporary.path;
  await copyInto(join(root, 'images/sandbox/runtime'), join(scratch, 'runtime'));
  await fetchLinuxRuntime(join(scratch, 'runtime'), arch, signal);
  await copyInto(join(scratch, `runtime/node_modules/node-linux-${arch}/bin/node`), join(folder, 'node'));
  await fetchLinuxModules(join(scratch, 'modules'), { sharp: await sharpVersion() }, arch, signal);
  for (const { name, from } of findNativeModules(join(scratch, 'modules/package.json')))
    await copyInto(from, join(folder, 'node_modules', name));
}

function copyInto(from: string, to: string): Promise<void> {
  return cp(from, to, { recursive: true, dereference: true });
}

interface NativeModule {
  readonly name: string;
  readonly from: string;
}

/** The one module that can't be bundled, sharp, and all that it needs at run time, as `wantedBy` finds them. */
function findNativeModules(wantedBy: string): NativeModule[] {
  const found = new Map<string, NativeModule>();
  addModule('sharp', wantedBy, found);
  return [...found.values()];
}

function addModule(name: string, wantedBy: string, found: Map<string, NativeModule>): void {
  if (found.has(name)) return;
  const require = createRequire(wantedBy);
  const manifest = locateManifest(require, name);
  if (manifest === undefined) return;
  found.set(name, { name, from: dirname(manifest) });
  const { dependencies = {}, optionalDependencies = {} } = require(manifest) as PackageManifest;
  for (const next of Object.keys({ ...dependencies, ...optionalDependencies }))
    addModule(next, manifest, found);
}

interface PackageManifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** Undefined for what npm left out because it is for other machines. */
function locateManifest(require: NodeJS.Require, name: string): string | undefined {
  for (const folder of require.resolve.paths(name) ?? []) {
    try {
      return require.resolve(join(folder, name, 'package.json'));
    } catch {
      // Looked for further up.
    }
  }
  return undefined;
}
