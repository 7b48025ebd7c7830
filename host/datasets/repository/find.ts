import { stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { PwpError, messageOf } from '../../../bridge/lib/index.ts';
import type { DatasetAbout } from '../contract.ts';
import { noData } from '../errors.ts';
import { Repository, isBundle } from './repository.ts';

const endings = ['', '.git', '.bundle'] as const;

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
  use: (repository: Repository) => Promise<T>,
): Promise<T> {
  await using repository = await openRepository(at);
  return await use(repository);
}

/**
 * Opens a repository that the user keeps beside the records, as `repos/owner__name`: a clone, a bare clone (`.git`) or a
 * bundle (`.bundle`). Errors: `no-data` for one that is missing, or that doesn't have the commit.
 */
async function openRepository({ about, data, name, commit }: RepositoryAt): Promise<Repository> {
  const place = await placeOf(data, name);
  if (place === undefined) throw noData(about, missing(name));
  const repository = await Repository.open(place);
  const lack = (await repository.lacksOf([commit])).get(commit);
  if (lack === undefined) return repository;
  await repository[Symbol.asyncDispose]();
  throw noData(about, lack);
}

/** Where a record begins. */
export interface NeededCommit {
  readonly id: string;
  /** `owner/name` */
  readonly repository: string;
  readonly commit: string;
}

/**
 * Records whose repository or commit is not there: what is missing, by their id. A bundle is not looked into, since it
 * would be unpacked for that.
 */
export async function lackingRepositories(
  data: string,
  records: readonly NeededCommit[],
): Promise<ReadonlyMap<string, string>> {
  const names = [...new Set(records.map(({ repository }) => repository))];
  const found = await Promise.all(
    names.map(async (name) => {
      const own = records.filter(({ repository }) => repository === name);
      return await lackingIn(await placeOf(data, name), name, own);
    }),
  );
  return new Map(found.flat());
}

async function lackingIn(
  place: string | undefined,
  name: string,
  records: readonly NeededCommit[],
): Promise<[string, string][]> {
  const all = (why: string) => records.map(({ id }): [string, string] => [id, why]);
  if (place === undefined) return all(missing(name));
  if (isBundle(place)) return [];
  try {
    await using repository = await Repository.open(place);
    const lacks: [string, string][] = [];
    for (const { id, commit } of records) {
      const lack = (await repository.lacksOf([commit])).get(commit);
      if (lack !== undefined) lacks.push([id, lack]);
    }
    return lacks;
  } catch (error) {
    if (error instanceof PwpError && error.code === 'command-failed')
      return all(`${place} can't be read as a repository: ${messageOf(error)}`);
    throw error;
  }
}

function missing(name: string): string {
  const place = `repos/${folderName(name)}`;
  return `the repository ${name}, a clone or bundle of it at ${place}, ${place}.git or ${place}.bundle,`;
}

async function placeOf(data: string, name: string): Promise<string | undefined> {
  const places = endings.map((ending) => `${join(data, 'repos', folderName(name))}${ending}`);
  const there = await Promise.all(places.map(exists));
  return places.find((_, index) => there[index]);
}

function folderName(name: string): string {
  return name.replaceAll('/', '__');
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** Where the repositories lie: beside the file, where `--data` names one. */
export async function folderOf(path: string): Promise<string> {
  const absolute = resolve(path);
  return (await stat(absolute)).isDirectory() ? absolute : dirname(absolute);
}
