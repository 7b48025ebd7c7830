import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Entry } from '../../tasks/index.ts';
import { readData } from '../place.ts';

/** Where the agent finds the pictures of a problem, relative to its home. */
export const picturesFolder = 'pictures';

/**
 * The pictures of a problem's text that the user keeps at `pictures/<instance_id>/` below `--data`: the records have only
 * their addresses, which lead out of the sandbox.
 */
export async function picturesOf(data: string, id: string): Promise<Entry[]> {
  const folder = join(data, 'pictures', id);
  const names = await readdir(folder).catch(() => []);
  return Promise.all(
    names.sort().map(async (name): Promise<Entry> => ({
      kind: 'file',
      path: `${picturesFolder}/${name}`,
      content: await readData(join(folder, name)),
      executable: false,
    })),
  );
}
