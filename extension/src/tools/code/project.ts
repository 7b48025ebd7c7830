import { readFile, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { isTypeScript } from '../../language/index.ts';
import { ignoredGlob } from './late-changes.ts';
import { openLayered } from './layered-project.ts';

/** Maximum number of scripts that are opened: TypeScript's server keeps all of them in memory. */
const mostScripts = 1000;
const scripts = '**/*.{ts,tsx,mts,cts,js,jsx,mjs,cjs}';

/** Scripts that belong to no project file; a server only knows the open ones. */
export interface LooseScripts {
  readonly uris: readonly vscode.Uri[];
  /** Why an answer may be incomplete; null if the server knows all scripts. */
  readonly incomplete: string | null;
}

const none: LooseScripts = { uris: [], incomplete: null };

/** The scripts that form one project with a document, unless a `tsconfig.json` or `jsconfig.json` defines the project. */
export async function looseScripts({ languageId, uri }: vscode.TextDocument): Promise<LooseScripts> {
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  if (!isTypeScript(languageId) || !folder) return none;
  const projects = new Map<string, Promise<boolean>>();
  const isLoose = async (one: vscode.Uri) => !(await hasProject(one.fsPath, folder.uri.fsPath, projects));
  if (!(await isLoose(uri))) return none;
  const pattern = new vscode.RelativePattern(folder, scripts);
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
  const { uris, incomplete } = await looseScripts(document);
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
