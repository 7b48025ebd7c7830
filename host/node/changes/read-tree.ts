import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { open, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Parser, type ReadEntry } from 'tar';
import { describeError, PwpError } from '../../../bridge/lib/index.ts';
import { clip } from '../../../bridge/text/index.ts';
import type { FileEntry, FolderTree, OmissionReason, OmittedPath, TreeEntry } from './folder-tree.ts';
import { isInGit, toSafePath } from './path-safety.ts';

/** Bounds of what is read from a sandbox. There may be {@link omittedFactor} times as much that is left out. */
export interface TreeBounds {
  readonly entries: number;
  /** All files together. */
  readonly bytes: number;
}

/** Builds and packages leave more than an agent writes, and their files are only skipped. */
const omittedFactor = 10;
/** Length of all paths together, in UTF-16 code units. */
const maxPathText = 64 * 1024 * 1024;

export const defaultTreeBounds: TreeBounds = { entries: 200_000, bytes: 8 * 1024 ** 3 };

interface ReadTreeOptions {
  /** Where content is kept, by its hash: see {@link keptContentPath}. */
  readonly keepIn?: string;
  /** Whether the content of a file is kept. Default: of every one. */
  readonly isKept?: (path: string, entry: FileEntry) => boolean;
  /** Bytes of the largest file whose content may be kept. Default: any. */
  readonly largestKept?: number | undefined;
  /** Whether a path is passed over, and what is below it. */
  readonly isIgnored?: (path: string, isFolder: boolean) => boolean;
  /** Take what is in `.git` folders, too: all of it, or the paths that are chosen. Default false. */
  readonly git?: boolean | ((path: string) => boolean);
  readonly bounds?: TreeBounds;
}

/** Files up to this size are read in one piece, in bytes. */
const smallBytes = 1024 * 1024;
/** Omitted paths that are named, and how much of each, in UTF-16 code units. */
const maxOmitted = 10_000;
const maxOmittedPath = 1000;

/** The file that has the content with a hash. */
export function keptContentPath(folder: string, hash: string): string {
  return join(folder, hash);
}

/**
 * Reads an archive that may come from inside a sandbox, where names, kinds, links and sizes are the agent's choice.
 * None of its names becomes a path of this machine. Errors: `too-large`, `bad-seed` for anything else.
 */
export async function readArchiveTree(
  tar: AsyncIterable<Uint8Array>,
  options: ReadTreeOptions = {},
): Promise<FolderTree> {
  const reader = new TreeReader(options);
  const parser = new Parser({ strict: true, onReadEntry: (entry) => reader.take(entry) });
  const failed = new Promise<never>((_, reject) => parser.on('error', reject));
  const ended = new Promise<void>((resolve) => parser.on('end', resolve));
  failed.catch(() => undefined);
  try {
    for await (const chunk of tar) {
      if (!parser.write(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)))
        await Promise.race([once(parser, 'drain'), failed, reader.failed]);
      reader.check();
    }
    parser.end();
    await Promise.race([failed, reader.failed, ended]);
    return await reader.tree();
  } catch (cause) {
    if (cause instanceof PwpError) throw cause;
    throw new PwpError('bad-seed', `the archive can't be read: ${describeError(cause)}`, { cause });
  }
}

class TreeReader {
  readonly #entries = new Map<string, TreeEntry>();
  readonly #omitted: OmittedPath[] = [];
  readonly #omittedPaths = new Set<string>();
  readonly #options: ReadTreeOptions;
  readonly #bounds: TreeBounds;
  #isFolder = false;
  readonly #taken = { entries: 0, bytes: 0 };
  readonly #passed = { entries: 0, bytes: 0 };
  #pathText = 0;
  #work: Promise<void> = Promise.resolve();
  #failure: { readonly error: unknown } | undefined;
  #fail: (error: unknown) => void = () => undefined;
  /** Never resolves. */
  readonly failed: Promise<never>;

  constructor(options: ReadTreeOptions) {
    this.#options = options;
    this.#bounds = options.bounds ?? defaultTreeBounds;
    this.failed = new Promise((_, reject) => (this.#fail = reject));
    this.failed.catch(() => undefined);
  }

  /** The archive's entries come one after another; each is read before the next. */
  take(entry: ReadEntry): void {
    this.#work = this.#work
      .then(() => this.#read(entry))
      .catch((error: unknown) => {
        this.#failure ??= { error };
        this.#fail(error);
        entry.resume();
      });
  }

  check(): void {
    if (this.#failure) throw this.#failure.error;
  }

  async tree(): Promise<FolderTree> {
    await this.#work;
    this.check();
    return { isFolder: this.#isFolder, entries: this.#entries, omitted: this.#omitted };
  }

  async #read(entry: ReadEntry): Promise<void> {
    const path = toSafePath(entry.path);
    if (path === '') {
      this.#isFolder = true;
      return void entry.resume();
    }
    const why = path === null ? 'name' : this.#whyOmitted(path, entry);
    this.#countOne(entry, why !== undefined);
    if (path === null || why !== undefined) return this.#omit(entry, why ?? 'name');
    if (entry.type === 'Directory') this.#entries.set(path, { kind: 'folder' });
    else if (entry.type === 'SymbolicLink')
      this.#entries.set(path, { kind: 'link', target: entry.linkpath ?? '' });
    else return this.#readFile(path, entry);
    entry.resume();
  }

  #countOne({ path, size }: ReadEntry, omitted: boolean): void {
    const [sum, times] = omitted ? [this.#passed, omittedFactor] : [this.#taken, 1];
    const [entries, bytes] = [this.#bounds.entries * times, this.#bounds.bytes * times];
    sum.entries += 1;
    sum.bytes += size;
    if (!omitted) this.#pathText += path.length;
    if (sum.entries > entries) throw new PwpError('too-large', `there are more than ${entries} files`);
    if (sum.bytes > bytes)
      throw new PwpError('too-large', `${quotePath(path)}: all files up to it exceed ${bytes} bytes`);
    if (this.#pathText > maxPathText)
      throw new PwpError(
        'too-large',
        `${quotePath(path)}: all paths up to it exceed ${maxPathText} characters`,
      );
  }

  #whyOmitted(path: string, { type }: ReadEntry): OmissionReason | undefined {
    const { git = false } = this.#options;
    if (isInGit(path) && !(typeof git === 'boolean' ? git : git(path))) return 'git';
    if (this.#isIgnored(path, type === 'Directory')) return 'ignored';
    if (!['File', 'OldFile', 'ContiguousFile', 'Directory', 'SymbolicLink'].includes(type)) return 'special';
    return this.#hasFolder(path) ? undefined : 'name';
  }

  /** The files below an ignored folder, as well as the folder: it is not among the entries. */
  #isIgnored(path: string, isFolder: boolean): boolean {
    const { isIgnored } = this.#options;
    if (!isIgnored) return false;
    const names = path.split('/');
    return names.some((_, i) => {
      const last = i === names.length - 1;
      return isIgnored(names.slice(0, i + 1).join('/'), last ? isFolder : true);
    });
  }

  /** Every path is new, and in a folder that came before it: never below a link. */
  #hasFolder(path: string): boolean {
    const slash = path.lastIndexOf('/');
    const folder = this.#entries.get(path.slice(0, Math.max(0, slash)));
    return !this.#entries.has(path) && (slash < 0 || folder?.kind === 'folder');
  }

  /** A folder is named for all that is in it. */
  #omit(entry: ReadEntry, why: OmissionReason): void {
    const whole = entry.path.replace(/^\.\//, '').replace(/\/$/, '');
    const path = clip(whole, maxOmittedPath);
    const names = path.split('/');
    const isBelow = names.some((_, i) => i > 0 && this.#omittedPaths.has(names.slice(0, i).join('/')));
    if (!isBelow && this.#omitted.length < maxOmitted) {
      this.#omitted.push({ path, why });
      this.#omittedPaths.add(path);
    }
    entry.resume();
  }

  async #readFile(path: string, entry: ReadEntry): Promise<void> {
    const executable = ((entry.mode ?? 0) & 0o111) !== 0;
    const about = { kind: 'file', executable, bytes: entry.size } as const;
    const { isKept, largestKept = Infinity } = this.#options;
    const keepIn = entry.size > largestKept ? undefined : this.#options.keepIn;
    const keeps = (hash: string) => keepIn !== undefined && (isKept?.(path, { ...about, hash }) ?? true);
    const hash = await (entry.size <= smallBytes || keepIn === undefined
      ? readSmall(entry, keepIn, keeps)
      : readLarge(entry, keepIn, keeps));
    this.#entries.set(path, { ...about, hash });
  }
}

function quotePath(path: string): string {
  return JSON.stringify(path.length > 200 ? `${clip(path, 200)}…` : path);
}

type KeepsContent = (hash: string) => boolean;

/** Only hashed where nothing is kept. */
async function readSmall(entry: ReadEntry, keepIn: string | undefined, keeps: KeepsContent): Promise<string> {
  const sum = createHash('sha256');
  const chunks: Buffer[] = [];
  for await (const chunk of entry) {
    sum.update(chunk);
    if (keepIn !== undefined) chunks.push(chunk);
  }
  const hash = sum.digest('hex');
  if (keepIn !== undefined && keeps(hash))
    await writeFile(keptContentPath(keepIn, hash), Buffer.concat(chunks));
  return hash;
}

async function readLarge(entry: ReadEntry, keepIn: string, keeps: KeepsContent): Promise<string> {
  const sum = createHash('sha256');
  const part = join(keepIn, randomUUID());
  try {
    await using file = await open(part, 'wx', 0o600);
    for await (const chunk of entry) {
      sum.update(chunk);
      await file.writeFile(chunk);
    }
    const hash = sum.digest('hex');
    if (keeps(hash)) await rename(part, keptContentPath(keepIn, hash));
    return hash;
  } finally {
    await rm(part, { force: true });
  }
}
