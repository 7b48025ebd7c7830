import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { listForeign } from '../../lib/index.ts';
import type { Entry } from '../../tasks/index.ts';
import { dataRoot, readData } from '../place.ts';

/** Files that the agent must not get: answers that some copies of the data hold, and litter. */
const leftOut = /(?:^|\/)(?:answers?|solutions?|sol)\b[^/]*$|(?:^|\/)(?:\.DS_Store|~\$[^/]*)$/i;

/** All files below a folder, by path; undefined if there is no such folder. */
export async function filesBelow(folder: string): Promise<Entry[] | undefined> {
  const listed = await listForeign(dataRoot(folder), folder).catch(() => undefined);
  if (!listed) return undefined;
  const files = listed.filter(({ kind, path }) => kind === 'file' && !leftOut.test(path));
  return Promise.all(
    files.map(async ({ path, at }): Promise<Entry> => ({
      kind: 'file',
      path,
      content: await readData(at),
      executable: false,
    })),
  );
}

/** The first of several places below a folder that exists. */
export async function firstOf(folder: string, names: readonly string[]): Promise<string | undefined> {
  for (const name of names) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => undefined);
    if (found) return path;
  }
  return undefined;
}

/** The text of a file that is small; undefined if it is not there. */
export async function textOf(file: string): Promise<string | undefined> {
  return readData(file).then(
    (bytes) => bytes.toString('utf8'),
    () => undefined,
  );
}

/**
 * Records whose files are not there, by their id.
 * @param find where a record's files are, if they are there
 * @param name its id, and what is missing then
 */
export async function lackingOf<T>(
  records: readonly T[],
  find: (record: T) => Promise<string | undefined>,
  name: (record: T) => readonly [id: string, what: string],
): Promise<ReadonlyMap<string, string>> {
  const found = await Promise.all(records.map(find));
  return new Map(records.filter((_, index) => found[index] === undefined).map(name));
}
