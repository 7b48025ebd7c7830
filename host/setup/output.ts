import { mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/**
 * Writes a file unless it has these bytes already, whole or not at all: a reader, e.g. another run, never meets half of
 * it. True if it was written.
 */
export async function writeChanged(path: string, bytes: Uint8Array): Promise<boolean> {
  const old = await readFile(path).catch(() => null);
  if (old?.equals(bytes)) return false;
  await mkdir(dirname(path), { recursive: true });
  const fresh = `${path}.${process.pid}.new`;
  await writeFile(fresh, bytes);
  await rename(fresh, path);
  return true;
}

/** Copies a file or folder over another one, touching only what differs. */
export async function copyChanged(from: string, to: string): Promise<void> {
  const entries = await readdir(from, { withFileTypes: true }).catch(() => null);
  if (!entries) {
    await writeChanged(to, await readFile(from));
    return;
  }
  for (const { name } of entries) await copyChanged(join(from, name), join(to, name));
  await keepOnly(
    to,
    entries.map(({ name }) => name),
  );
}

/** Removes what a folder holds beside these names. */
export async function keepOnly(folder: string, names: readonly string[]): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    if (!names.includes(name)) await rm(join(folder, name), { recursive: true, force: true });
  }
}
