import { PwpError } from '../../../bridge/lib/index.ts';
import type { Entry } from '../../tasks/index.ts';
import { git } from './git.ts';

/** One file of a tree: what Git lists of it. */
export interface Listed {
  /** As Git writes it: 100644, 100755, 120000 (a link) or 160000 (a submodule). */
  readonly mode: string;
  readonly id: string;
  readonly path: string;
}

/** All files of a tree or commit. */
export async function listTree(repository: string, tree: string): Promise<Listed[]> {
  const output = await git(['ls-tree', '-r', '-z', '--full-tree', tree], { repository });
  return output
    .toString('utf8')
    .split('\0')
    .filter((line) => line !== '')
    .map((line) => {
      const [, mode = '', id = '', path = ''] = /^(\d+) \w+ ([0-9a-f]+)\t([\s\S]*)$/.exec(line) ?? [];
      return { mode, id, path };
    });
}

/** Listed files as archive entries; a submodule is an empty folder, since its files are in another repository. */
export async function entriesOf(repository: string, listed: readonly Listed[]): Promise<Entry[]> {
  const contents = await readObjects(
    repository,
    listed.filter(({ mode }) => mode !== '160000').map(({ id }) => id),
  );
  return listed.map(({ mode, id, path }): Entry => {
    if (mode === '160000') return { kind: 'folder', path };
    const content = contents.get(id);
    if (!content) throw new PwpError('internal', `git has no object ${id} for ${path}`);
    if (mode === '120000') return { kind: 'link', path, target: content.toString('utf8') };
    return { kind: 'file', path, content, executable: mode === '100755' };
  });
}

async function readObjects(repository: string, ids: readonly string[]): Promise<Map<string, Buffer>> {
  const unique = [...new Set(ids)];
  const input = unique.map((id) => `${id}\n`).join('');
  const output = await git(['cat-file', '--batch'], { repository, input });
  const contents = new Map<string, Buffer>();
  let at = 0;
  for (const id of unique) {
    const end = output.indexOf('\n', at);
    const [, , size] = output.toString('latin1', at, end).split(' ');
    if (size === undefined) throw new PwpError('no-data', `the repository has no object ${id}`);
    contents.set(id, output.subarray(end + 1, end + 1 + Number(size)));
    at = end + 1 + Number(size) + 1;
  }
  return contents;
}
