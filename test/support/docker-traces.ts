import { access } from 'node:fs/promises';
import { connectEngine, hasHttpStatus } from '../../host/node/docker/engine.ts';
import { folderLabel, ownerLabel, parseOwner } from '../../host/node/docker/labels.ts';

/** The parts of a node's container outside itself. */
export interface ContainerTraces {
  readonly container: string;
  readonly folder: string;
  readonly volumes: readonly string[];
}

/** The containers that a process has started, the newest first. */
export async function containersOf(pid: number | undefined): Promise<ContainerTraces[]> {
  const engine = await connectEngine();
  const all = await engine.listContainers({ all: true, filters: { label: [ownerLabel] } });
  const own = all.filter(({ Labels }) => parseOwner(Labels[ownerLabel])?.pid === pid);
  return own
    .toSorted((a, b) => b.Created - a.Created)
    .map(({ Id, Labels, Mounts }) => ({
      container: Id,
      folder: Labels[folderLabel] ?? '',
      volumes: Mounts.flatMap(({ Type, Name }) => (Type === 'volume' && Name !== undefined ? [Name] : [])),
    }));
}

/** The parts that still exist. */
export async function whatIsLeft({ container, folder, volumes }: ContainerTraces): Promise<string[]> {
  const engine = await connectEngine();
  const looks: [what: string, look: Promise<unknown>][] = [
    [`container ${container}`, engine.getContainer(container).inspect()],
    [`folder ${folder}`, access(folder)],
    ...volumes.map((name): [string, Promise<unknown>] => [
      `volume ${name}`,
      engine.getVolume(name).inspect(),
    ]),
  ];
  const found = await Promise.all(looks.map(async ([what, look]) => ((await isThere(look)) ? [what] : [])));
  return found.flat();
}

async function isThere(look: Promise<unknown>): Promise<boolean> {
  try {
    await look;
    return true;
  } catch (error) {
    if (hasHttpStatus(error, 404) || (error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}
