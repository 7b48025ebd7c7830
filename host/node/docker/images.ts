import type Docker from 'dockerode';
import * as z from 'zod';
import { baseTag } from './base.ts';
import { hasStatus } from './engine.ts';
import { nodeTag } from './image.ts';
import { nodeLabel } from './labels.ts';
import { layersTag } from './layers.ts';
import { engineMachine } from './machine.ts';

const diskUse = z.object({ LayersSize: z.number() });

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
    currentTags(engine),
    usedIds(engine),
    engine.listImages({ filters: { reference: repositories } }),
    engine.listImages({ filters: { dangling: ['true'], label: [`${nodeLabel}=image`] } }),
  ]);
  return [
    ...tagged.flatMap((image) =>
      (image.RepoTags ?? []).filter(isOurs).map((tag) => {
        const [kind = '', key = ''] = tag.split(':');
        return { kind: kindOf(kind), name: tag, key, current: current.has(tag), ...rowOf(image, used) };
      }),
    ),
    ...rests.map((image) => {
      const key = image.Id.replace('sha256:', '');
      return { kind: 'rest' as const, name: image.Id, key, current: false, ...rowOf(image, used) };
    }),
  ];
}

/** Removes the images that neither this source tree nor any container uses, and says what that freed. */
export async function pruneNodeImages(
  engine: Docker,
): Promise<{ removed: NodeImageUse[]; freedBytes: number }> {
  const removed: NodeImageUse[] = [];
  const doomed = unneeded(await listNodeImages(engine));
  if (doomed.length === 0) return { removed, freedBytes: 0 };
  const before = await layersBytes(engine);
  for (const image of doomed) if (await removeImage(engine, image.name)) removed.push(image);
  return { removed, freedBytes: Math.max(0, before - (await layersBytes(engine))) };
}

/** Disk space of the layers of all images, each counted once. */
async function layersBytes(engine: Docker): Promise<number> {
  const { LayersSize } = diskUse.parse(await engine.df());
  return LayersSize;
}

/** The images that may be removed: nodes before their bases, so that their space is freed. */
export function unneeded(images: readonly NodeImageUse[]): NodeImageUse[] {
  const order = ['node', 'rest', 'node-layers', 'node-base'];
  return images
    .filter(({ current, used }) => !current && !used)
    .sort((one, other) => order.indexOf(one.kind) - order.indexOf(other.kind));
}

/** Folders of this machine that containers of nodes have mounted: layers in them are in use. */
export async function boundFolders(engine: Docker): Promise<string[]> {
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
    if (hasStatus(error, 404, 409)) return false;
    throw error;
  }
}

async function currentTags(engine: Docker): Promise<Set<string>> {
  const machine = await engineMachine(engine);
  const tags = [
    nodeTag(machine, 'bound'),
    nodeTag(machine, 'complete'),
    layersTag(machine.arch),
    baseTag('node', machine.arch),
    baseTag('sandbox', machine.arch),
  ];
  return new Set(await Promise.all(tags));
}

async function usedIds(engine: Docker): Promise<Set<string>> {
  return new Set((await engine.listContainers({ all: true })).map(({ ImageID }) => ImageID));
}

function isOurs(tag: string): boolean {
  return repositories.some((name) => tag.startsWith(`${name}:`));
}

function kindOf(repository: string): NodeImageUse['kind'] {
  return repository === 'pwp-node-layers'
    ? 'node-layers'
    : repository === 'pwp-node-base'
      ? 'node-base'
      : 'node';
}

function rowOf(image: Docker.ImageInfo, used: ReadonlySet<string>) {
  const builtAt = new Date(image.Created * 1000).toISOString();
  return { bytes: image.Size, builtAt, used: used.has(image.Id) };
}
