import { readFile, readdir, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { Entry } from '../../tasks/index.ts';

/** What must not be among the files that the agent gets: answers that some copies of the data hold, and litter. */
const leftOut = /(?:^|\/)(?:answers?|solutions?|sol)\b[^/]*$|(?:^|\/)(?:\.DS_Store|~\$[^/]*)$/i;

/** All files below a folder, by path; undefined if there is no such folder. */
export async function filesBelow(folder: string): Promise<Entry[] | undefined> {
  const children = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => undefined);
  if (!children) return undefined;
  const files = children
    .filter((child) => child.isFile())
    .map((child) => join(child.parentPath, child.name))
    .filter((file) => !leftOut.test(relative(folder, file)));
  return Promise.all(
    files.sort().map(async (file): Promise<Entry> => ({
      kind: 'file',
      path: relative(folder, file).replaceAll('\\', '/'),
      content: await readFile(file),
      executable: false,
    })),
  );
}

/** The first of several places below a folder that is there. */
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
  return readFile(file, 'utf8').catch(() => undefined);
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
