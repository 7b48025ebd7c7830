import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { DatasetAbout } from './contract.ts';
import { noData } from './errors.ts';

/**
 * Finds a file or folder of a dataset: the path itself, if it names one of these, or the first of them that lies below it.
 * @param names paths relative to the folder, the usual one first, e.g. `['HumanEval.jsonl.gz', 'HumanEval.jsonl']`
 * @returns its absolute path. Errors: `no-data`.
 */
export async function findData(about: DatasetAbout, path: string, names: readonly string[]): Promise<string> {
  const absolute = resolve(path);
  const info = await stat(absolute).catch(() => undefined);
  if (!info) throw noData(about, absolute);
  if (info.isFile()) return absolute;
  for (const name of names) if (await exists(join(absolute, name))) return join(absolute, name);
  throw noData(about, names.map((name) => join(absolute, name)).join(' or '));
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
