import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { contentHash, packageFolder } from '../../../lib/index.ts';
import { run } from '../run.ts';

/** Where the image of a node has it. */
const inContainer = '/opt/pwp/criu';

/** Programs that set-up has unpacked, the one that belongs to this very source tree first. */
export async function pinnedCriu(home: string): Promise<string[]> {
  const folder = join(home, 'criu');
  // In a container there are no sources to compare with.
  const key = await pinsKey().catch(() => null);
  const names = await readdir(folder).catch(() => []);
  const unpacked = names.filter((name) => /^[0-9a-f]{16}$/.test(name)).sort((a) => (a === key ? -1 : 1));
  const own = await readdir(join(inContainer, 'bin')).catch(() => []);
  return [...own.map(() => inContainer), ...unpacked.map((name) => join(folder, name))].map((root) =>
    join(root, 'bin/criu'),
  );
}

/** Fetches and unpacks it, unless it is there. Rejects with what the script said. */
export async function fetchCriu(home: string, signal: AbortSignal): Promise<void> {
  const target = join(home, 'criu', await pinsKey());
  const there = await readdir(target).catch(() => []);
  if (there.length > 0) return;
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
