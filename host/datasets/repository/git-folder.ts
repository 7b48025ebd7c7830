import { mkdir, readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { textEntry, type Entry } from '../../tasks/index.ts';
import { git, gitText } from './git.ts';

/** 2026-01-01 in UTC, as all entries of archives. */
const when = '1767225600 +0000';
const someone = { NAME: 'Base', EMAIL: 'base@example.org', DATE: when };
const author = Object.fromEntries(
  ['AUTHOR', 'COMMITTER'].flatMap((role) =>
    Object.entries(someone).map(([field, value]) => [`GIT_${role}_${field}`, value]),
  ),
);

/**
 * The `.git` folder of a repository with one commit, the same bytes every time: one pack, one branch, and an index
 * without Git's cache of the working files.
 * @param repository where it is made, and where the commit's objects are
 */
export async function gitFolder(repository: string, commit: string): Promise<Entry[]> {
  const tree = await gitText(['rev-parse', `${commit}^{tree}`], { repository });
  const base = await gitText(['commit-tree', tree, '-m', 'Base'], { repository, env: author });
  const out = join(repository, 'out');
  await mkdir(out, { recursive: true });
  await packCommit(repository, base, join(out, 'pack'));
  const index = join(out, 'index');
  await git(['read-tree', tree], { repository, env: { GIT_INDEX_FILE: index } });
  const packs = (await readdir(out)).filter((name) => /\.(pack|idx)$/.test(name));
  const files = [...packs.map((name) => [`objects/pack/${name}`, join(out, name)]), ['index', index]];
  const binary = files.map(async ([path = '', file = '']): Promise<Entry> => {
    return { kind: 'file', path: `.git/${path}`, content: await readFile(file), executable: false };
  });
  return [
    textEntry('.git/HEAD', 'ref: refs/heads/main\n'),
    textEntry('.git/config', '[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n'),
    textEntry('.git/refs/heads/main', `${base}\n`),
    ...(await Promise.all(binary)),
  ];
}

/** One thread and no search for differences: the same pack on every machine of the same Git. */
async function packCommit(repository: string, commit: string, prefix: string): Promise<void> {
  await git(['pack-objects', '--quiet', '--revs', '--threads=1', '--window=0', '--no-reuse-delta', prefix], {
    repository,
    input: `${commit}\n`,
  });
}
