import { readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import * as vscode from 'vscode';
import * as z from 'zod';
import { tryParseJson } from '../../../../bridge/text/index.ts';
import {
  isLayered,
  isTypeScript,
  layeredEndings,
  layeredLanguage,
  notifyServers,
  readProjectsAgain,
} from '../../language/index.ts';
import { isReachable } from '../../lib/index.ts';
import { awaitReloads } from '../file-text.ts';
import { formatPath, ignoredFolders } from '../workspace-place.ts';

/** Maximum number of scripts that are opened: TypeScript's server keeps all of them in memory. */
const mostScripts = 1000;
const scriptGlob = '**/*.{ts,tsx,mts,cts,js,jsx,mjs,cjs}';

/** Scripts that belong to no project file; a server only knows the open ones. */
interface LooseScripts {
  readonly uris: readonly vscode.Uri[];
  /** Why an answer may be incomplete; null if the server knows all scripts. */
  readonly incomplete: string | null;
}

const noLooseScripts: LooseScripts = { uris: [], incomplete: null };

/** The scripts that form one project with a document, unless a `tsconfig.json` or `jsconfig.json` defines the project. */
export async function findLooseScripts({ languageId, uri }: vscode.TextDocument): Promise<LooseScripts> {
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  if (!isTypeScript(languageId) || !folder) return noLooseScripts;
  const projects = new Map<string, Promise<boolean>>();
  const isLoose = async (one: vscode.Uri) => !(await hasProject(one.fsPath, folder.uri.fsPath, projects));
  if (!(await isLoose(uri))) return noLooseScripts;
  const pattern = new vscode.RelativePattern(folder, scriptGlob);
  const found = await vscode.workspace.findFiles(pattern, ignoredGlob, mostScripts + 1);
  const loose = await Promise.all(found.map(async (one) => ((await isLoose(one)) ? [one] : [])));
  const uris = loose.flat();
  if (found.length <= mostScripts) return { uris, incomplete: null };
  const why = `open files only: no jsconfig.json or tsconfig.json covers this file, and there are more than ${mostScripts} scripts`;
  return { uris: [], incomplete: why };
}

/**
 * Opens the scripts that form one project with a document, so that the language server knows them. Returns why its answer
 * may be incomplete; null if it is complete.
 */
export async function openProject(document: vscode.TextDocument): Promise<string | null> {
  const layered = await openLayered(document);
  if (layered !== undefined) return layered;
  const { uris, incomplete } = await findLooseScripts(document);
  const opened = await Promise.all(
    uris.map((uri) =>
      vscode.workspace.openTextDocument(uri).then(
        () => true,
        () => false,
      ),
    ),
  );
  const failed = opened.filter((one) => !one).length;
  return incomplete ?? (failed === 0 ? null : `${failed} scripts could not be opened`);
}

/** Whether a project file of a folder above covers a script. */
async function hasProject(path: string, top: string, known: Map<string, Promise<boolean>>): Promise<boolean> {
  const isJavaScript = /\.[cm]?jsx?$/.test(path);
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const key = `${isJavaScript}:${folder}`;
    const answer = known.get(key) ?? isProject(folder, isJavaScript);
    known.set(key, answer);
    if (await answer) return true;
    if (folder === top || folder === dirname(folder)) return false;
  }
}

async function isProject(folder: string, isJavaScript: boolean): Promise<boolean> {
  const names = await readdir(folder).catch((): string[] => []);
  if (names.includes('jsconfig.json')) return true;
  if (!names.includes('tsconfig.json')) return false;
  if (!isJavaScript) return true;
  // If another file defines that, by `extends`, the scripts are opened needlessly.
  const text = await readFile(join(folder, 'tsconfig.json'), 'utf8').catch(() => '');
  return /"(?:allowJs|checkJs)"\s*:\s*true/.test(text);
}

/** Maximum bytes of `compile_commands.json`. */
const compileEntriesSchema = z.array(z.object({ directory: z.string(), file: z.string() }));

/** Maximum number of C and C++ sources that are opened: the server keeps everything that it has read in memory. */
const mostSources = 200;
const sourceGlob = '**/*.{c,cc,cpp,cxx,h,hh,hpp,hxx}';

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
async function openLayered(document: vscode.TextDocument): Promise<string | null | undefined> {
  const { languageId, uri } = document;
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  if (!isLayered(languageId)) return undefined;
  const names = projectFiles[languageId] ?? [];
  const project = await findProjectFile(uri.fsPath, folder?.uri.fsPath ?? '/', names);
  if (project !== undefined && (await isListed(uri.fsPath, project))) return null;
  const missing =
    project === undefined
      ? `no ${names.filter((name) => !name.includes('/')).join(' or ')} covers this file`
      : `${formatPath(project)} does not list this file`;
  if (!folder || !['c', 'cpp'].includes(languageId)) return `open files only: ${missing}`;
  const found = await vscode.workspace.findFiles(
    new vscode.RelativePattern(folder, sourceGlob),
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
async function findProjectFile(
  path: string,
  top: string,
  names: readonly string[],
): Promise<string | undefined> {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    for (const name of names) if (await isReachable(join(folder, name))) return join(folder, name);
    if (folder === top || folder === dirname(folder)) return undefined;
  }
}

/** Whether a list of sources contains one; headers are in no list, and are compiled with the files that include them. */
async function isListed(path: string, project: string): Promise<boolean> {
  if (!project.endsWith('/compile_commands.json') || !/\.(?:c|cc|cpp|cxx|c\+\+)$/i.test(path)) return true;
  const list = compileEntriesSchema.safeParse(tryParseJson(await readFile(project, 'utf8').catch(() => '')));
  if (!list.success) return false;
  return list.data.some(({ directory, file }) => resolve(dirname(project), directory, file) === path);
}

/** Milliseconds after which VS Code's own watcher has reported a change. */
const watcherMs = 10_000;
/** Maximum number of files; the rest is left to VS Code's watcher. */
const mostFiles = 5000;
/** Files of the languages that a language server of this IDE checks as a project. */
export function makeCodeFileGlob(): string {
  const endings = ['py', 'pyi', 'ts', 'tsx', 'mts', 'cts', 'js', 'jsx', 'mjs', 'cjs', ...layeredEndings()];
  return `**/*.{${endings.join(',')}}`;
}

/** A glob of the content of folders of builds and dependencies. */
export const ignoredGlob = `**/{${[...ignoredFolders].join(',')}}/**`;

/**
 * Brings language servers up to date with the disk before they compute a change: VS Code's watcher is a moment late in
 * reporting the writes of other programs, such as `git checkout`.
 */
export async function catchUpWithDisk(
  { languageId }: vscode.TextDocument,
  signal: AbortSignal,
): Promise<void> {
  await awaitReloads(signal);
  const files = await vscode.workspace.findFiles(makeCodeFileGlob(), ignoredGlob, mostFiles);
  const since = Date.now() - watcherMs;
  await Promise.all(
    files.map(async (uri) => {
      const stats = await stat(uri.fsPath).catch(() => undefined);
      // Not the modification time, which programs set as they like.
      if (!stats || stats.ctimeMs < since) return;
      await notifyServers(uri, stats.birthtimeMs < since ? 'changed' : 'created');
    }),
  );
  if (isTypeScript(languageId)) await readProjectsAgain();
}
