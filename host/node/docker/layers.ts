import { randomBytes } from 'node:crypto';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import type Docker from 'dockerode';
import { contentHash, openTemporaryFolder, packageFolder, partOf, type Progress } from '../../lib/index.ts';
import { baseInputs, baseLayer, npmRegistry, provideCertificates } from '../local/index.ts';
import { ensureBase, isThere } from './base.ts';
import { buildImage } from './build.ts';
import { hasStatus } from './engine.ts';
import type { Machine } from './machine.ts';
import { fetchRuntime } from './runtime.ts';

/** Where the layers are in a node's image: a cache folder like `PWP_HOME`. */
const layersHome = '/opt/pwp/layers';

export interface LayersOptions {
  readonly machine: Machine;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/** The name of the image that holds the sandbox's lower layer. */
export async function layersTag(arch: string): Promise<string> {
  const { key } = await baseLayer(arch);
  const dockerfile = join(packageFolder(), 'images/sandbox/Dockerfile');
  return `pwp-node-layers:${(await contentHash([dockerfile], [key, layersHome])).slice(0, 16)}`;
}

/**
 * Debian with the sandbox's lower layer in it, which a node's image is built on: minutes to build, and changed seldom.
 * Errors: `image-build-failed`, `disk-full`.
 */
export async function ensureLayers(engine: Docker, options: LayersOptions): Promise<string> {
  const { machine, progress, signal } = options;
  const tag = await layersTag(machine.arch);
  if (await isThere(engine, tag)) return tag;
  const base = await ensureBase(engine, 'sandbox', { ...options, progress: partOf(progress, 0, 0.1) });
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
      REGISTRY: await npmRegistry(),
      ROOTFS: `${layersHome}/${(await baseLayer(machine.arch)).rootfs}`,
    },
    progress: partOf(progress, 0.1, 1),
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
  await provideCertificates(join(folder, 'ca.crt'));
  await fetchRuntime(join(folder, 'runtime'), arch, signal);
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
        if (!hasStatus(error, 404, 409)) throw error;
      });
  }
}
