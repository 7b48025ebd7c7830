import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import {
  toolError,
  type fileTools,
  type ToolInput,
  type ToolOutput,
} from '../../../../bridge/protocol/index.ts';
import type { ToolContext } from '../../../../bridge/rpc/index.ts';
import { ignoredFolders, pathText, place } from '../place/index.ts';

type List = typeof fileTools.listDir;
type Entry = ToolOutput<List>['entries'][number];

export async function listDir(input: ToolInput<List>, { signal }: ToolContext): Promise<ToolOutput<List>> {
  const where = await place(input.path);
  const walk = new Walk(input, signal);
  await walk.enter(where.path, 1);
  const { entries, passed } = walk;
  return {
    path: pathText(where.path),
    entries: entries.slice(0, input.limit),
    not_entered: passed.slice(0, 1000),
    truncated: entries.length > input.limit,
  };
}

/** Walks folders in the order of their paths until it has one entry more than requested. */
class Walk {
  readonly entries: Entry[] = [];
  readonly passed: string[] = [];
  readonly #input: ToolInput<List>;
  readonly #signal: AbortSignal;

  constructor(input: ToolInput<List>, signal: AbortSignal) {
    this.#input = input;
    this.#signal = signal;
  }

  async enter(folder: string, depth: number): Promise<void> {
    const names = (await namesIn(folder)).sort();
    for (const name of names) {
      this.#signal.throwIfAborted();
      if (this.entries.length > this.#input.limit) return;
      const path = join(folder, name);
      const entry = await describe(path);
      if (!entry) continue;
      this.entries.push(entry);
      if (entry.kind === 'folder' && this.#input.recursive) await this.#goInto(path, name, depth);
    }
  }

  async #goInto(path: string, name: string, depth: number): Promise<void> {
    const ignored = ignoredFolders.has(name) && !this.#input.include_ignored;
    if (ignored || depth >= this.#input.max_depth) this.passed.push(pathText(path));
    else await this.enter(path, depth + 1);
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT')
      throw toolError('not-found', `there is no folder ${pathText(folder)}`, { cause: error });
    if (code === 'ENOTDIR')
      throw toolError('not-a-folder', `${pathText(folder)} is a file`, { cause: error });
    throw error;
  }
}

/** Undefined for an entry that was removed meanwhile. */
async function describe(path: string): Promise<Entry | undefined> {
  const stats = await lstat(path).catch(() => undefined);
  if (!stats) return undefined;
  const kinds = [
    ['file', stats.isFile()],
    ['folder', stats.isDirectory()],
    ['link', stats.isSymbolicLink()],
  ] as const;
  const kind = kinds.find(([, is]) => is)?.[0] ?? 'other';
  return {
    path: pathText(path),
    kind,
    size: kind === 'folder' ? 0 : stats.size,
    modified: stats.mtime.toISOString(),
    executable: kind === 'file' && (stats.mode & 0o111) !== 0,
  };
}
