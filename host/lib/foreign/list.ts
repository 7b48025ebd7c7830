import { readdir, readlink, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { PwpError } from '../../../bridge/lib/index.ts';
import { foreignPath } from './read.ts';

/** Something in a folder that another person made. */
export interface Listed {
  /** Below the folder that was listed, with `/` between its parts. */
  readonly path: string;
  /** Its path on this machine. */
  readonly at: string;
  /** `special`: a pipe, a socket or a device. */
  readonly kind: 'file' | 'folder' | 'link' | 'special';
}

/** Names in all folders together; folders in folders. */
const mostEntries = 500_000;
const mostDeep = 200;

export interface ListOptions {
  /** Folders in folders that are listed; deeper ones are named alone. Default: all. */
  readonly deepest?: number;
}

/**
 * Everything in a folder of a folder that another person made, sorted, each folder before what is in it. No link is
 * followed. Errors: `unsafe-path` where a link leads out; `too-large` for more than half a million entries; those of
 * the file system.
 * @param path below the folder, or an absolute one
 */
export async function listForeign(
  folder: string,
  path: string,
  { deepest = Infinity }: ListOptions = {},
): Promise<Listed[]> {
  const top = await foreignPath(folder, path);
  const found: Listed[] = [];
  const open: { readonly at: string; readonly path: string }[] = [{ at: top, path: '' }];
  for (let next = open.pop(); next; next = open.pop()) {
    const children = await readdir(next.at, { withFileTypes: true });
    const folders: typeof open = [];
    for (const child of children.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const listed = { at: join(next.at, child.name), path: next.path + child.name };
      found.push({ ...listed, kind: kindOf(child) });
      if (child.isDirectory()) folders.push({ at: listed.at, path: `${listed.path}/` });
    }
    const depth = next.path.split('/').length;
    if (found.length > mostEntries || depth > mostDeep)
      throw new PwpError('too-large', `${top} has more than ${mostEntries} entries, or is too deep`);
    if (depth < deepest) open.push(...folders.reverse());
  }
  return found;
}

/** The target of a link that was listed, as it is written there. */
export function targetOf({ at }: Listed): Promise<string> {
  return readlink(at);
}

interface Kinds {
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}

function kindOf(entry: Kinds): Listed['kind'] {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'folder';
  return entry.isSymbolicLink() ? 'link' : 'special';
}

/** Whether there is a folder that may be listed. */
export async function hasForeignFolder(folder: string, path: string): Promise<boolean> {
  try {
    return (await stat(await foreignPath(folder, path))).isDirectory();
  } catch {
    return false;
  }
}
