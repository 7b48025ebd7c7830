import * as vscode from 'vscode';
import type { DiskChange } from './python-extension.ts';

/** The API of the extension in an image's layer for a language: `LanguageApi` there. */
interface LayeredLanguage {
  /** Resolves when the server answers and has read the project, or with the reason why it does not run. Never rejects. */
  ready(): Promise<string | undefined>;
  /**
   * Waits until VS Code's diagnostics of a document are about its current text. Rejects if no server runs.
   */
  check(document: vscode.TextDocument): Promise<void>;
  /** Notifies the server at once of a change of a file; the watcher's notification comes later. */
  hear(uri: vscode.Uri, change: DiskChange): Promise<void>;
}

/** Of `host/node/sandbox-spec.ts`. */
const extensions = ['pwp.cpp', 'pwp.go', 'pwp.rust'] as const;

/** Files that concern the server of each. */
const serverFiles: Readonly<Record<string, RegExp>> = {
  'pwp.cpp': /\.(?:c|cc|cpp|cxx|c\+\+|h|hh|hpp|hxx|inc|inl)$|\/compile_(?:commands\.json|flags\.txt)$/,
  'pwp.go': /\.go$|\/go\.(?:mod|sum|work)$/,
  'pwp.rust': /\.rs$|\/Cargo\.(?:toml|lock)$/,
};

/** Names of code files, of each. */
const codeFileEndings: Readonly<Record<string, readonly string[]>> = {
  'pwp.cpp': ['c', 'cc', 'cpp', 'cxx', 'h', 'hh', 'hpp', 'hxx'],
  'pwp.go': ['go'],
  'pwp.rust': ['rs'],
};

/** The image layers with servers for languages that the standard image has no server for. */
const layers: Readonly<Record<string, string>> = { c: 'cpp', cpp: 'cpp', go: 'go', rust: 'rust' };
/** Languages without a server in Debian or npm. */
const languagesWithoutServer: readonly string[] = ['java', 'csharp'];

interface Manifest {
  readonly pwp?: { readonly languages: readonly string[]; readonly replacedBy: string };
}

/** The layers of this image, without those that another extension replaces. */
function listLayerExtensions(): vscode.Extension<LayeredLanguage | undefined>[] {
  return extensions.flatMap((id) => {
    const found = vscode.extensions.getExtension<LayeredLanguage | undefined>(id);
    const { pwp } = (found?.packageJSON ?? {}) as Manifest;
    return found && pwp && !vscode.extensions.getExtension(pwp.replacedBy) ? [found] : [];
  });
}

function extensionFor(language: string): vscode.Extension<LayeredLanguage | undefined> | undefined {
  return listLayerExtensions().find(({ packageJSON }) =>
    (packageJSON as Manifest).pwp?.languages.includes(language),
  );
}

/** Whether a layer of the image has a server for a language. */
export function isLayered(language: string): boolean {
  return extensionFor(language) !== undefined;
}

/** How to get a server for a language; undefined if it is installed, or if no image layer has one. */
export function howToAdd(language: string): string | undefined {
  const layer = layers[language];
  if (isLayered(language)) return undefined;
  if (languagesWithoutServer.includes(language))
    return `no image of this program has a language server for ${language}`;
  return layer && `an IDE that is started with it has one: pwp up --with ${layer}`;
}

/** The server of a language's layer; undefined for all other languages. */
export async function layeredLanguage(language: string): Promise<LayeredLanguage | undefined> {
  return extensionFor(language)?.activate();
}

/** Extensions of code files whose servers the image's layers have. */
export function layeredEndings(): string[] {
  return listLayerExtensions().flatMap(({ id }) => codeFileEndings[id] ?? []);
}

/** Notifies the running servers of a change of a file. */
export async function notifyLayered(uri: vscode.Uri, change: DiskChange): Promise<void> {
  const concerned = listLayerExtensions().filter(
    ({ id, isActive }) => isActive && serverFiles[id]?.test(uri.path) === true,
  );
  await Promise.all(concerned.map(async ({ exports }) => exports?.hear(uri, change)));
}
