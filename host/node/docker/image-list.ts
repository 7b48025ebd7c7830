import type Docker from 'dockerode';
import * as z from 'zod';
import { computeBaseTag, computeLayersTag } from './base-images.ts';
import { hasHttpStatus, readEngineMachine } from './engine.ts';
import { nodeLabel } from './labels.ts';
import { computeNodeTag } from './node-image.ts';

const diskUseSchema = z.object({ LayersSize: z.number() });

const repositories = ['pwp-node', 'pwp-node-layers', 'pwp-node-base'];

/** An image of the node in an engine, or what such an image is built on. */
export interface NodeImageUse {
  /** `node`; `node-layers`, with the sandbox's lower layer in it; `node-base`, Debian made here; `rest` of a build. */
  readonly kind: 'node' | 'node-layers' | 'node-base' | 'rest';
  /** Its tag; of a rest its id. */
  readonly name: string;
  readonly key: string;
  /** With all that it shares with other images. */
  readonly bytes: number;
  /** ISO 8601. */
  readonly builtAt: string;
  /** This very source tree makes and uses it. */
  readonly current: boolean;
  /** A container is made from it. */
  readonly used: boolean;
}

export async function listNodeImages(engine: Docker): Promise<NodeImageUse[]> {
  const [current, used, tagged, rests] = await Promise.all([
    computeCurrentTags(engine),
    listUsedIds(engine),
    engine.listImages({ filters: { reference: repositories } }),
    engine.listImages({ filters: { dangling: ['true'], label: [`${nodeLabel}=image`] } }),
  ]);
  return [
    ...tagged.flatMap((image) =>
      (image.RepoTags ?? []).filter(isNodeTag).map((tag) => {
        const [kind = '', key = ''] = tag.split(':');
        return {
          kind: classifyImage(kind),
          name: tag,
          key,
          current: current.has(tag),
          ...describeImage(image, used),
        };
      }),
    ),
    ...rests.map((image) => {
      const key = image.Id.replace('sha256:', '');
      return { kind: 'rest' as const, name: image.Id, key, current: false, ...describeImage(image, used) };
    }),
  ];
}

/** Removes the images that neither this source tree nor any container uses, and says what that freed. */
export async function pruneNodeImages(
  engine: Docker,
): Promise<{ removed: NodeImageUse[]; freedBytes: number }> {
  const removed: NodeImageUse[] = [];
  const doomed = findUnneededImages(await listNodeImages(engine));
  if (doomed.length === 0) return { removed, freedBytes: 0 };
  const before = await readLayersBytes(engine);
  for (const image of doomed) if (await removeImage(engine, image.name)) removed.push(image);
  return { removed, freedBytes: Math.max(0, before - (await readLayersBytes(engine))) };
}

/** Disk space of the layers of all images, each counted once. */
async function readLayersBytes(engine: Docker): Promise<number> {
  const { LayersSize } = diskUseSchema.parse(await engine.df());
  return LayersSize;
}

/** The images that may be removed: nodes before their bases, so that their space is freed. */
export function findUnneededImages(images: readonly NodeImageUse[]): NodeImageUse[] {
  const order = ['node', 'rest', 'node-layers', 'node-base'];
  return images
    .filter(({ current, used }) => !current && !used)
    .sort((one, other) => order.indexOf(one.kind) - order.indexOf(other.kind));
}

/** Folders of this machine that containers of nodes have mounted: layers in them are in use. */
export async function listBoundFolders(engine: Docker): Promise<string[]> {
  const filters = { label: [`${nodeLabel}=container`] };
  const containers = await engine.listContainers({ all: true, filters });
  return containers.flatMap(({ Mounts }) =>
    Mounts.filter(({ Type }) => Type === 'bind').map(({ Source }) => Source),
  );
}

/** False where another image or container now needs it, or another process has removed it. */
async function removeImage(engine: Docker, name: string): Promise<boolean> {
  try {
    await engine.getImage(name).remove();
    return true;
  } catch (error) {
    if (hasHttpStatus(error, 404, 409)) return false;
    throw error;
  }
}

async function computeCurrentTags(engine: Docker): Promise<Set<string>> {
  const machine = await readEngineMachine(engine);
  const tags = [
    computeNodeTag(machine, 'bound'),
    computeNodeTag(machine, 'complete'),
    computeLayersTag(machine.arch),
    computeBaseTag('node', machine.arch),
    computeBaseTag('sandbox', machine.arch),
  ];
  return new Set(await Promise.all(tags));
}

async function listUsedIds(engine: Docker): Promise<Set<string>> {
  return new Set((await engine.listContainers({ all: true })).map(({ ImageID }) => ImageID));
}

function isNodeTag(tag: string): boolean {
  return repositories.some((name) => tag.startsWith(`${name}:`));
}

function classifyImage(repository: string): NodeImageUse['kind'] {
  return repository === 'pwp-node-layers'
    ? 'node-layers'
    : repository === 'pwp-node-base'
      ? 'node-base'
      : 'node';
}

function describeImage(image: Docker.ImageInfo, used: ReadonlySet<string>) {
  const builtAt = new Date(image.Created * 1000).toISOString();
  return { bytes: image.Size, builtAt, used: used.has(image.Id) };
}
