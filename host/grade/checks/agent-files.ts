import { constants } from 'node:fs';
import { open, realpath, stat, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';

/** A file's bytes, or why they can't be read. */
export type Read =
  | { readonly kind: 'read'; readonly bytes: Buffer }
  | { readonly kind: 'missing'; readonly why: string }
  | { readonly kind: 'unreadable'; readonly why: string };

export type Found = 'file' | 'folder' | 'other' | 'missing';

/** The folders that were copied from the agent's sandbox: all that a check may read. */
const copied = ['/workspace', '/ide', '/root'] as const;

/**
 * The files that the agent left. All of them are made by the agent: a link may point at the tests, a file may be a pipe
 * that never ends or larger than memory. Reading them never throws and never leaves the copied folders.
 */
export class AgentFiles {
  readonly #root: string;

  /** @param root what replaces `/`: another folder in tests */
  constructor(root = '/') {
    this.#root = root;
  }

  /** The bytes of an ordinary file of at most `maxBytes`. */
  async read(path: string, maxBytes = 4 * 1024 * 1024): Promise<Read> {
    try {
      const real = await this.#resolve(path);
      if (real === undefined) return unreadable(path, 'leads out of the folders that are graded');
      // A pipe would block without O_NONBLOCK.
      await using file = await open(real, constants.O_RDONLY | constants.O_NONBLOCK);
      return await readBounded(file, path, maxBytes);
    } catch (error) {
      return unread(path, error);
    }
  }

  /** The kind of thing at a path; a link that leaves the copied folders is `other`. */
  async find(path: string): Promise<Found> {
    try {
      const real = await this.#resolve(path);
      if (real === undefined) return 'other';
      const info = await stat(real);
      return info.isFile() ? 'file' : info.isDirectory() ? 'folder' : 'other';
    } catch (error) {
      return isMissing(error) ? 'missing' : 'other';
    }
  }

  /** The path without links, or undefined if it is outside the copied folders. */
  async #resolve(path: string): Promise<string | undefined> {
    const [root, real] = await Promise.all([realpath(this.#root), realpath(join(this.#root, path))]);
    return copied.some((folder) => real.startsWith(`${join(root, folder)}/`)) ? real : undefined;
  }
}

async function readBounded(file: FileHandle, path: string, maxBytes: number): Promise<Read> {
  const info = await file.stat();
  if (info.isDirectory()) return unreadable(path, 'is a folder');
  if (!info.isFile()) return unreadable(path, 'is not an ordinary file');
  if (info.size > maxBytes)
    return unreadable(path, `has ${info.size} bytes, more than the ${maxBytes} that are read`);
  return { kind: 'read', bytes: await file.readFile() };
}

function unread(path: string, error: unknown): Read {
  if (isMissing(error)) return { kind: 'missing', why: `${path} does not exist` };
  return unreadable(path, `can't be read (${(error as NodeJS.ErrnoException).code ?? 'unknown error'})`);
}

function unreadable(path: string, problem: string): Read {
  return { kind: 'unreadable', why: `${path} ${problem}` };
}

function isMissing(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ENOTDIR';
}
