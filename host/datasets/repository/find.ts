import { stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { DatasetAbout } from '../contract.ts';
import { noData } from '../errors.ts';
import { Repository } from './repository.ts';

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
  if (await repository.has(commit)) return repository;
  await repository[Symbol.asyncDispose]();
  throw noData(about, `commit ${commit} of ${place}`);
}

/** Records whose repository is not there: what is missing, by their id. */
export async function lackingRepositories(
  data: string,
  records: readonly { readonly id: string; readonly repository: string }[],
): Promise<ReadonlyMap<string, string>> {
  const names = [...new Set(records.map(({ repository }) => repository))];
  const places = await Promise.all(names.map((name) => placeOf(data, name)));
  const absent = new Set(names.filter((_, index) => places[index] === undefined));
  return new Map(
    records
      .filter(({ repository }) => absent.has(repository))
      .map(({ id, repository }) => [id, missing(repository)]),
  );
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
