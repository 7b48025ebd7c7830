import { access } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { isLayered, layeredLanguage } from '../../language/index.ts';
import { ignoredGlob } from './late-changes.ts';

/** More sources of C and C++ are not opened: the server would hold what it read of each. */
const mostSources = 200;
const sources = '**/*.{c,cc,cpp,cxx,h,hh,hpp,hxx}';

/** What tells a server which files make a project, by language: paths from a folder above a file. */
const projectFiles: Readonly<Record<string, readonly string[]>> = {
  c: ['compile_commands.json', 'build/compile_commands.json', 'compile_flags.txt'],
  cpp: ['compile_commands.json', 'build/compile_commands.json', 'compile_flags.txt'],
  go: ['go.mod', 'go.work'],
  rust: ['Cargo.toml', 'rust-project.json'],
};

/**
 * Why the server of a language that the image has in addition may not know all of a document's project; null if it knows
 * it. Undefined for other languages. Sources of C and C++ that nothing says how to compile are opened, so that the server
 * knows them after all, by guessing.
 */
export async function openLayered(document: vscode.TextDocument): Promise<string | null | undefined> {
  const { languageId, uri } = document;
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  if (!isLayered(languageId)) return undefined;
  const names = projectFiles[languageId] ?? [];
  if (await isCovered(uri.fsPath, folder?.uri.fsPath ?? '/', names)) return null;
  const missing = `no ${names.filter((name) => !name.includes('/')).join(' or ')} covers this file`;
  if (!folder || !['c', 'cpp'].includes(languageId)) return `open files only: ${missing}`;
  const found = await vscode.workspace.findFiles(
    new vscode.RelativePattern(folder, sources),
    ignoredGlob,
    mostSources + 1,
  );
  if (found.length > mostSources)
    return `open files only: ${missing}, and there are more than ${mostSources} sources`;
  const server = await layeredLanguage(languageId);
  await Promise.all(
    found.map(async (one) => {
      const opened = await vscode.workspace.openTextDocument(one).then(
        (text) => text,
        () => undefined,
      );
      if (opened && isLayered(opened.languageId)) await server?.check(opened);
    }),
  );
  return `include paths and macros are guessed: ${missing}`;
}

/** Whether a folder above a file has one of these files. */
async function isCovered(path: string, top: string, names: readonly string[]): Promise<boolean> {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const there = await Promise.all(names.map((name) => isThere(join(folder, name))));
    if (there.includes(true)) return true;
    if (folder === top || folder === dirname(folder)) return false;
  }
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
