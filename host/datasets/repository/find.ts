import { stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { DatasetAbout } from '../contract.ts';
import { noData } from '../errors.ts';
import { Repository } from './repository.ts';

const endings = ['', '.git', '.bundle'] as const;

/**
 * Opens a repository that the user keeps beside the records, as `repos/owner__name`: a clone, a bare clone (`.git`) or a
 * bundle (`.bundle`). Errors: `no-data` for one that is missing, or that doesn't have the commit.
 * @param data the folder that `--data` names
 * @param name `owner/name`
 * @param commit that is needed of it
 */
export async function openRepository(
  about: DatasetAbout,
  data: string,
  name: string,
  commit: string,
): Promise<Repository> {
  const place = join(data, 'repos', name.replaceAll('/', '__'));
  for (const ending of endings) {
    if (!(await exists(`${place}${ending}`))) continue;
    const repository = await Repository.open(`${place}${ending}`);
    if (await repository.has(commit)) return repository;
    await repository[Symbol.asyncDispose]();
    throw noData(about, `commit ${commit} of ${place}${ending}`);
  }
  throw noData(about, `the repository ${name}, a clone or bundle of it at ${place}, ${place}.git or ${place}.bundle,`);
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
