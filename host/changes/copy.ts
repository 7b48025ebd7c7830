import { lstat, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { create } from 'tar';
import { PwpError } from '../../bridge/lib/index.ts';
import type { Entry, Omitted, Tree } from './entry.ts';
import { entryHere, makeFoldersHere, putHere } from './here.ts';
import { contentPath } from './read-tree.ts';
import { linksOut, targetsHere } from './links.ts';

export interface CopyResult {
  /** Files and links that were written. */
  readonly written: readonly string[];
  /** Links that lead out of what is copied. */
  readonly unsafe: readonly string[];
  readonly omitted: readonly Omitted[];
}

/**
 * Writes what was read from a sandbox: a folder's content into `to`; a file as `to`, or into it where that is a folder
 * or ends with a slash. Errors: `pull-conflict` for existing files unless `replace`, `unsafe-path`, `no-such-folder`.
 * @param single the name of the one file; undefined for a folder
 */
export async function writeTree(
  tree: Tree,
  contents: string,
  to: string,
  { single, replace }: { readonly single: string | undefined; readonly replace: boolean },
): Promise<CopyResult> {
  const place = await placeOf(to, single);
  const entries = [...tree.entries].map(([path, entry]) => [place.name ?? path, entry] as const);
  const out = await linksOut(targetsHere(place.folder), new Map(entries));
  const isUnsafe = ([path]: readonly [string, Entry]) => out.has(path);
  const safe = entries.filter((each) => !isUnsafe(each));
  if (!replace) await refuseThere(place.folder, safe);
  if (place.name === undefined) await makeFoldersHere(dirname(place.folder), basename(place.folder));
  for (const [path, entry] of safe) {
    if (entry.kind === 'folder') await makeFoldersHere(place.folder, path);
    else
      await putHere(
        place.folder,
        path,
        entry,
        entry.kind === 'file' ? contentPath(contents, entry.hash) : '',
      );
  }
  return {
    written: safe.filter(([, { kind }]) => kind !== 'folder').map(([path]) => join(place.folder, path)),
    unsafe: entries.filter(isUnsafe).map(([path]) => path),
    omitted: tree.omitted,
  };
}

/** The archive of one file under a name. Errors: `no-such-file`. */
export async function packFile(path: string, name: string): Promise<AsyncIterable<Uint8Array>> {
  const info = await lstat(path).catch(() => null);
  if (!info?.isFile()) throw new PwpError('no-such-file', `${path} is not a file`);
  const options = {
    cwd: dirname(path),
    portable: true,
    strict: true,
    onWriteEntry: (entry: { path: string }) => void (entry.path = name),
  };
  return create(options, [`./${basename(path)}`]);
}

/** The folder of this machine, which the user named and which may be a link, and the name in it of a single file. */
async function placeOf(
  to: string,
  single: string | undefined,
): Promise<{ readonly folder: string; readonly name?: string }> {
  const at = resolve(to);
  const isFolder = await stat(at).then(
    (info) => info.isDirectory(),
    () => false,
  );
  const parent = single !== undefined && (isFolder || to.endsWith('/')) ? at : dirname(at);
  if (!(await stat(parent).catch(() => null))?.isDirectory() && !(isFolder && single === undefined))
    throw new PwpError('no-such-folder', `${parent} is not a folder`);
  if (single === undefined) return { folder: at };
  return parent === at ? { folder: at, name: single } : { folder: parent, name: basename(at) };
}

async function refuseThere(folder: string, entries: readonly (readonly [string, Entry])[]): Promise<void> {
  for (const [path, { kind }] of entries) {
    const here = await entryHere(folder, path);
    if (here === null || (kind === 'folder' && here !== 'blocked' && here.kind === 'folder')) continue;
    throw new PwpError('pull-conflict', `${join(folder, path)} is there already`, {
      help: 'Nothing was written. --force replaces what is there.',
    });
  }
}
