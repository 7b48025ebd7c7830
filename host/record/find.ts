import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { PwpError } from '../../bridge/lib/index.ts';
import { proofsMark, recordFiles } from './files.ts';

/** A study's attempts are six folders deep; no link is followed. */
const deepest = 12;

/**
 * The folders of all records in a folder, itself included, by name; proofs of tasks only if the folder is theirs. Errors:
 * `no-record` without one.
 */
export async function findRecords(folder: string): Promise<string[]> {
  const found = await below(folder, deepest);
  if (found.length > 0) return found;
  throw new PwpError('no-record', `${folder} contains no record`, {
    help: `A record has a ${recordFiles.events}.`,
  });
}

async function below(folder: string, depth: number): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((cause: unknown) => {
    throw new PwpError('no-record', `can't read ${folder}`, { cause });
  });
  const has = (name: string) => entries.some((entry) => entry.isFile() && entry.name === name);
  if (has(recordFiles.events)) return [folder];
  if (depth === 0 || (depth < deepest && has(proofsMark))) return [];
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const all: string[] = [];
  for (const name of folders.toSorted()) all.push(...(await below(join(folder, name), depth - 1)));
  return all;
}
