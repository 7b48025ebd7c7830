import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '../../../bridge/lib/index.ts';
import { openTemporaryFolder, type TemporaryFolder } from '../../lib/index.ts';
import type { Entry } from '../../tasks/index.ts';
import { badData } from '../errors.ts';
import { readClone, type Clone } from './clone.ts';
import { git, gitText } from './git.ts';
import { gitFolder } from './git-folder.ts';
import { entriesOf, listTree } from './objects.ts';

/** The effect of a patch on a tree. */
export interface Change {
  /** Files as they are afterwards. */
  readonly written: readonly Entry[];
  readonly removed: readonly string[];
}

/**
 * A repository of the user's, only read: all that is made of it is written to a folder of its own, which is removed when
 * this is disposed of.
 */
export class Repository implements AsyncDisposable {
  readonly #temporary: TemporaryFolder;
  /** Where the user has it. */
  readonly path: string;
  readonly #clone: Clone | null;

  private constructor(temporary: TemporaryFolder, path: string, clone: Clone | null) {
    this.#temporary = temporary;
    this.path = path;
    this.#clone = clone;
  }

  /** @param path a clone of any form, or a bundle. Errors: `command-missing`, `command-failed`. */
  static async open(path: string): Promise<Repository> {
    const clone = isBundle(path) ? null : await readClone(path);
    const temporary = await openTemporaryFolder('repository');
    const folder = temporary.path;
    const repository = new Repository(temporary, path, clone);
    try {
      const format = `--object-format=${clone?.format ?? 'sha1'}`;
      await git(['init', '--quiet', '--bare', '--template=', format, folder], { repository: folder });
      // A bundle need not have a branch: it is unpacked as a whole.
      if (clone) await borrowObjects(folder, clone);
      else await git(['bundle', 'unbundle', path], { repository: folder });
      return repository;
    } catch (error) {
      await repository[Symbol.asyncDispose]();
      throw error;
    }
  }

  get #folder(): string {
    return this.#temporary.path;
  }

  /** Which commits are incomplete, and why, by commit; commits that have all their files are not listed. */
  async lacksOf(commits: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const { lacks = null } = this.#clone ?? {};
    const why = lacks ? ` (${lacks.why})` : '';
    const there = await this.#existing(commits);
    const found = new Map<string, string>();
    for (const commit of commits) {
      const what = there.has(commit) ? 'files of commit' : 'commit';
      const isWhole = there.has(commit) && !(lacks?.files && (await this.#lacksFiles(commit)));
      if (!isWhole) found.set(commit, `${what} ${commit} of ${this.path}${why}`);
    }
    return found;
  }

  async #existing(commits: readonly string[]): Promise<ReadonlySet<string>> {
    const input = commits.map((commit) => `${commit}^{commit}\n`).join('');
    const answer = await gitText(['cat-file', '--batch-check'], { repository: this.#folder, input });
    const lines = answer.split('\n');
    return new Set(commits.filter((_, index) => / commit \d+$/.test(lines[index] ?? '')));
  }

  async #lacksFiles(commit: string): Promise<boolean> {
    const args = ['rev-list', '--objects', '--no-walk', '--missing=print', commit];
    return /^\?/m.test(await gitText(args, { repository: this.#folder }));
  }

  /** All files of a commit. */
  async tree(commit: string): Promise<Entry[]> {
    return entriesOf(this.#folder, await listTree(this.#folder, commit));
  }

  /** A `.git` folder of this commit's files alone, as their only commit: nothing of what came before or after. */
  gitFolder(commit: string): Promise<Entry[]> {
    return gitFolder(this.#folder, commit);
  }

  /**
   * The effect of patches on a commit's files, applied one after the other. Errors: `bad-data` with Git's message.
   * @param where the record that they are from, for errors
   */
  async changes(commit: string, patches: readonly string[], where: string): Promise<Change> {
    const env = { GIT_INDEX_FILE: join(this.#folder, 'patched') };
    const given = { repository: this.#folder, env };
    await git(['read-tree', commit], given);
    for (const patch of patches) await applyPatch(patch, where, given);
    const tree = await gitText(['write-tree'], given);
    return this.#difference(commit, tree);
  }

  async #difference(before: string, after: string): Promise<Change> {
    const [old, now] = await Promise.all([listTree(this.#folder, before), listTree(this.#folder, after)]);
    const was = new Map(old.map((file) => [file.path, `${file.mode} ${file.id}`]));
    const written = now.filter((file) => was.get(file.path) !== `${file.mode} ${file.id}`);
    const paths = new Set(now.map(({ path }) => path));
    const removed = old.map(({ path }) => path).filter((path) => !paths.has(path));
    return { written: await entriesOf(this.#folder, written), removed };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#temporary[Symbol.asyncDispose]();
  }
}

/** Whether a path is a bundle, by its name. */
export function isBundle(path: string): boolean {
  return path.endsWith('.bundle');
}

async function borrowObjects(folder: string, { objects }: Clone): Promise<void> {
  await mkdir(join(folder, 'objects/info'), { recursive: true });
  await writeFile(join(folder, 'objects/info/alternates'), `${objects}\n`);
}

async function applyPatch(
  patch: string,
  where: string,
  given: { repository: string; env: Readonly<Record<string, string>> },
): Promise<void> {
  if (patch.trim() === '') return;
  const input = patch.endsWith('\n') ? patch : `${patch}\n`;
  try {
    await git(['apply', '--cached', '--whitespace=nowarn', '-'], { ...given, input });
  } catch (cause) {
    throw badData(
      where,
      `expected a patch of its base commit, found one that does not apply: ${messageOf(cause)}`,
      cause,
    );
  }
}
