import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { PwpError } from '../../../bridge/lib/index.ts';
import type { Entry } from '../../tasks/index.ts';

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

const hashes = new Map<string, Promise<string>>();

/** SHA-256, made once in a process: hundreds of questions are about one database. */
export function databaseHash(file: string): Promise<string> {
  const known = hashes.get(file);
  if (known) return known;
  const made = hashOf(file);
  hashes.set(file, made);
  return made;
}

async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const part of createReadStream(file)) hash.update(part as Buffer);
  return hash.digest('hex');
}

/** The database and what describes its tables. Errors: `no-data`. */
export async function databaseEntries(
  questions: string,
  name: string,
  database: string | undefined,
): Promise<Entry[]> {
  if (database === undefined)
    throw new PwpError('no-data', `BIRD: the database ${name}.sqlite is missing beside ${questions}`, {
      help: 'pwp datasets fetch-help bird',
    });
  const file = { kind: 'file', executable: false } as const;
  const about = join(dirname(database), descriptions);
  const described = (await readdir(about).catch(() => [])).filter((one) => one.endsWith('.csv')).sort();
  return [
    { ...file, path: `${name}.sqlite`, content: await readFile(database) },
    ...(await Promise.all(
      described.map(async (one) => ({
        ...file,
        path: `${descriptions}/${one}`,
        content: await readFile(join(about, one)),
      })),
    )),
  ];
}
