import { extname } from 'node:path/posix';
import type { searchTools, ToolInput, ToolOutput } from '../../../../bridge/protocol/index.ts';
import { toolError } from '../../../../bridge/protocol/index.ts';
import type { ToolContext } from '../../../../bridge/rpc/index.ts';
import { stat } from 'node:fs/promises';
import { clip } from '../../../../bridge/lib/index.ts';
import { pathText, place } from '../place/index.ts';
import { listFiles } from './list-files.ts';

type Structure = typeof searchTools.repositoryStructure;

/** A folder: its subfolders by name, and its files. */
interface Folder {
  readonly folders: Map<string, Folder>;
  readonly files: string[];
}

export async function repositoryStructure(
  input: ToolInput<Structure>,
  { signal }: ToolContext,
): Promise<ToolOutput<Structure>> {
  const where = await place(input.path);
  const stats = await stat(where.real).catch(() => undefined);
  if (!stats) throw toolError('not-found', `there is no folder ${pathText(where.path)}`);
  if (!stats.isDirectory()) throw toolError('not-a-folder', `${pathText(where.path)} is a file`);
  const { files, truncated } = await listFiles(where, false, signal);
  const top = treeOf(files);
  const lines = linesOf(top, 1, input.max_depth);
  return {
    path: pathText(where.path),
    tree: clip(lines.slice(0, input.limit).join('\n'), 600_000),
    files: files.length,
    folders: countFolders(top),
    endings: endingsOf(files),
    truncated: truncated || lines.length > input.limit,
  };
}

function treeOf(files: readonly string[]): Folder {
  const top: Folder = { folders: new Map(), files: [] };
  for (const file of files) {
    const parts = file.split('/');
    const name = parts.pop() ?? '';
    let at = top;
    for (const part of parts) {
      const next = at.folders.get(part) ?? { folders: new Map<string, Folder>(), files: [] };
      at.folders.set(part, next);
      at = next;
    }
    at.files.push(name);
  }
  return top;
}

/** Folders first, both by name. */
function linesOf(folder: Folder, level: number, depth: number): string[] {
  const indent = '  '.repeat(level - 1);
  const folders = [...folder.folders].sort(([a], [b]) => (a < b ? -1 : 1));
  return [
    ...folders.flatMap(([name, inner]) =>
      level < depth
        ? [`${indent}${name}/`, ...linesOf(inner, level + 1, depth)]
        : [`${indent}${name}/  (${countFiles(inner)} files)`],
    ),
    ...folder.files.sort().map((name) => `${indent}${name}`),
  ];
}

function countFiles({ files, folders }: Folder): number {
  return [...folders.values()].reduce((sum, folder) => sum + countFiles(folder), files.length);
}

function countFolders({ folders }: Folder): number {
  return [...folders.values()].reduce((sum, folder) => sum + countFolders(folder), folders.size);
}

function endingsOf(files: readonly string[]): ToolOutput<Structure>['endings'] {
  const counts = new Map<string, number>();
  for (const file of files) {
    const ending = extname(file) || 'none';
    counts.set(ending, (counts.get(ending) ?? 0) + 1);
  }
  return [...counts]
    .map(([ending, count]) => ({ ending, files: count }))
    .sort((a, b) => b.files - a.files)
    .slice(0, 30);
}
