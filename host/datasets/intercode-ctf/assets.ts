import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { listForeign } from '../../lib/index.ts';
import type { Entry } from '../../tasks/index.ts';
import { dataRoot, readData } from '../place.ts';

/** The folder in which the owners describe how a challenge is solved. */
const solution = 'solution';
/** Files by which the owners tell their own program what to leave out. */
const left = new Set([solution, '.ignore', '.gitignore', '.DS_Store']);

/** The files of a challenge that an agent gets; none if it has no folder. */
export async function assetsOf(folder: string): Promise<Entry[]> {
  const files = await filesIn(folder);
  return Promise.all(
    files.map(async (path): Promise<Entry> => {
      const full = join(folder, path);
      const [content, { mode }] = await Promise.all([readData(full), stat(full)]);
      return { kind: 'file', path, content, executable: (mode & 0o100) !== 0 };
    }),
  );
}

/** The missing thing without which a challenge can't be played; undefined if nothing is missing. */
export async function missingAsset(
  folder: string,
  { setup }: { readonly setup?: string | undefined },
): Promise<string | undefined> {
  const hasFolder = await stat(folder).then(
    (info) => info.isDirectory(),
    () => false,
  );
  if (!hasFolder) return `${folder} is missing: the owners have a folder for each challenge`;
  // A challenge without files, and without a command that fetches some, is all in its question, or on a server.
  if (setup === undefined || (await filesIn(folder)).length > 0) return undefined;
  return `${folder} holds no file; its record has: ${setup}`;
}

async function filesIn(folder: string): Promise<string[]> {
  const listed = await listForeign(dataRoot(folder), folder).catch(() => []);
  return listed
    .filter(({ kind }) => kind === 'file')
    .map(({ path }) => path)
    .filter((path) => !path.split('/').some((part) => left.has(part)))
    .sort();
}
