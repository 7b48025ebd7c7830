import { lstat, readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { lookOf } from '../../lib/index.ts';

/** Names that no other name looks like. */
const plain = /^[!-~]*$/;

/**
 * The path on disk that only looks like the given one: macOS writes `é` as two characters, and a screenshot has a narrow
 * space in its name. The given path if it exists, or unless exactly one name looks like it.
 * @param top an existing folder above it
 */
export async function asOnDisk(path: string, top: string): Promise<string> {
  const names = relative(top, path).split(sep);
  if (names.every((name) => plain.test(name)) || (await isThere(path))) return path;
  let at = top;
  for (const [i, name] of names.entries()) {
    const next = await inFolder(at, name);
    if (next === undefined) return join(at, ...names.slice(i));
    at = join(at, next);
  }
  return at;
}

async function inFolder(folder: string, name: string): Promise<string | undefined> {
  if (await isThere(join(folder, name))) return name;
  if (plain.test(name)) return undefined;
  const all = await readdir(folder).catch((): string[] => []);
  const [found, ...others] = all.filter((one) => lookOf(one) === lookOf(name));
  return others.length === 0 ? found : undefined;
}

function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
