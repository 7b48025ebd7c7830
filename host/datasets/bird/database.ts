import { readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { PwpError } from '../../../bridge/lib/index.ts';
import type { Entry } from '../../tasks/index.ts';
import { readData } from '../place.ts';

const folders = ['dev_databases', 'databases', 'MINIDEV/dev_databases', '.'];
const descriptions = 'database_description';

/** The file of a database, in any of the places in which it is published; undefined if it is in none. */
export async function findDatabase(folder: string, name: string): Promise<string | undefined> {
  for (const place of folders) {
    const file = join(folder, place, name, `${name}.sqlite`);
    if (await stat(file).catch(() => undefined)) return file;
  }
  return undefined;
}

/** A database that is not where it is looked for. */
export function noDatabase(questions: string, name: string): PwpError {
  return new PwpError('no-data', `BIRD: the database ${name}.sqlite is missing beside ${questions}`, {
    help: 'pwp datasets fetch-help bird',
  });
}

/** The files that describe the tables of a database, for its folder inside. */
export async function descriptionEntries(database: string): Promise<Entry[]> {
  const about = join(dirname(database), descriptions);
  const names = (await readdir(about).catch(() => [])).filter((one) => one.endsWith('.csv')).sort();
  return Promise.all(
    names.map(async (name) => ({
      kind: 'file',
      path: `${descriptions}/${name}`,
      content: await readData(join(about, name)),
      executable: false,
    })),
  );
}
