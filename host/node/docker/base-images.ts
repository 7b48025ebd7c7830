import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type Docker from 'dockerode';
import { execa } from 'execa';
import { describeError, PwpError, raceSignal } from '../../../bridge/lib/index.ts';
import {
  contentHash,
  openTemporaryFolder,
  packageFolder,
  type Progress,
  scaleProgress,
} from '../../lib/index.ts';
import { baseInputs, copyCertificates, locateBaseLayer, readNpmRegistry } from '../image/index.ts';
import { type EngineMachine, hasHttpStatus } from './engine.ts';
import { buildImage, fetchLinuxRuntime, followEngineWork, imageBuildError } from './image-build.ts';

const debianSuite = 'bookworm';
const publishedImage = `debian:${debianSuite}-slim`;

/** What is built on a base: the node, with packages that rarely change, or the sandbox, with its own script. */
type BaseImageUse = 'node' | 'sandbox';

export interface BaseImageOptions {
  readonly machine: EngineMachine;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/**
 * Debian to build on: an image that the engine has, else the registry's, else one made here of Debian's packages.
 * Errors: `no-base-image` if this machine can't make one, `image-build-failed`, `disk-full`.
 */
export async function ensureBase(
  engine: Docker,
  use: BaseImageUse,
  options: BaseImageOptions,
): Promise<string> {
  const { machine, progress, signal } = options;
  const made = await computeBaseTag(use, machine.arch);
  for (const image of [publishedImage, made]) if (await hasDockerImage(engine, image)) return image;
  progress.stage(`Fetching ${publishedImage}`, 0.02);
  try {
    await raceSignal(pullBase(engine), signal);
    return publishedImage;
  } catch (cause) {
    signal.throwIfAborted();
    if (machine.arch !== process.arch || process.platform !== 'linux') throw noBaseImageError(cause);
    progress.stage('Making a base of Debian packages: no registry answers', 0.05);
    await makeBase(engine, made, await listBasePackages(use), signal).catch((error: unknown) => {
      signal.throwIfAborted();
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw noBaseImageError(cause);
      const text = `can't fetch ${publishedImage} (${describeError(cause)}) nor make it: ${describeError(error)}`;
      throw imageBuildError(text, null, error);
    });
    return made;
  }
}

/** The name of a base that is made here. */
export async function computeBaseTag(use: BaseImageUse, arch: string): Promise<string> {
  const words = [debianSuite, arch, ...(await listBasePackages(use))];
  return `pwp-node-base:${(await contentHash([], words)).slice(0, 16)}`;
}

export async function hasDockerImage(engine: Docker, image: string): Promise<boolean> {
  return (await engine.listImages({ filters: { reference: [image] } })).length > 0;
}

function noBaseImageError(cause: unknown): PwpError {
  return new PwpError('no-base-image', `can't fetch ${publishedImage}: ${describeError(cause)}`, {
    help:
      `Fetch it yourself and try again: docker pull ${publishedImage}. Where no registry can be reached, a machine with ` +
      'Debian makes it of packages: apt-get install -y mmdebstrap.',
    cause,
  });
}

async function listBasePackages(use: BaseImageUse): Promise<string[]> {
  if (use === 'sandbox') return [];
  const list = await readFile(join(packageFolder(), 'images/node/packages.txt'), 'utf8');
  return list.trim().split(/\s+/);
}

async function pullBase(engine: Docker): Promise<void> {
  await followEngineWork(engine, await engine.pull(publishedImage));
}

async function makeBase(engine: Docker, tag: string, packages: string[], signal: AbortSignal): Promise<void> {
  await using folder = await openTemporaryFolder('base');
  const tar = join(folder.path, 'base.tar');
  const include = packages.length > 0 ? [`--include=${packages.join(',')}`] : [];
  const args = ['--variant=minbase', ...include, debianSuite, tar];
  await execa('mmdebstrap', args, { cancelSignal: signal, detached: true, stdin: 'ignore' });
  const [repo, version] = tag.split(':');
  const answer = await engine.importImage(createReadStream(tar), { repo, tag: version });
  await raceSignal(followEngineWork(engine, answer), signal);
}

/** Where the layers are in a node's image: a cache folder like `PWP_HOME`. */
const layersHome = '/opt/pwp/layers';

/** The name of the image that holds the sandbox's lower layer. */
export async function computeLayersTag(arch: string): Promise<string> {
  const { key } = await locateBaseLayer(arch);
  const dockerfile = join(packageFolder(), 'images/sandbox/Dockerfile');
  return `pwp-node-layers:${(await contentHash([dockerfile], [key, layersHome])).slice(0, 16)}`;
}

/**
 * Debian with the sandbox's lower layer in it, which a node's image is built on: minutes to build, and changed seldom.
 * Errors: `image-build-failed`, `disk-full`.
 */
export async function ensureLayers(engine: Docker, options: BaseImageOptions): Promise<string> {
  const { machine, progress, signal } = options;
  const tag = await computeLayersTag(machine.arch);
  if (await hasDockerImage(engine, tag)) return tag;
  const base = await ensureBase(engine, 'sandbox', { ...options, progress: scaleProgress(progress, 0, 0.1) });
  progress.stage('Fetching Node', 0.1);
  await using kit = await stageKit(machine.arch, signal);
  const build = randomBytes(8).toString('hex');
  await buildImage(engine, {
    tag,
    name: 'the sandbox layer',
    context: kit.folder,
    arguments: {
      BASE: base,
      BUILD: build,
      REGISTRY: await readNpmRegistry(),
      ROOTFS: `${layersHome}/${(await locateBaseLayer(machine.arch)).rootfs}`,
    },
    progress: scaleProgress(progress, 0.1, 1),
    signal,
  });
  await removeStage(engine, build);
  return tag;
}

/** A folder with what the provisioning script wants. Dispose to remove it. */
async function stageKit(
  arch: string,
  signal: AbortSignal,
): Promise<{ readonly folder: string } & AsyncDisposable> {
  const source = join(packageFolder(), 'images/sandbox');
  await using owned = new AsyncDisposableStack();
  const { path: folder } = owned.use(await openTemporaryFolder('kit'));
  for (const name of ['Dockerfile', ...baseInputs])
    await cp(join(source, name), join(folder, name), { recursive: true });
  await copyCertificates(join(folder, 'ca.crt'));
  await fetchLinuxRuntime(join(folder, 'runtime'), arch, signal);
  const moved = owned.move();
  return { folder, [Symbol.asyncDispose]: () => moved.disposeAsync() };
}

/** The stage in which the layer was made holds all of it a second time. */
async function removeStage(engine: Docker, build: string): Promise<void> {
  const filters = { dangling: ['true'], label: [`pwp.build=${build}`] };
  for (const { Id } of await engine.listImages({ filters })) {
    await engine
      .getImage(Id)
      .remove()
      .catch((error: unknown) => {
        // It stays if something else still needs it.
        if (!hasHttpStatus(error, 404, 409)) throw error;
      });
  }
}
