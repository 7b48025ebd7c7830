import { mkdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { describeError, PwpError } from '../../../../bridge/lib/index.ts';
import { openTemporaryFolder, pathExists, type TemporaryFolder } from '../../../lib/index.ts';
import type { ArchiveEntry } from '../../format/index.ts';
import { badData, type DatasetAbout, noData } from '../records/index.ts';
import {
  listTreeFiles,
  packGitFolder,
  readClone,
  readGitEntries,
  runGitCommand,
  runGitText,
  type UserClone,
} from './git-objects.ts';

/** The effect of a patch on a tree. */
export interface PatchEffect {
  /** Files as they are afterwards. */
  readonly written: readonly ArchiveEntry[];
  readonly removed: readonly string[];
}

/**
 * A repository of the user's, only read: all that is made of it is written to a folder of its own, which is removed when
 * this is disposed of.
 */
export class UserRepository implements AsyncDisposable {
  readonly #temporary: TemporaryFolder;
  /** Where the user has it. */
  readonly path: string;
  readonly #clone: UserClone | null;

  private constructor(temporary: TemporaryFolder, path: string, clone: UserClone | null) {
    this.#temporary = temporary;
    this.path = path;
    this.#clone = clone;
  }

  /** @param path a clone of any form, or a bundle. Errors: `command-missing`, `command-failed`. */
  static async open(path: string): Promise<UserRepository> {
    const clone = isBundle(path) ? null : await readClone(path);
    const temporary = await openTemporaryFolder('repository');
    const folder = temporary.path;
    const repository = new UserRepository(temporary, path, clone);
    try {
      const format = `--object-format=${clone?.format ?? 'sha1'}`;
      await runGitCommand(['init', '--quiet', '--bare', '--template=', format, folder], {
        repository: folder,
      });
      // A bundle need not have a branch: it is unpacked as a whole.
      if (clone) await borrowObjects(folder, clone);
      else await runGitCommand(['bundle', 'unbundle', path], { repository: folder });
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
    const answer = await runGitText(['cat-file', '--batch-check'], { repository: this.#folder, input });
    const lines = answer.split('\n');
    return new Set(commits.filter((_, index) => / commit \d+$/.test(lines[index] ?? '')));
  }

  async #lacksFiles(commit: string): Promise<boolean> {
    const args = ['rev-list', '--objects', '--no-walk', '--missing=print', commit];
    return /^\?/m.test(await runGitText(args, { repository: this.#folder }));
  }

  /** All files of a commit. */
  async tree(commit: string): Promise<ArchiveEntry[]> {
    return readGitEntries(this.#folder, await listTreeFiles(this.#folder, commit));
  }

  /** A `.git` folder of this commit's files alone, as their only commit: nothing of what came before or after. */
  gitFolder(commit: string): Promise<ArchiveEntry[]> {
    return packGitFolder(this.#folder, commit);
  }

  /**
   * The effect of patches on a commit's files, applied one after the other. Errors: `bad-data` with Git's message.
   * @param where the record that they are from, for errors
   */
  async changes(commit: string, patches: readonly string[], where: string): Promise<PatchEffect> {
    const env = { GIT_INDEX_FILE: join(this.#folder, 'patched') };
    const given = { repository: this.#folder, env };
    await runGitCommand(['read-tree', commit], given);
    for (const patch of patches) await applyPatch(patch, where, given);
    const tree = await runGitText(['write-tree'], given);
    return this.#difference(commit, tree);
  }

  async #difference(before: string, after: string): Promise<PatchEffect> {
    const [old, now] = await Promise.all([
      listTreeFiles(this.#folder, before),
      listTreeFiles(this.#folder, after),
    ]);
    const was = new Map(old.map((file) => [file.path, `${file.mode} ${file.id}`]));
    const written = now.filter((file) => was.get(file.path) !== `${file.mode} ${file.id}`);
    const paths = new Set(now.map(({ path }) => path));
    const removed = old.map(({ path }) => path).filter((path) => !paths.has(path));
    return { written: await readGitEntries(this.#folder, written), removed };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#temporary[Symbol.asyncDispose]();
  }
}

/** Whether a path is a bundle, by its name. */
function isBundle(path: string): boolean {
  return path.endsWith('.bundle');
}

async function borrowObjects(folder: string, { objects }: UserClone): Promise<void> {
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
    await runGitCommand(['apply', '--cached', '--whitespace=nowarn', '-'], { ...given, input });
  } catch (cause) {
    throw badData(
      where,
      `expected a patch of its base commit, found one that does not apply: ${describeError(cause)}`,
      cause,
    );
  }
}

const repositoryEndings = ['', '.git', '.bundle'] as const;

/** A repository of the user's at a commit, as {@link withRepository} needs it. */
export interface RepositoryAt {
  readonly about: DatasetAbout;
  /** The folder that `--data` names. */
  readonly data: string;
  /** `owner/name` */
  readonly name: string;
  readonly commit: string;
}

/** Opens a repository for as long as it is used. Errors: `no-data`, those of the use. */
export async function withRepository<T>(
  at: RepositoryAt,
  use: (repository: UserRepository) => Promise<T>,
): Promise<T> {
  await using repository = await openRepository(at);
  return await use(repository);
}

/**
 * Opens a repository that the user keeps beside the records, as `repos/owner__name`: a clone, a bare clone (`.git`) or a
 * bundle (`.bundle`). Errors: `no-data` for one that is missing, or that doesn't have the commit.
 */
async function openRepository({ about, data, name, commit }: RepositoryAt): Promise<UserRepository> {
  const place = await findRepositoryPath(data, name);
  if (place === undefined) throw noData(about, describeMissing(name));
  const repository = await UserRepository.open(place);
  const lack = (await repository.lacksOf([commit])).get(commit);
  if (lack === undefined) return repository;
  await repository[Symbol.asyncDispose]();
  throw noData(about, lack);
}

/** Where a record begins. */
interface NeededCommit {
  readonly id: string;
  /** `owner/name` */
  readonly repository: string;
  readonly commit: string;
}

/**
 * Records whose repository or commit is not there: what is missing, by their id. A bundle is not looked into, since it
 * would be unpacked for that.
 */
export async function findLackingRepositories(
  data: string,
  records: readonly NeededCommit[],
): Promise<ReadonlyMap<string, string>> {
  const names = [...new Set(records.map(({ repository }) => repository))];
  const found = await Promise.all(
    names.map(async (name) => {
      const own = records.filter(({ repository }) => repository === name);
      return await findLackingIn(await findRepositoryPath(data, name), name, own);
    }),
  );
  return new Map(found.flat());
}

async function findLackingIn(
  place: string | undefined,
  name: string,
  records: readonly NeededCommit[],
): Promise<[string, string][]> {
  const all = (why: string) => records.map(({ id }): [string, string] => [id, why]);
  if (place === undefined) return all(describeMissing(name));
  if (isBundle(place)) return [];
  try {
    await using repository = await UserRepository.open(place);
    const lacks: [string, string][] = [];
    for (const { id, commit } of records) {
      const lack = (await repository.lacksOf([commit])).get(commit);
      if (lack !== undefined) lacks.push([id, lack]);
    }
    return lacks;
  } catch (error) {
    if (error instanceof PwpError && error.code === 'command-failed')
      return all(`${place} can't be read as a repository: ${describeError(error)}`);
    throw error;
  }
}

function describeMissing(name: string): string {
  const place = `repos/${makeFolderName(name)}`;
  return `the repository ${name}, a clone or bundle of it at ${place}, ${place}.git or ${place}.bundle,`;
}

async function findRepositoryPath(data: string, name: string): Promise<string | undefined> {
  const places = repositoryEndings.map((ending) => `${join(data, 'repos', makeFolderName(name))}${ending}`);
  const there = await Promise.all(places.map(pathExists));
  return places.find((_, index) => there[index]);
}

function makeFolderName(name: string): string {
  return name.replaceAll('/', '__');
}

/** Where the repositories lie: beside the file, where `--data` names one. */
export async function findRepositoriesFolder(path: string): Promise<string> {
  const absolute = resolve(path);
  return (await stat(absolute)).isDirectory() ? absolute : dirname(absolute);
}
