import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { PwpError } from '../../../bridge/lib/index.ts';
import { IgnoreRules, openTemporaryFolder } from '../../lib/index.ts';
import {
  classifyChange,
  compareTrees,
  type FileEntry,
  type FolderTree,
  isSameEntry,
  type OmittedPath,
  type PathChange,
  type PathChangeKind,
} from './folder-tree.ts';
import { type Patch, renderPatch } from './patch.ts';
import { findEscapingLinks, isInGit, readTargetsFromTree } from './path-safety.ts';
import { keptContentPath, readArchiveTree, type TreeBounds } from './read-tree.ts';

/** The differences of two states of a folder. */
export interface FolderChanges extends Patch {
  /** In the order of paths. */
  readonly files: readonly { readonly path: string; readonly change: PathChangeKind }[];
  /** Links among them that lead out of the folder: the patch makes them as they are. */
  readonly leadOut: readonly string[];
  /** Paths that were not looked at. */
  readonly omitted: readonly OmittedPath[];
}

interface ReadChangesOptions {
  readonly bounds: TreeBounds;
  /** Files of the start that are not in its archive, by path. */
  readonly known: ReadonlyMap<string, FileEntry>;
}

/** Caches that programs keep. */
const cachePatterns = '__pycache__/\n*.pyc\n.pytest_cache/\n.mypy_cache/\n.ruff_cache/\nnode_modules/.cache/';
/** Bytes that are compared line by line, in files of up to 1 MiB each. Further files are named only. */
const comparedBytes = 64 * 1024 * 1024;

/**
 * Compares two archives. What `.gitignore` and `.pwpignore` of the first name is left out, and so are caches that it does
 * not have. Errors: `too-large`, `bad-seed`, `no-such-folder`.
 * @param before may be read twice
 * @param after of a folder, as a sandbox packs it
 */
export async function readChanges(
  before: ArchiveSource,
  after: ArchiveSource,
  options: ReadChangesOptions,
): Promise<FolderChanges> {
  await using folder = await openTemporaryFolder('changes');
  const contents = folder.path;
  const find = { ...options, contents, ignored: false, alsoIgnored: cachePatterns, keptBytes: comparedBytes };
  const { changes, leadOut, inside } = await findChanges(before, after, find);
  if (!inside.isFolder) throw new PwpError('no-such-folder', 'what is in its place is not a folder');
  const patch = await renderPatch(changes, (file) => readKeptContent(contents, file));
  const files = changes.map((change) => ({ path: change.path, change: classifyChange(change) }));
  return { ...patch, files, leadOut, omitted: inside.omitted };
}

/** Gives an archive to a reader, e.g. of a sandbox's workspace. */
type ArchiveSource = <T>(read: (tar: AsyncIterable<Uint8Array>) => Promise<T>) => Promise<T>;

export interface FoundChanges {
  readonly changes: readonly PathChange[];
  /** Changed links that lead out of the folder, or make another one lead out: a patch contains them anyway. */
  readonly leadOut: readonly string[];
  /** Everything in the sandbox that is not ignored. */
  readonly inside: FolderTree;
}

interface FindOptions {
  /** A folder of the caller's for the content of what has changed: {@link readKeptContent} reads it. */
  readonly contents: string;
  /**
   * Look at what `.gitignore`, `.git/info/exclude` and `.pwpignore` name, too. Those of the start count: the agent may
   * change them.
   */
  readonly ignored: boolean;
  /** Further paths, as lines of a `.gitignore`, to skip unless they were there at the start. Default: none. */
  readonly alsoIgnored?: string;
  /** Bounds for each of the two archives. Default: those of {@link readArchiveTree}. */
  readonly bounds?: TreeBounds;
  /**
   * Keep only files of up to 1 MiB, and this many bytes of files that the start has, and of others. Default: everything
   * that has changed.
   */
  readonly keptBytes?: number;
  /** Files of the start that are not in its archive, by path. */
  readonly known?: ReadonlyMap<string, FileEntry>;
}

/** Files up to this size are compared line by line, in bytes. */
const maxTextBytes = 1024 * 1024;
const ignoreFiles = new Set(['.gitignore', '.pwpignore']);
/** A list of what Git ignores that is in a repository's own folder, and the folders that it is in. */
const gitExcludeFile = /(^|\/)\.git(\/info(\/exclude)?)?$/;

/**
 * The changes between two archives. The second one may come from inside a sandbox. Errors: `too-large`, `bad-seed`.
 * @param before may be read twice
 */
export async function findChanges(
  before: ArchiveSource,
  after: ArchiveSource,
  { contents, ignored, alsoIgnored = '', bounds, keptBytes, known = new Map() }: FindOptions,
): Promise<FoundChanges> {
  const largestKept = keptBytes === undefined ? undefined : maxTextBytes;
  const options = { keepIn: contents, largestKept, ...(bounds && { bounds }) };
  const isRule = (path: string, { bytes }: FileEntry) =>
    !ignored && (ignoreFiles.has(basename(path)) || gitExcludeFile.test(path)) && bytes <= maxTextBytes;
  const git = (path: string) => gitExcludeFile.test(path);
  const packed = await before((tar) => readArchiveTree(tar, { ...options, git, isKept: isRule }));
  const rules = await readIgnoreRules(packed, contents, isRule, alsoIgnored);
  const compared = [...packed.entries].filter(([path]) => !isInGit(path));
  const start = { ...packed, entries: new Map([...compared, ...known]) };
  const [changedFit, newFit] = [createByteBudget(keptBytes), createByteBudget(keptBytes)];
  const inside = await after((tar) =>
    readArchiveTree(tar, {
      ...options,
      isKept: (path, entry) => {
        const former = start.entries.get(path) ?? null;
        return !isSameEntry(former, entry) && (former === null ? newFit(entry) : changedFit(entry));
      },
      isIgnored: (path, isFolder) => !start.entries.has(path) && rules.ignores(path, isFolder),
    }),
  );
  const changes = compareTrees(start, inside);
  const changed = new Set(changes.map(({ path }) => path));
  const isKept = (path: string, { bytes }: FileEntry) => changed.has(path) && bytes <= maxTextBytes;
  if (changed.size > 0) await before((tar) => readArchiveTree(tar, { ...options, isKept }));
  return { changes, leadOut: await findEscapingChanges(start, changes), inside };
}

async function findEscapingChanges(
  { entries }: FolderTree,
  changes: readonly PathChange[],
): Promise<string[]> {
  const coming = new Map(changes.map(({ path, after }) => [path, after]));
  const links = [...entries].filter(([, { kind }]) => kind === 'link').map(([path]) => path);
  return [...(await findEscapingLinks(readTargetsFromTree(entries), coming, links))].sort();
}

/** The content of a file that has changed; null if it is too large to be compared line by line, or was not kept. */
export async function readKeptContent(contents: string, { hash, bytes }: FileEntry): Promise<Buffer | null> {
  if (bytes > maxTextBytes) return null;
  return readFile(keptContentPath(contents, hash)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
}

/** Whether the next file fits; one that does takes its bytes. */
function createByteBudget(bytes = Infinity): (file: FileEntry) => boolean {
  let left = bytes;
  return (file) => {
    if (file.bytes > left) return false;
    left -= file.bytes;
    return true;
  };
}

async function readIgnoreRules(
  tree: FolderTree,
  contents: string,
  isRule: (path: string, entry: FileEntry) => boolean,
  alsoIgnored: string,
): Promise<IgnoreRules> {
  const texts = new Map<string, string>([['.gitignore', '']]);
  for (const [path, entry] of tree.entries)
    if (entry.kind === 'file' && isRule(path, entry))
      texts.set(path, await readFile(keptContentPath(contents, entry.hash), 'utf8'));
  texts.set('.gitignore', `${alsoIgnored}\n${texts.get('.gitignore') ?? ''}`);
  return IgnoreRules.of(texts);
}
