import { stat } from 'node:fs/promises';
import { join } from 'node:path';

/** The first of these folders below a path that exists; else the path itself. */
export async function firstFolder(path: string, names: readonly string[]): Promise<string> {
  for (const name of names) {
    const folder = join(path, name);
    const info = await stat(folder).catch(() => undefined);
    if (info?.isDirectory()) return folder;
  }
  return path;
}
