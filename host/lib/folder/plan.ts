import type { Dirent, Stats } from 'node:fs';
import { lstat, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { PwpError, messageOf } from '../../../bridge/lib/index.ts';
import { Rules } from './rules.ts';
import { isSecret } from './secrets.ts';

/** `special`: a pipe, a socket or a device, which can't be copied. */
export type WhyLeftOut = 'ignored' | 'secret' | 'special';

export interface LeftOut {
  /** Below the folder; a folder's ends with a slash. */
  readonly path: string;
  readonly why: WhyLeftOut;
}

/** What a copy of a folder has. */
export interface FolderPlan {
  readonly folder: string;
  /** Paths below it, each folder before what is in it. */
  readonly paths: readonly string[];
  /** Of all files together. */
  readonly bytes: number;
  readonly leftOut: readonly LeftOut[];
}

export interface PlanOptions {
  /** Take what `.gitignore` and `.pwpignore` name. Default false. */
  readonly ignored?: boolean | undefined;
  /** Take what looks like a password or a key. Default false. */
  readonly secrets?: boolean | undefined;
}

/**
 * Looks at a folder before it is copied. Symbolic links are not followed.
 * Errors: `no-such-folder`; `bad-seed` for what can't be read, and for a name that is not UTF-8. They name the path.
 */
export async function planFolder(folder: string, options: PlanOptions = {}): Promise<FolderPlan> {
  await requireFolder(folder);
  const plan: Plan = { folder, paths: [], bytes: 0, leftOut: [], options };
  const none = Rules.none;
  const open = [{ path: '', rules: options.ignored ? none : await none.within(folder, '') }];
  for (let at = open.pop(); at; at = open.pop()) {
    const folders = await addEntries(plan, at.path, at.rules);
    for (const path of folders.reverse())
      open.push({ path, rules: options.ignored ? none : await at.rules.within(folder, path) });
  }
  return plan;
}

interface Plan extends FolderPlan {
  readonly paths: string[];
  bytes: number;
  readonly leftOut: LeftOut[];
  readonly options: PlanOptions;
}

/** Errors: `no-such-folder`. */
export async function requireFolder(folder: string): Promise<void> {
  const info = await stat(folder).catch((cause: unknown) => {
    throw new PwpError('no-such-folder', `${folder} can't be copied: ${messageOf(cause)}`, { cause });
  });
  if (!info.isDirectory()) throw new PwpError('no-such-folder', `${folder} is not a folder`);
}

/** Adds what is in a folder itself; returns the folders in it. */
async function addEntries(plan: Plan, path: string, rules: Rules): Promise<string[]> {
  const names = await namesIn(plan.folder, path);
  const infos = await Promise.all(names.map((name) => statOf(plan.folder, join(path, name))));
  const folders: string[] = [];
  for (const [i, name] of names.entries()) {
    const info = infos[i];
    if (!info) continue;
    const each = path === '' ? name : `${path}/${name}`;
    const why = await whyLeftOut(plan, each, info, rules);
    if (why !== undefined) {
      plan.leftOut.push({ path: info.isDirectory() ? `${each}/` : each, why });
      continue;
    }
    plan.paths.push(each);
    if (info.isDirectory()) folders.push(each);
    if (info.isFile()) plan.bytes += info.size;
  }
  return folders;
}

async function whyLeftOut(
  { folder, options }: Plan,
  path: string,
  info: Stats,
  rules: Rules,
): Promise<WhyLeftOut | undefined> {
  if (!info.isFile() && !info.isDirectory() && !info.isSymbolicLink()) return 'special';
  if (rules.ignores(path, info.isDirectory())) return 'ignored';
  if (options.secrets || !info.isFile()) return undefined;
  return (await tried(path, () => isSecret(path, join(folder, path)))) ? 'secret' : undefined;
}

/** In the order of their bytes. Errors: `bad-seed`. */
async function namesIn(folder: string, path: string): Promise<string[]> {
  const entries: Dirent<Buffer>[] = await tried(path || '.', () =>
    readdir(join(folder, path), { withFileTypes: true, encoding: 'buffer' }),
  );
  const names = entries.map(({ name }) => name).sort((a, b) => a.compare(b));
  return names.map((bytes) => {
    const name = bytes.toString('utf8');
    if (Buffer.from(name).equals(bytes)) return name;
    throw new PwpError('bad-seed', `the name of ${join(path, printable(bytes))} is not UTF-8`, {
      help: 'Rename it, or leave out its folder with a line in a .pwpignore file.',
    });
  });
}

/** Undefined for what is gone meanwhile. */
function statOf(folder: string, path: string): Promise<Stats | undefined> {
  return tried(path, () =>
    lstat(join(folder, path)).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    }),
  );
}

async function tried<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw new PwpError('bad-seed', `${path} can't be copied: ${messageOf(cause)}`, {
      help: 'Make it readable, or leave it out with a line in a .pwpignore file.',
      cause,
    });
  }
}

function printable(bytes: Buffer): string {
  return bytes
    .toString('latin1')
    .replaceAll(/[^ -~]/g, (each) => `\\x${each.charCodeAt(0).toString(16).padStart(2, '0')}`);
}
