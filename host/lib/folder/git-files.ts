import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { git } from './git.ts';

/** Files that Git keeps or would keep of a folder: those that it tracks, ignored or not, and those not ignored. */
export class GitFiles {
  readonly #files = new Set<string>();
  readonly #folders = new Set<string>();

  /** @param listed as Git lists them: below the folder; a repository in it ends with a slash */
  private constructor(listed: readonly string[]) {
    for (const path of listed) {
      const isFolder = path.endsWith('/');
      const plain = isFolder ? path.slice(0, -1) : path;
      this.#files.add(plain);
      if (isFolder) this.#folders.add(plain);
      for (let at = plain.lastIndexOf('/'); at > 0; at = plain.lastIndexOf('/', at - 1)) {
        const folder = plain.slice(0, at);
        if (this.#folders.has(folder)) break;
        this.#folders.add(folder);
      }
    }
  }

  /**
   * Undefined where the folder is not in a repository, or in one that ignores it as a whole, and where Git is missing
   * or does not read it.
   */
  static async in(folder: string): Promise<GitFiles | undefined> {
    if (!(await isRepository(folder)) && (await git(folder, ['check-ignore', '-q', '.'])) !== undefined)
      return undefined;
    const listed = await git(folder, ['ls-files', '-z', '--cached', '--others', '--exclude-standard']);
    return listed === undefined ? undefined : new GitFiles(listed.split('\0').filter((path) => path !== ''));
  }

  /** Undefined for a folder of which Git lists nothing: an empty one, or one that is ignored. */
  keeps(path: string, isFolder: boolean): boolean | undefined {
    if (!isFolder) return this.#files.has(path);
    return this.#files.has(path) || this.#folders.has(path) ? true : undefined;
  }
}

/** Whether a folder is the top of a repository: also a submodule or a worktree, where `.git` is a file. */
export function isRepository(folder: string): Promise<boolean> {
  return lstat(join(folder, '.git')).then(
    () => true,
    () => false,
  );
}
