import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';

/** Maximum number of sources that only `compile_flags.txt` covers; further ones are read when they are opened. */
const mostSources = 5000;
const ignoredFoldersGlob = '**/{node_modules,.git}/**';

interface CompileEntry {
  readonly directory: string;
  readonly file: string;
  readonly arguments?: readonly string[];
  readonly command?: string;
}

/**
 * Writes everything that the workspace specifies about compiling its sources into one `compile_commands.json`, in our own
 * folder: clangd keeps its index beside it, which would otherwise be a folder of the workspace. Returns that folder;
 * undefined if the workspace specifies nothing.
 */
export async function writeCompileDatabase(storage: vscode.Uri): Promise<string | undefined> {
  const found = await vscode.workspace.findFiles('**/compile_commands.json', ignoredFoldersGlob);
  const listed = (await Promise.all(found.map(({ fsPath }) => readEntries(fsPath)))).flat();
  const known = new Set(listed.map(({ directory, file }) => join(directory, file)));
  const others = (await listFlaggedSources()).filter(({ file }) => !known.has(file));
  const all = [...listed, ...others];
  if (all.length === 0) return undefined;
  const folder = join(storage.fsPath, 'clangd');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'compile_commands.json'), JSON.stringify(all));
  return folder;
}

/** Empty for a file that is not such a list, as for clangd. */
async function readEntries(path: string): Promise<CompileEntry[]> {
  try {
    const list: unknown = JSON.parse(await readFile(path, 'utf8'));
    return Array.isArray(list) ? list.filter(isEntry).map((one) => makeAbsolute(one, dirname(path))) : [];
  } catch {
    return [];
  }
}

function isEntry(value: unknown): value is CompileEntry {
  if (typeof value !== 'object' || value === null) return false;
  const { directory, file } = value as Partial<CompileEntry>;
  return typeof directory === 'string' && typeof file === 'string';
}

function makeAbsolute(entry: CompileEntry, folder: string): CompileEntry {
  const directory = entry.directory.startsWith('/') ? entry.directory : join(folder, entry.directory);
  return { ...entry, directory };
}

/** Sources below a `compile_flags.txt`, compiled with the flags of the nearest one. */
async function listFlaggedSources(): Promise<CompileEntry[]> {
  const files = await vscode.workspace.findFiles('**/compile_flags.txt', ignoredFoldersGlob);
  if (files.length === 0) return [];
  const flags = new Map<string, readonly string[]>();
  for (const { fsPath } of files) {
    const lines = (await readFile(fsPath, 'utf8').catch(() => '')).split('\n').map((line) => line.trim());
    flags.set(
      dirname(fsPath),
      lines.filter((line) => line !== '' && !line.startsWith('#')),
    );
  }
  const sources = await vscode.workspace.findFiles(
    '**/*.{c,cc,cpp,cxx,c++}',
    ignoredFoldersGlob,
    mostSources,
  );
  return sources.flatMap(({ fsPath: file }) => {
    const directory = findNearest(dirname(file), flags);
    if (directory === undefined) return [];
    return [{ directory, file, arguments: ['clang', ...(flags.get(directory) ?? []), file] }];
  });
}

function findNearest(folder: string, flags: ReadonlyMap<string, unknown>): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (flags.has(at)) return at;
    if (at === dirname(at)) return undefined;
  }
}
