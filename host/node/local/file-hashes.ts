import { createHash } from 'node:crypto';
import {
  type BigIntStats,
  closeSync,
  constants,
  lstatSync,
  opendirSync,
  openSync,
  readlinkSync,
} from 'node:fs';
import { PwpError } from '../../../bridge/lib/index.ts';
import { openInside } from '../container/index.ts';
import type { HashOptions } from '../node.ts';

const { O_DIRECTORY, O_NOFOLLOW, O_RDONLY } = constants;

/** Folders nested deeper are passed over. */
const deepestHashed = 100;
/**
 * A file that has changed this shortly before it is read, in milliseconds, may change again without another time: the
 * kernel's clock for files ticks every few. It is read again the next time.
 */
const tickMs = 50;
const megabyte = 1024 ** 2;

/** Facts about a path, without its content. */
interface FoundPath {
  readonly kind: 'file' | 'folder' | 'link';
  readonly executable: boolean;
  readonly bytes: number;
  /** The target of a link. */
  readonly target: string;
  /** Changes as soon as anything is written there: no program inside can set the kernel's time of a change. */
  readonly stamp: string;
  readonly changedMs: number;
}

/** Hashes of the files in a sandbox, read from outside. A file is read again only when it has changed. */
export class FileHashes {
  readonly #known = new Map<string, { readonly stamp: string; readonly hash: string }>();

  /**
   * Everything in a folder at one moment. Undefined if something changed while it was read; not where all is frozen.
   * Errors: `no-such-file`, `unsafe-path`, `too-large`.
   * @param root the sandbox's root on this machine
   * @param path absolute, inside the sandbox
   */
  async read(
    root: string,
    path: string,
    options: HashOptions & { readonly isFrozen: boolean; readonly signal: AbortSignal },
  ): Promise<ReadonlyMap<string, string> | undefined> {
    const before = await listFolder(root, path, options);
    const texts = new Map<string, string>();
    for (const [name, found] of before) {
      options.signal.throwIfAborted();
      const text = await this.#textOf(root, `${path}/${name}`, found);
      if (text === undefined) return undefined;
      texts.set(name, text);
    }
    if (options.isFrozen || isUnchanged(before, await listFolder(root, path, options))) return texts;
    return undefined;
  }

  /** After a restore, other files may have the same times. */
  forget(): void {
    this.#known.clear();
  }

  async #textOf(root: string, path: string, found: FoundPath): Promise<string | undefined> {
    if (found.kind === 'folder') return 'folder';
    if (found.kind === 'link') return `->${found.target}`;
    const known = this.#known.get(path);
    const hash = known?.stamp === found.stamp ? known.hash : await this.#hash(root, path, found);
    return hash && `${found.executable ? 'x' : ''}${hash}`;
  }

  async #hash(
    root: string,
    path: string,
    { stamp, bytes, changedMs }: FoundPath,
  ): Promise<string | undefined> {
    const isSettled = Date.now() - changedMs > tickMs;
    await using file = await openInside(root, path).catch(() => null);
    if (!file || formatFileStamp(await file.stat({ bigint: true })) !== stamp) return undefined;
    const sum = createHash('sha256');
    const buffer = Buffer.alloc(Math.min(bytes, megabyte) + 1);
    for (let left = bytes; left > 0;) {
      const { bytesRead } = await file.read(buffer, 0, buffer.length);
      if (bytesRead === 0) return undefined;
      sum.update(buffer.subarray(0, bytesRead));
      left -= bytesRead;
    }
    const hash = sum.digest('hex');
    if (isSettled) this.#known.set(path, { stamp, hash });
    else this.#known.delete(path);
    return hash;
  }
}

function isUnchanged(before: ReadonlyMap<string, FoundPath>, after: ReadonlyMap<string, FoundPath>): boolean {
  if (before.size !== after.size) return false;
  return [...before].every(([path, { kind, target, stamp }]) => {
    const now = after.get(path);
    // A folder is only its name here: its contents are compared separately.
    return now?.kind === kind && (kind === 'folder' || (now.stamp === stamp && now.target === target));
  });
}

async function listFolder(
  root: string,
  path: string,
  options: HashOptions,
): Promise<ReadonlyMap<string, FoundPath>> {
  await using folder = await openInside(root, path);
  if (!(await folder?.stat())?.isDirectory() || !folder)
    throw new PwpError('no-such-file', `${path} is not a folder in the sandbox`);
  const found = new Map<string, FoundPath>();
  const { entries, bytes } = options;
  const bounds = { entries, bytes, names: entries * namesPerEntry };
  walkOpenFolder(folder.fd, '', 1, { except: new Set(options.except), bounds, found });
  return found;
}

/**
 * There may be this many times as many names as files: pipes, and names that are not text, are not files of a record.
 */
const namesPerEntry = 10;

interface WalkState {
  readonly except: ReadonlySet<string>;
  /** The remaining bounds. */
  readonly bounds: { entries: number; bytes: number; names: number };
  readonly found: Map<string, FoundPath>;
}

/**
 * Each name is looked up in its folder, which is held open: no link is followed, even if the tree changes meanwhile.
 */
function walkOpenFolder(folder: number, above: string, depth: number, state: WalkState): void {
  const at = `/proc/self/fd/${folder}`;
  using names = opendirSync(at);
  for (let next = names.readSync(); next; next = names.readSync()) {
    const { name } = next;
    state.bounds.names -= 1;
    if (state.bounds.names < 0) throw makeTooLargeError();
    // A name that is not valid text can't be in a record.
    if (state.except.has(name) || name.includes('\ufffd')) continue;
    const found = inspectPath(`${at}/${name}`);
    if (!found) continue;
    countDown(state.bounds, found);
    const path = `${above}${name}`;
    state.found.set(path, found);
    if (found.kind === 'folder' && depth < deepestHashed)
      walkBelow(`${at}/${name}`, `${path}/`, depth + 1, state);
  }
}

function walkBelow(at: string, above: string, depth: number, state: WalkState): void {
  const folder = ifThere(() => openSync(at, O_RDONLY | O_DIRECTORY | O_NOFOLLOW));
  if (folder === undefined) return;
  try {
    walkOpenFolder(folder, above, depth, state);
  } finally {
    closeSync(folder);
  }
}

/** Undefined for pipes, sockets, devices and files that are gone. */
function inspectPath(at: string): FoundPath | undefined {
  const info = ifThere(() => lstatSync(at, { bigint: true }));
  if (!info) return undefined;
  const kind = info.isFile() ? 'file' : info.isDirectory() ? 'folder' : info.isSymbolicLink() ? 'link' : null;
  const target = kind === 'link' ? ifThere(() => readlinkSync(at)) : '';
  if (kind === null || target === undefined) return undefined;
  return {
    kind,
    executable: (info.mode & 0o111n) !== 0n,
    bytes: kind === 'file' ? Number(info.size) : 0,
    target,
    stamp: formatFileStamp(info),
    changedMs: Number(info.ctimeMs),
  };
}

function formatFileStamp({ dev, ino, size, mode, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, mode, mtimeNs, ctimeNs].join(' ');
}

function countDown(bounds: { entries: number; bytes: number }, { bytes }: FoundPath): void {
  bounds.entries -= 1;
  bounds.bytes -= bytes;
  if (bounds.entries < 0 || bounds.bytes < 0) throw makeTooLargeError();
}

function makeTooLargeError(): PwpError {
  return new PwpError('too-large', 'the folder has more files, or larger ones, than are to be read');
}

/** It may have gone, or become something else, since it was listed: the second list finds that. */
function ifThere<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP' || code === 'EINVAL') return undefined;
    throw error;
  }
}
