import { PwpError } from '../../bridge/lib/index.ts';
import { openTemporaryFolder } from '../lib/index.ts';
import { kindOf, type ChangeKind } from './compare.ts';
import type { FileEntry, Omitted } from './entry.ts';
import { findChanges, keptContent, type ArchiveOf } from './find.ts';
import { patchOf, type Patch } from './patch.ts';
import type { TreeBounds } from './read-tree.ts';

/** The differences of two states of a folder. */
export interface ReadChanges extends Patch {
  /** In the order of paths. */
  readonly files: readonly { readonly path: string; readonly change: ChangeKind }[];
  /** Links among them that lead out of the folder: the patch makes them as they are. */
  readonly leadOut: readonly string[];
  /** Paths that were not looked at. */
  readonly omitted: readonly Omitted[];
}

export interface ReadChangesOptions {
  readonly bounds: TreeBounds;
  /** Files of the start that are not in its archive, by path. */
  readonly known: ReadonlyMap<string, FileEntry>;
}

/** Caches that programs keep. */
const caches = '__pycache__/\n*.pyc\n.pytest_cache/\n.mypy_cache/\n.ruff_cache/\nnode_modules/.cache/';
/** Bytes that are compared line by line, in files of up to 1 MiB each. Further files are named only. */
const comparedBytes = 64 * 1024 * 1024;

/**
 * Compares two archives. What `.gitignore` and `.pwpignore` of the first name is left out, and so are caches that it does
 * not have. Errors: `too-large`, `bad-seed`, `no-such-folder`.
 * @param before may be read twice
 * @param after of a folder, as a sandbox packs it
 */
export async function readChanges(
  before: ArchiveOf,
  after: ArchiveOf,
  options: ReadChangesOptions,
): Promise<ReadChanges> {
  await using folder = await openTemporaryFolder('changes');
  const contents = folder.path;
  const find = { ...options, contents, ignored: false, alsoIgnored: caches, keptBytes: comparedBytes };
  const { changes, leadOut, inside } = await findChanges(before, after, find);
  if (!inside.isFolder) throw new PwpError('no-such-folder', 'what is in its place is not a folder');
  const patch = await patchOf(changes, (file) => keptContent(contents, file));
  const files = changes.map((change) => ({ path: change.path, change: kindOf(change) }));
  return { ...patch, files, leadOut, omitted: inside.omitted };
}
