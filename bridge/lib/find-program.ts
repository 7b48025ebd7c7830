import { accessSync, constants, statSync } from 'node:fs';
import { join } from 'node:path';

/** Whether a path is a file that can be run. A pipe of that name is not: opening it would wait for a writer. */
export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/**
 * Finds a program on a PATH, of which only the absolute folders count.
 * @param names the first that is anywhere on it is taken
 */
export function findProgram(path: string | undefined, ...names: readonly string[]): string | undefined {
  const folders = (path ?? '').split(':').filter((folder) => folder.startsWith('/'));
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram);
}
