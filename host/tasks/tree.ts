import { readFile, readdir, readlink, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { badTask } from './bad-task.ts';
import type { Entry } from './archive.ts';

/** A file `NAME.symlink` becomes a symbolic link to the target in its text: npm packages can't contain links. */
const linkSuffix = '.symlink';

/** Everything below a folder, as archive entries; nothing if the folder doesn't exist. */
export async function readTree(folder: string): Promise<Entry[]> {
  const children = await readdir(folder, { withFileTypes: true, recursive: true }).catch(noneIfMissing);
  return Promise.all(
    children.map(async (child): Promise<Entry> => {
      const full = join(child.parentPath, child.name);
      const path = relative(folder, full);
      if (child.isDirectory()) return { kind: 'folder', path };
      if (child.isSymbolicLink()) return { kind: 'link', path, target: await readlink(full) };
      if (path.endsWith(linkSuffix)) return await readLink(full, path);
      if (!child.isFile()) throw badTask(full, 'expected a file, a folder or a symbolic link');
      const [content, { mode }] = await Promise.all([readFile(full), stat(full)]);
      return { kind: 'file', path, content, executable: (mode & 0o100) !== 0 };
    }),
  );
}

async function readLink(file: string, path: string): Promise<Entry> {
  const target = (await readFile(file, 'utf8')).trim();
  return { kind: 'link', path: path.slice(0, -linkSuffix.length), target };
}

function noneIfMissing(error: NodeJS.ErrnoException): [] {
  if (error.code === 'ENOENT') return [];
  throw error;
}
