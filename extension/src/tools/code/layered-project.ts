import { access, readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import * as vscode from 'vscode';
import * as z from 'zod';
import { isLayered, layeredLanguage } from '../../language/index.ts';
import { pathText } from '../place/index.ts';
import { ignoredGlob } from './late-changes.ts';

/** Maximum bytes of `compile_commands.json`. */
const entries = z.array(z.object({ directory: z.string(), file: z.string() }));

/** Maximum number of C and C++ sources that are opened: the server keeps everything that it has read in memory. */
const mostSources = 200;
const sources = '**/*.{c,cc,cpp,cxx,h,hh,hpp,hxx}';

/** Files that define a project, by language: paths relative to a folder above a file. */
const projectFiles: Readonly<Record<string, readonly string[]>> = {
  c: ['compile_commands.json', 'build/compile_commands.json', 'compile_flags.txt'],
  cpp: ['compile_commands.json', 'build/compile_commands.json', 'compile_flags.txt'],
  go: ['go.mod', 'go.work'],
  rust: ['Cargo.toml', 'rust-project.json'],
};

/**
 * Why the server of a language from an image layer may not know all of a document's project; null if it does. Undefined
 * for other languages. C and C++ sources without compile commands are opened, so that the server still knows them, with
 * guessed ones.
 */
export async function openLayered(document: vscode.TextDocument): Promise<string | null | undefined> {
  const { languageId, uri } = document;
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  if (!isLayered(languageId)) return undefined;
  const names = projectFiles[languageId] ?? [];
  const project = await projectFile(uri.fsPath, folder?.uri.fsPath ?? '/', names);
  if (project !== undefined && (await isListed(uri.fsPath, project))) return null;
  const missing =
    project === undefined
      ? `no ${names.filter((name) => !name.includes('/')).join(' or ')} covers this file`
      : `${pathText(project)} does not list this file`;
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

/** The first of these files in a folder above a file, the nearest first. */
async function projectFile(path: string, top: string, names: readonly string[]): Promise<string | undefined> {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    for (const name of names) if (await isThere(join(folder, name))) return join(folder, name);
    if (folder === top || folder === dirname(folder)) return undefined;
  }
}

/** Whether a list of sources contains one; headers are in no list, and are compiled with the files that include them. */
async function isListed(path: string, project: string): Promise<boolean> {
  if (!project.endsWith('/compile_commands.json') || !/\.(?:c|cc|cpp|cxx|c\+\+)$/i.test(path)) return true;
  const list = entries.safeParse(parsed(await readFile(project, 'utf8').catch(() => '')));
  if (!list.success) return false;
  return list.data.some(({ directory, file }) => resolve(dirname(project), directory, file) === path);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
