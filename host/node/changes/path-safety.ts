import { lstat, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { TreeEntry } from './folder-tree.ts';

/** Folders nested deeper are more than programs can walk. */
const maxDepth = 100;
const maxNameBytes = 255;
/** Bytes of a path, as Linux bounds it: what an agent nests by one folder at a time may be longer. */
const maxPathBytes = 4096;
/** Characters that some file systems pass over in names. */
const invisibleCharacters = /[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g;
/** Names that lead elsewhere, or are not allowed, on Windows. */
const badOnWindows = /[\\:*?"<>|\u0000-\u001f]|[. ]$/;

/**
 * A path of an archive from a sandbox as it may be used below a folder of this machine; empty for the folder itself; null
 * for one that is absolute, has `..`, is not valid UTF-8 or is too long.
 */
export function toSafePath(path: string, platform: NodeJS.Platform = process.platform): string | null {
  if (Buffer.byteLength(path) > maxPathBytes) return null;
  if (path.startsWith('/') || path.includes('\0') || path.includes('\ufffd')) return null;
  const names = path.split('/').filter((name) => name !== '' && name !== '.');
  if (names.length > maxDepth || names.includes('..')) return null;
  if (names.some((name) => Buffer.byteLength(name) > maxNameBytes)) return null;
  if (platform === 'win32' && names.some((name) => badOnWindows.test(name))) return null;
  return names.join('/');
}

/** Whether a path is in a `.git` folder, however a file system spells that: Git runs programs that are named there. */
export function isInGit(path: string): boolean {
  return path.split('/').some((name) => {
    const plain = name
      .replaceAll(invisibleCharacters, '')
      .toLowerCase()
      .replace(/[. ]+$/, '');
    return plain === '.git' || plain === 'git~1';
  });
}

/** Whether the target of a link is not a path that begins at the link, on any system. */
export function isAbsoluteTarget(target: string): boolean {
  return target === '' || target.startsWith('/') || /^[a-z]:|\\/i.test(target);
}

/** The future state of paths below a folder: an entry, or null for a path that will be gone. */
export type FutureEntries = ReadonlyMap<string, TreeEntry | null>;

/** The target of the link at a path of a folder; null for anything else, and for nothing. */
type ReadLinkTarget = (path: string) => Promise<string | null> | string | null;

/** Link targets in a folder of this machine. */
export function readTargetsFromDisk(folder: string): ReadLinkTarget {
  return async (path) => {
    const at = join(folder, path);
    const info = await lstat(at).catch(() => null);
    return info?.isSymbolicLink() === true ? await readlink(at) : null;
  };
}

/** Link targets in a folder as it was read. */
export function readTargetsFromTree(entries: ReadonlyMap<string, TreeEntry>): ReadLinkTarget {
  return (path) => {
    const entry = entries.get(path);
    return entry?.kind === 'link' ? entry.target : null;
  };
}

interface LinkWalk {
  readonly leadsOut: boolean;
  /** The links that it passes, itself included, by their paths. */
  readonly links: readonly string[];
}

/** The kernel follows at most this many links on one way: a way with more leads nowhere. */
const maxLinks = 40;

/**
 * The new links that would lead out of the folder, or make an existing link lead out. Each way is followed as it will
 * be with all of them in place: the text of a link alone says nothing where another one is on its way.
 * @param now what the folder is now
 * @param there other links of the folder, by their paths
 */
export async function findEscapingLinks(
  now: ReadLinkTarget,
  coming: FutureEntries,
  there: Iterable<string> = [],
): Promise<ReadonlySet<string>> {
  const out = new Set<string>();
  const others = [...there].filter((path) => !coming.has(path));
  const before = new Set<string>();
  for (const path of others) if ((await followLinks(now, new Map(), path)).leadsOut) before.add(path);
  // A link that is left out leaves the existing file in place, which another link may pass.
  for (let known = -1; known < out.size;) {
    known = out.size;
    const left = addCaseFolded(new Map([...coming].filter(([path]) => !out.has(path))));
    for (const [path, entry] of coming)
      if (!out.has(path) && entry?.kind === 'link' && (await followLinks(now, left, path)).leadsOut)
        out.add(path);
    for (const path of others) {
      if (before.has(path)) continue;
      const way = await followLinks(now, left, path);
      if (way.leadsOut) for (const link of way.links) if (coming.has(link)) out.add(link);
    }
  }
  return out;
}

/** With each link also under the name by which a file system that tells no upper case from lower would find it. */
function addCaseFolded(coming: FutureEntries): FutureEntries {
  const links = [...coming].filter(([, entry]) => entry?.kind === 'link');
  return new Map([...links.map(([path, entry]) => [foldedKey(path), entry] as const), ...coming]);
}

/** Not a path: it has a character that no path may have. */
function foldedKey(path: string): string {
  return `\0${path.normalize('NFC').toLowerCase()}`;
}

async function followLinks(now: ReadLinkTarget, coming: FutureEntries, path: string): Promise<LinkWalk> {
  const links: string[] = [];
  const at: string[] = [];
  const ahead = path.split('/');
  for (let name = ahead.shift(); name !== undefined; name = ahead.shift()) {
    if (name === '' || name === '.') continue;
    if (name === '..') {
      if (at.pop() === undefined) return { leadsOut: true, links };
      continue;
    }
    at.push(name);
    const target = await readFutureTarget(now, coming, at.join('/'));
    if (target === null) continue;
    links.push(at.join('/'));
    if (isAbsoluteTarget(target)) return { leadsOut: true, links };
    if (links.length > maxLinks) return { leadsOut: false, links };
    at.pop();
    ahead.unshift(...target.split('/'));
  }
  return { leadsOut: false, links };
}

/** The target of what will be a link; null for anything else, and for nothing. */
async function readFutureTarget(
  now: ReadLinkTarget,
  coming: FutureEntries,
  path: string,
): Promise<string | null> {
  const entry = coming.get(path);
  if (entry !== undefined) return entry?.kind === 'link' ? entry.target : null;
  const alike = coming.get(foldedKey(path));
  if (alike?.kind === 'link') return alike.target;
  return await now(path);
}
