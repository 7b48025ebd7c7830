import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type Docker from 'dockerode';
import { PwpError } from '../../../bridge/lib/index.ts';
import { pwpHome } from '../../lib/index.ts';
import type { AgentRoot } from '../agent-root.ts';
import { askEngine } from './engine.ts';
import { folderLabel, nodeLabel } from './labels.ts';

/** The images of this machine, of which a container mounts all, so that it sees those that are fetched later. */
function imagesFolder(): string {
  return join(pwpHome(), 'roots');
}

/** @param home the cache folder in the container */
export async function mountRoots(home: string): Promise<Docker.MountSettings> {
  await mkdir(imagesFolder(), { recursive: true });
  return { Type: 'bind', Source: imagesFolder(), Target: join(home, 'roots'), ReadOnly: true };
}

/** Where a container sees the images of this machine. Errors: `unsupported` if it does not. */
export async function locateRoots(container: Docker.Container, image: string): Promise<string> {
  const inspect = (abortSignal: AbortSignal) => container.inspect({ abortSignal });
  const { Mounts } = await askEngine("the mounts of a node's container", inspect);
  const mount = Mounts.find(({ Source }) => Source === imagesFolder());
  if (mount) return mount.Destination;
  throw new PwpError(
    'unsupported',
    `the node in Docker does not see this machine's images, and so not ${image}`,
    {
      help: 'It sees them where pwp runs as root on the Linux machine of the engine, with the PWP_HOME that the node was started with and without PWP_NODE_IMAGE=complete.',
    },
  );
}

/**
 * A root as a container sees it. The image stays until the container is gone: its folder on this machine says that it is
 * used.
 * @param inside where the container sees the images of this machine
 */
export async function lendRoot(root: AgentRoot, folder: string, inside: string): Promise<AgentRoot> {
  await mkdir(lentPath(folder), { recursive: true });
  await writeFile(join(lentPath(folder), root.digest), '');
  return { ...root, layers: root.layers.map((layer) => join(inside, relative(imagesFolder(), layer))) };
}

/** Digests of the images that were lent to containers which are still there. */
export async function listLentRoots(engine: Docker): Promise<string[]> {
  const containers = await engine.listContainers({
    all: true,
    filters: { label: [`${nodeLabel}=container`] },
  });
  const lists = containers.map(({ Labels }) => readdir(lentPath(Labels[folderLabel] ?? '')).catch(() => []));
  return (await Promise.all(lists)).flat();
}

function lentPath(folder: string): string {
  return join(folder, 'roots');
}
