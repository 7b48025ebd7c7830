import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '../../../bridge/lib/index.ts';
import { openTemporaryFolder, type TemporaryFolder } from '../../lib/index.ts';
import type { Entry } from '../../tasks/index.ts';
import { badData } from '../errors.ts';
import { git, gitText } from './git.ts';
import { gitFolder } from './git-folder.ts';
import { entriesOf, listTree } from './objects.ts';

/** What a patch does to a tree. */
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

  private constructor(temporary: TemporaryFolder, path: string) {
    this.#temporary = temporary;
    this.path = path;
  }

  /** @param path a clone, a bare clone or a bundle. Errors: `command-missing`, `command-failed`. */
  static async open(path: string): Promise<Repository> {
    const temporary = await openTemporaryFolder('repository');
    const folder = temporary.path;
    const repository = new Repository(temporary, path);
    try {
      await git(['init', '--quiet', '--bare', '--template=', folder], { repository: folder });
      if (path.endsWith('.bundle')) await fetchBundle(folder, path);
      else await borrowObjects(folder, path);
      return repository;
    } catch (error) {
      await repository[Symbol.asyncDispose]();
      throw error;
    }
  }

  get #folder(): string {
    return this.#temporary.path;
  }

  /** Whether it has this commit. */
  async has(commit: string): Promise<boolean> {
    const asked = git(['cat-file', '-e', `${commit}^{commit}`], { repository: this.#folder });
    return asked.then(
      () => true,
      () => false,
    );
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
   * What patches do to a commit's files, one after the other. Errors: `bad-data` with what Git said.
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

async function fetchBundle(folder: string, path: string): Promise<void> {
  await git(['fetch', '--quiet', path, '+refs/*:refs/bundle/*'], { repository: folder });
}

async function borrowObjects(folder: string, path: string): Promise<void> {
  // Either a work tree or a bare repository: Git itself finds out which.
  const objects = await gitText(
    ['-C', path, 'rev-parse', '--path-format=absolute', '--git-path', 'objects'],
    { repository: folder, env: { GIT_DIR: '' } },
  );
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
