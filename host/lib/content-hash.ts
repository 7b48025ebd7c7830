import { createHash, type Hash } from 'node:crypto';
import { lstat, readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * One hash over the content of files and folders, as hexadecimal digits. Names within a folder, bytes, whether a file
 * is executable and where links point count; times, owners and the place of the roots themselves don't.
 * @param roots files or folders; their order counts
 * @param extra further words that belong to the key, e.g. a format version
 */
export async function contentHash(roots: readonly string[], extra: readonly string[] = []): Promise<string> {
  const hash = createHash('sha256');
  for (const word of extra) addField(hash, 'word', word);
  for (const root of roots) await addEntry(hash, root, '');
  return hash.digest('hex');
}

async function addEntry(hash: Hash, path: string, name: string): Promise<void> {
  const info = await lstat(path);
  addField(hash, 'name', name);
  if (info.isDirectory()) {
    const children = (await readdir(path)).sort();
    addField(hash, 'folder', String(children.length));
    for (const child of children) await addEntry(hash, join(path, child), child);
  } else if (info.isSymbolicLink()) {
    addField(hash, 'link', await readlink(path));
  } else {
    addField(hash, info.mode & 0o100 ? 'program' : 'file', await readFile(path));
  }
}

/** Tagged and with its length, so that no two different trees give the same stream of bytes. */
function addField(hash: Hash, tag: string, value: string | Uint8Array): void {
  const bytes = typeof value === 'string' ? Buffer.from(value) : value;
  hash.update(`${tag} ${bytes.byteLength}\n`);
  hash.update(bytes);
}
