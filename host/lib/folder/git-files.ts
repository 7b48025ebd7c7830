import { execFile } from 'node:child_process';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Of all names together, in bytes. */
const mostText = 256 * 1024 * 1024;
/** What Git may take to go through a folder, in milliseconds. */
const longestMs = 120_000;

/**
 * Nothing that the repository names is run: it may be a stranger's. Git asks `core.fsmonitor`, a program, what has changed,
 * and a folder may be one of another owner, to whom Git would not look at all.
 */
const settings = ['-c', 'core.fsmonitor=false', '-c', 'core.quotePath=false'];

/** What Git keeps or would keep of a folder: what it tracks, ignored or not, and what nothing ignores. */
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
   * Undefined where the folder is in no repository, or in one that ignores it as a whole, and where Git is not there or
   * does not read it.
   */
  static async in(folder: string): Promise<GitFiles | undefined> {
    if (!(await isRepository(folder)) && (await git(folder, ['check-ignore', '-q', '.'])) !== undefined)
      return undefined;
    const listed = await git(folder, ['ls-files', '-z', '--cached', '--others', '--exclude-standard']);
    return listed === undefined ? undefined : new GitFiles(listed.split('\0').filter((path) => path !== ''));
  }

  /** Undefined for a folder that it lists nothing of: an empty one, or one that is ignored. */
  keeps(path: string, isFolder: boolean): boolean | undefined {
    if (!isFolder) return this.#files.has(path);
    return this.#files.has(path) || this.#folders.has(path) ? true : undefined;
  }
}

/** What Git answers; undefined if it fails. */
function git(folder: string, args: readonly string[]): Promise<string | undefined> {
  const env = { ...process.env, LC_ALL: 'C', GIT_OPTIONAL_LOCKS: '0' };
  for (const name of ['GIT_DIR', 'GIT_WORK_TREE', 'GIT_INDEX_FILE']) Reflect.deleteProperty(env, name);
  const options = { env, maxBuffer: mostText, timeout: longestMs, killSignal: 'SIGKILL' } as const;
  return run('git', ['-C', folder, ...settings, ...args], options).then(
    ({ stdout }) => stdout,
    () => undefined,
  );
}

/** Whether a folder is the top of a repository: also a submodule or a worktree, where `.git` is a file. */
export function isRepository(folder: string): Promise<boolean> {
  return lstat(join(folder, '.git')).then(
    () => true,
    () => false,
  );
}
