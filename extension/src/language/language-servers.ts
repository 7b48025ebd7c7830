import * as vscode from 'vscode';
import { raceSignal } from '../../../bridge/lib/index.ts';
import { findNearestName, toolError } from '../../../bridge/protocol/index.ts';
import { layeredEndings, layeredLanguage, notifyLayered } from './layered-languages.ts';
import {
  activatePython,
  type DiskChange,
  isPythonServed,
  notifyPython,
  pythonExtension,
} from './python-extension.ts';

/** Documents whose project TypeScript's server has read. */
const documentsRead = new WeakSet<vscode.TextDocument>();

/**
 * Waits until a document's language features are ready: its extensions are active, and TypeScript's server has read the
 * project (before that, it answers from the single file). Rejects with the signal's reason.
 */
export async function awaitLanguageServers(
  document: vscode.TextDocument,
  signal: AbortSignal,
): Promise<void> {
  const servers = listServers(document.languageId).filter(({ isActive }) => !isActive);
  // An extension that can't be activated serves nothing; the others may.
  await raceSignal(Promise.allSettled(servers.map((one) => one.activate())), signal);
  if (document.languageId === 'python')
    await raceSignal(
      activatePython().then((one) => one?.ready()),
      signal,
    );
  await raceSignal(
    layeredLanguage(document.languageId).then((one) => one?.ready()),
    signal,
  );
  if (!isTypeScript(document.languageId) || documentsRead.has(document)) return;
  const asked = vscode.commands.executeCommand('typescript.tsserverRequest', 'semanticDiagnosticsSync', {
    file: document.uri,
  });
  // Missing if VS Code's TypeScript extension is switched off or older.
  await raceSignal(
    Promise.resolve(asked).catch(() => undefined),
    signal,
  );
  documentsRead.add(document);
}

/** VS Code's own extensions that activate for a language but only handle special files of it. */
const specialFileExtensions = [
  'vscode.configuration-editing',
  'vscode.extension-editing',
  'vscode.npm',
  'vscode.emmet',
];

/**
 * Extensions with a program that activate for a language. VS Code does not report which extension answers which question:
 * this is the closest approximation.
 */
function listServers(language: string): vscode.Extension<unknown>[] {
  return vscode.extensions.all.filter(({ id, packageJSON }) => {
    const { main, browser, activationEvents } = packageJSON as ServerExtensionManifest;
    if ((main === undefined && browser === undefined) || specialFileExtensions.includes(id)) return false;
    if (id === pythonExtension && !isPythonServed()) return false;
    return activationEvents?.includes(`onLanguage:${language}`) === true;
  });
}

export function isServed(language: string): boolean {
  return listServers(language).length > 0;
}

/** Whether it is a language of VS Code's own TypeScript extension. */
export function isTypeScript(language: string): boolean {
  return ['typescript', 'typescriptreact', 'javascript', 'javascriptreact'].includes(language);
}

interface ServerExtensionManifest {
  readonly main?: string;
  readonly browser?: string;
  readonly activationEvents?: readonly string[];
}

/**
 * Notifies language servers of a tool's change on disk, so that their next answer takes it into account: VS Code's own
 * watcher notifies them a moment later.
 */
export async function notifyServers(uri: vscode.Uri, change: DiskChange): Promise<void> {
  notifyTypeScript(uri);
  await Promise.all([notifyPython(uri, change), notifyLayered(uri, change)]);
}

/** Maximum number of files of a folder; the rest is left to VS Code's watcher. */
const mostModules = 2000;

/**
 * The changes to report when a folder is added or removed: itself, and the modules in it, which language servers track
 * one by one. Call it while the folder exists.
 */
export async function listModules(folder: vscode.Uri): Promise<vscode.Uri[]> {
  const endings = ['py', 'pyi', ...layeredEndings()];
  const pattern = new vscode.RelativePattern(folder, `**/*.{${endings.join(',')}}`);
  return [folder, ...(await vscode.workspace.findFiles(pattern, null, mostModules))];
}

/** Scripts, their project files, and folders, whose names seldom contain a dot. */
const typeScriptFiles = /(?:\.(?:[cm]?[jt]sx?|json)|\/[^./]+)$/;

let typeScriptFilesChanged = false;

/** After a change on disk, TypeScript's server reads its projects again before the next question. */
function notifyTypeScript({ path }: vscode.Uri): void {
  typeScriptFilesChanged ||= typeScriptFiles.test(path);
}

/** Makes TypeScript's server read its projects again if a tool has changed something on disk since. */
export async function readProjectsAgain(): Promise<void> {
  if (!typeScriptFilesChanged) return;
  typeScriptFilesChanged = false;
  // It answers in order, so there is nothing to wait for.
  await vscode.commands.executeCommand('typescript.reloadProjects');
}

/** `Class` becomes class, `EnumMember` enum member. */
export function formatSymbolKind(kind: vscode.SymbolKind): string {
  const name = (vscode.SymbolKind as Readonly<Record<number, string | undefined>>)[kind] ?? 'symbol';
  return name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
}

/** Errors: `bad-arguments` for an unknown language, which VS Code itself would accept. */
export async function refuseUnknownLanguage(language: string | undefined): Promise<void> {
  if (language === undefined) return;
  const known = await vscode.languages.getLanguages();
  if (known.includes(language)) return;
  const near = findNearestName(language, known);
  throw toolError('bad-arguments', `VS Code knows no language ${JSON.stringify(language)}`, {
    help: near === undefined ? `It knows ${known.sort().join(', ')}` : `Did you mean ${near}?`,
  });
}
