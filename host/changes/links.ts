import { lstat, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Entry } from './entry.ts';
import { isElsewhere } from './safe-path.ts';

/** The future state of paths below a folder: an entry, or null for a path that will be gone. */
export type Coming = ReadonlyMap<string, Entry | null>;

/** The target of the link at a path of a folder; null for anything else, and for nothing. */
export type TargetAt = (path: string) => Promise<string | null> | string | null;

/** Link targets in a folder of this machine. */
export function targetsHere(folder: string): TargetAt {
  return async (path) => {
    const at = join(folder, path);
    const info = await lstat(at).catch(() => null);
    return info?.isSymbolicLink() === true ? await readlink(at) : null;
  };
}

/** Link targets in a folder as it was read. */
export function targetsIn(entries: ReadonlyMap<string, Entry>): TargetAt {
  return (path) => {
    const entry = entries.get(path);
    return entry?.kind === 'link' ? entry.target : null;
  };
}

interface Way {
  readonly leadsOut: boolean;
  /** The links that it passes, itself included, by their paths. */
  readonly links: readonly string[];
}

/** The kernel follows at most this many links on one way: a way with more leads nowhere. */
const mostLinks = 40;

/**
 * The new links that would lead out of the folder, or make an existing link lead out. Each way is followed as it will
 * be with all of them in place: the text of a link alone says nothing where another one is on its way.
 * @param now what the folder is now
 * @param there other links of the folder, by their paths
 */
export async function linksOut(
  now: TargetAt,
  coming: Coming,
  there: Iterable<string> = [],
): Promise<ReadonlySet<string>> {
  const out = new Set<string>();
  const others = [...there].filter((path) => !coming.has(path));
  const before = new Set<string>();
  for (const path of others) if ((await wayOf(now, new Map(), path)).leadsOut) before.add(path);
  // A link that is left out leaves the existing file in place, which another link may pass.
  for (let known = -1; known < out.size;) {
    known = out.size;
    const left = withFolded(new Map([...coming].filter(([path]) => !out.has(path))));
    for (const [path, entry] of coming)
      if (!out.has(path) && entry?.kind === 'link' && (await wayOf(now, left, path)).leadsOut) out.add(path);
    for (const path of others) {
      if (before.has(path)) continue;
      const way = await wayOf(now, left, path);
      if (way.leadsOut) for (const link of way.links) if (coming.has(link)) out.add(link);
    }
  }
  return out;
}

/** With each link also under the name by which a file system that tells no upper case from lower would find it. */
function withFolded(coming: Coming): Coming {
  const links = [...coming].filter(([, entry]) => entry?.kind === 'link');
  return new Map([...links.map(([path, entry]) => [foldedKey(path), entry] as const), ...coming]);
}

/** Not a path: it has a character that no path may have. */
function foldedKey(path: string): string {
  return `\0${path.normalize('NFC').toLowerCase()}`;
}

async function wayOf(now: TargetAt, coming: Coming, path: string): Promise<Way> {
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
    const target = await targetAt(now, coming, at.join('/'));
    if (target === null) continue;
    links.push(at.join('/'));
    if (isElsewhere(target)) return { leadsOut: true, links };
    if (links.length > mostLinks) return { leadsOut: false, links };
    at.pop();
    ahead.unshift(...target.split('/'));
  }
  return { leadsOut: false, links };
}

/** The target of what will be a link; null for anything else, and for nothing. */
async function targetAt(now: TargetAt, coming: Coming, path: string): Promise<string | null> {
  const entry = coming.get(path);
  if (entry !== undefined) return entry?.kind === 'link' ? entry.target : null;
  const alike = coming.get(foldedKey(path));
  if (alike?.kind === 'link') return alike.target;
  return await now(path);
}
