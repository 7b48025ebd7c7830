import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageFolder } from '../../lib/index.ts';

const names = ['trees.py', 'test_runs.py', 'run_tests.py'] as const;

/** The Python modules that graders of repositories share, as texts by their path below /tests. */
export async function treeGrader(): Promise<Record<string, string>> {
  const folder = join(packageFolder(import.meta.url), 'host/datasets/repository/grader');
  const texts = names.map(async (name) => [name, await readFile(join(folder, name), 'utf8')] as const);
  return Object.fromEntries(await Promise.all(texts));
}
