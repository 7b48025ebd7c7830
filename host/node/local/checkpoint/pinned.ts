import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { contentHash, packageFolder, pwpHome } from '../../../lib/index.ts';
import { run } from '../run.ts';

/** Where the image of a node has it. */
const inContainer = '/opt/pwp/criu';

/** Programs that set-up has unpacked: in the node's own cache folder first, then the user's, then the container's. */
export async function pinnedCriu(home: string): Promise<string[]> {
  const roots: string[] = [];
  for (const folder of new Set([join(home, 'criu'), join(pwpHome(), 'criu')]))
    roots.push(...(await unpackedIn(folder)));
  const inImage = await readdir(join(inContainer, 'bin')).catch(() => []);
  return [...roots, ...inImage.map(() => inContainer)].map((root) => join(root, 'bin/criu'));
}

/** The one that belongs to this very source tree first. */
async function unpackedIn(folder: string): Promise<string[]> {
  // In a container there are no sources to compare with.
  const key = await pinsKey().catch(() => null);
  const names = await readdir(folder).catch(() => []);
  const unpacked = names.filter((name) => /^[0-9a-f]{16}$/.test(name)).sort((a) => (a === key ? -1 : 1));
  return unpacked.map((name) => join(folder, name));
}

/** Whether the one that belongs to this very source tree exists. */
export async function isCriuFetched(home: string): Promise<boolean> {
  const there = await readdir(join(home, 'criu', await pinsKey())).catch(() => []);
  return there.length > 0;
}

/** Fetches and unpacks it, unless it exists. Rejects with the script's message. */
export async function fetchCriu(home: string, signal: AbortSignal): Promise<void> {
  if (await isCriuFetched(home)) return;
  const target = join(home, 'criu', await pinsKey());
  await mkdir(join(home, 'criu'), { recursive: true });
  try {
    await run(join(source(), 'fetch.sh'), [target], { signal });
  } catch (error) {
    await rm(target, { recursive: true, force: true });
    throw error;
  }
}

function source(): string {
  return join(packageFolder(), 'images/criu');
}

async function pinsKey(): Promise<string> {
  return (await contentHash([source()], ['criu 1'])).slice(0, 16);
}
