import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { Rules } from '../lib/index.ts';
import { changesBetween, type Change } from './compare.ts';
import { isSame, type FileEntry, type Tree } from './entry.ts';
import { linksOut, targetsIn } from './links.ts';
import { contentPath, readTree, type TreeBounds } from './read-tree.ts';
import { isInGit } from './safe-path.ts';

/** Gives an archive to a reader, e.g. of a sandbox's workspace. */
export type ArchiveOf = <T>(read: (tar: AsyncIterable<Uint8Array>) => Promise<T>) => Promise<T>;

export interface FoundChanges {
  readonly changes: readonly Change[];
  /** Changed links that lead out of the folder, or make another one lead out: a patch contains them anyway. */
  readonly leadOut: readonly string[];
  /** Everything in the sandbox that is not ignored. */
  readonly inside: Tree;
}

export interface FindOptions {
  /** A folder of the caller's for the content of what has changed: {@link keptContent} reads it. */
  readonly contents: string;
  /**
   * Look at what `.gitignore`, `.git/info/exclude` and `.pwpignore` name, too. Those of the start count: the agent may
   * change them.
   */
  readonly ignored: boolean;
  /** Further paths, as lines of a `.gitignore`, to skip unless they were there at the start. Default: none. */
  readonly alsoIgnored?: string;
  /** Bounds for each of the two archives. Default: those of {@link readTree}. */
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
const textBytes = 1024 * 1024;
const ignoreFiles = new Set(['.gitignore', '.pwpignore']);
/** A list of what Git ignores that is in a repository's own folder, and the folders that it is in. */
const ownList = /(^|\/)\.git(\/info(\/exclude)?)?$/;

/**
 * The changes between two archives. The second one may come from inside a sandbox. Errors: `too-large`, `bad-seed`.
 * @param before may be read twice
 */
export async function findChanges(
  before: ArchiveOf,
  after: ArchiveOf,
  { contents, ignored, alsoIgnored = '', bounds, keptBytes, known = new Map() }: FindOptions,
): Promise<FoundChanges> {
  const largestKept = keptBytes === undefined ? undefined : textBytes;
  const options = { keepIn: contents, largestKept, ...(bounds && { bounds }) };
  const isRule = (path: string, { bytes }: FileEntry) =>
    !ignored && (ignoreFiles.has(basename(path)) || ownList.test(path)) && bytes <= textBytes;
  const git = (path: string) => ownList.test(path);
  const packed = await before((tar) => readTree(tar, { ...options, git, isKept: isRule }));
  const rules = await rulesOf(packed, contents, isRule, alsoIgnored);
  const compared = [...packed.entries].filter(([path]) => !isInGit(path));
  const start = { ...packed, entries: new Map([...compared, ...known]) };
  const [changedFit, newFit] = [roomFor(keptBytes), roomFor(keptBytes)];
  const inside = await after((tar) =>
    readTree(tar, {
      ...options,
      isKept: (path, entry) => {
        const former = start.entries.get(path) ?? null;
        return !isSame(former, entry) && (former === null ? newFit(entry) : changedFit(entry));
      },
      isIgnored: (path, isFolder) => !start.entries.has(path) && rules.ignores(path, isFolder),
    }),
  );
  const changes = changesBetween(start, inside);
  const changed = new Set(changes.map(({ path }) => path));
  const isKept = (path: string, { bytes }: FileEntry) => changed.has(path) && bytes <= textBytes;
  if (changed.size > 0) await before((tar) => readTree(tar, { ...options, isKept }));
  return { changes, leadOut: await leadingOut(start, changes), inside };
}

async function leadingOut({ entries }: Tree, changes: readonly Change[]): Promise<string[]> {
  const coming = new Map(changes.map(({ path, after }) => [path, after]));
  const links = [...entries].filter(([, { kind }]) => kind === 'link').map(([path]) => path);
  return [...(await linksOut(targetsIn(entries), coming, links))].sort();
}

/** The content of a file that has changed; null if it is too large to be compared line by line, or was not kept. */
export async function keptContent(contents: string, { hash, bytes }: FileEntry): Promise<Buffer | null> {
  if (bytes > textBytes) return null;
  return readFile(contentPath(contents, hash)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
}

/** Whether the next file fits; one that does takes its bytes. */
function roomFor(bytes = Infinity): (file: FileEntry) => boolean {
  let left = bytes;
  return (file) => {
    if (file.bytes > left) return false;
    left -= file.bytes;
    return true;
  };
}

async function rulesOf(
  tree: Tree,
  contents: string,
  isRule: (path: string, entry: FileEntry) => boolean,
  alsoIgnored: string,
): Promise<Rules> {
  const texts = new Map<string, string>([['.gitignore', '']]);
  for (const [path, entry] of tree.entries)
    if (entry.kind === 'file' && isRule(path, entry))
      texts.set(path, await readFile(contentPath(contents, entry.hash), 'utf8'));
  texts.set('.gitignore', `${alsoIgnored}\n${texts.get('.gitignore') ?? ''}`);
  return Rules.of(texts);
}
