import { stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { extname } from 'node:path/posix';
import {
  searchTools,
  toolError,
  type ToolInput,
  type ToolOutput,
} from '../../../../bridge/protocol/index.ts';
import type { ToolContext, ToolHandlers } from '../../../../bridge/rpc/index.ts';
import { clip } from '../../../../bridge/text/index.ts';
import { normalizeLook } from '../../lib/index.ts';
import { formatPath, resolvePlace, type WorkspacePlace } from '../workspace-place.ts';
import {
  callHierarchy,
  documentSymbols,
  readHover,
  typeHierarchy,
  workspaceSymbols,
} from './code-symbols.ts';
import { codebaseSearch } from './codebase-search.ts';
import { findImplementations, findReferences, goToDefinition } from './find-references.ts';
import { grepSearch } from './grep-search.ts';
import { scoreFuzzy } from './match-text.ts';
import { makeScopeArguments, runRipgrep } from './ripgrep.ts';

/** Adds the tools that find text, files and code. */
export function addSearchTools(handlers: ToolHandlers): ToolHandlers {
  return handlers
    .add(searchTools.grepSearch, grepSearch)
    .add(searchTools.fileSearch, fileSearch)
    .add(searchTools.codebaseSearch, codebaseSearch)
    .add(searchTools.repositoryStructure, repositoryStructure)
    .add(searchTools.workspaceSymbols, workspaceSymbols)
    .add(searchTools.documentSymbols, documentSymbols)
    .add(searchTools.findReferences, findReferences)
    .add(searchTools.goToDefinition, goToDefinition)
    .add(searchTools.findImplementations, findImplementations)
    .add(searchTools.callHierarchy, callHierarchy)
    .add(searchTools.typeHierarchy, typeHierarchy)
    .add(searchTools.hover, readHover);
}

type FileSearch = typeof searchTools.fileSearch;

async function fileSearch(
  input: ToolInput<FileSearch>,
  { signal }: ToolContext,
): Promise<ToolOutput<FileSearch>> {
  const where = await resolvePlace('.');
  const { files, truncated } = await listFiles(where, input.include_ignored, signal);
  const fitting = files.flatMap((path) => {
    const score = scoreFuzzy(normalizeLook(input.query), normalizeLook(path));
    return score === undefined ? [] : [{ path, score }];
  });
  const best = fitting.sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1)).slice(0, input.limit);
  return {
    files: best.map(({ path, score }) => ({
      path: formatPath(join(where.path, path)),
      score: Math.round(score * 100) / 100,
    })),
    matching: fitting.length,
    truncated: truncated || fitting.length > best.length,
  };
}

type Structure = typeof searchTools.repositoryStructure;

/** A folder: its subfolders by name, and its files. */
interface Folder {
  readonly folders: Map<string, Folder>;
  readonly files: string[];
}

async function repositoryStructure(
  input: ToolInput<Structure>,
  { signal }: ToolContext,
): Promise<ToolOutput<Structure>> {
  const where = await resolvePlace(input.path);
  const stats = await stat(where.real).catch(() => undefined);
  if (!stats) throw toolError('not-found', `there is no folder ${formatPath(where.path)}`);
  if (!stats.isDirectory()) throw toolError('not-a-folder', `${formatPath(where.path)} is a file`);
  const { files, truncated } = await listFiles(where, false, signal);
  const top = buildTree(files);
  const lines = formatFolderLines(top, 1, input.max_depth);
  return {
    path: formatPath(where.path),
    tree: clip(lines.slice(0, input.limit).join('\n'), 600_000),
    files: files.length,
    folders: countFolders(top),
    endings: countEndings(files),
    truncated: truncated || lines.length > input.limit,
  };
}

function buildTree(files: readonly string[]): Folder {
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
function formatFolderLines(folder: Folder, level: number, depth: number): string[] {
  const indent = '  '.repeat(level - 1);
  const folders = [...folder.folders].sort(([a], [b]) => (a < b ? -1 : 1));
  return [
    ...folders.flatMap(([name, inner]) =>
      level < depth
        ? [`${indent}${name}/`, ...formatFolderLines(inner, level + 1, depth)]
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

function countEndings(files: readonly string[]): ToolOutput<Structure>['endings'] {
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

/** Maximum number of files. */
const maxFiles = 200_000;

/** All files of a folder, relative to it, with `/`. */
async function listFiles(
  { path }: WorkspacePlace,
  includeIgnored: boolean,
  signal: AbortSignal,
): Promise<{ files: string[]; truncated: boolean }> {
  const files: string[] = [];
  const onLine = (line: string) => files.push(relative(path, line).split(sep).join('/')) <= maxFiles;
  const args = ['--files', '--null', ...makeScopeArguments(includeIgnored), '--', path];
  await runRipgrep({ args, cwd: path, onLine, end: '\0' }, signal);
  return { files: files.slice(0, maxFiles), truncated: files.length > maxFiles };
}
