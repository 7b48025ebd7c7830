import * as vscode from 'vscode';
import type { DiskChange } from './python.ts';

/** What an extension lets others call that is there with the image's layer of a language: `LanguageApi` there. */
export interface LayeredLanguage {
  /** Resolves when the server answers and has read the project, or with the reason why none runs. Never rejects. */
  ready(): Promise<string | undefined>;
  /**
   * Waits until what VS Code has of a document's diagnostics is about its text as it is now. Rejects if no server runs.
   */
  check(document: vscode.TextDocument): Promise<void>;
  /** Notifies the server at once of a change of a file; the watcher's notification comes later. */
  hear(uri: vscode.Uri, change: DiskChange): Promise<void>;
}

/** Of `host/node/languages.ts`. */
const extensions = ['pwp.cpp', 'pwp.go', 'pwp.rust'] as const;

/** Files that concern the server of each. */
const concerns: Readonly<Record<string, RegExp>> = {
  'pwp.cpp': /\.(?:c|cc|cpp|cxx|c\+\+|h|hh|hpp|hxx|inc|inl)$|\/compile_(?:commands\.json|flags\.txt)$/,
  'pwp.go': /\.go$|\/go\.(?:mod|sum|work)$/,
  'pwp.rust': /\.rs$|\/Cargo\.(?:toml|lock)$/,
};

/** Names of code files, of each. */
const endings: Readonly<Record<string, readonly string[]>> = {
  'pwp.cpp': ['c', 'cc', 'cpp', 'cxx', 'h', 'hh', 'hpp', 'hxx'],
  'pwp.go': ['go'],
  'pwp.rust': ['rs'],
};

/** Which layer of an image has the server of a language that the usual image has none for. */
const layers: Readonly<Record<string, string>> = { c: 'cpp', cpp: 'cpp', go: 'go', rust: 'rust' };
/** Of these neither Debian nor npm have one. */
const without: readonly string[] = ['java', 'csharp'];

interface Manifest {
  readonly pwp?: { readonly languages: readonly string[]; readonly replacedBy: string };
}

/** Those of this image, but for one that another extension replaces. */
function present(): vscode.Extension<LayeredLanguage | undefined>[] {
  return extensions.flatMap((id) => {
    const found = vscode.extensions.getExtension<LayeredLanguage | undefined>(id);
    const { pwp } = (found?.packageJSON ?? {}) as Manifest;
    return found && pwp && !vscode.extensions.getExtension(pwp.replacedBy) ? [found] : [];
  });
}

function extensionFor(language: string): vscode.Extension<LayeredLanguage | undefined> | undefined {
  return present().find(({ packageJSON }) => (packageJSON as Manifest).pwp?.languages.includes(language));
}

/** Whether the image has a server for a language in addition. */
export function isLayered(language: string): boolean {
  return extensionFor(language) !== undefined;
}

/** How the IDE gets what knows a language; undefined if it is there, or no layer of an image has it. */
export function howToAdd(language: string): string | undefined {
  const layer = layers[language];
  if (isLayered(language)) return undefined;
  if (without.includes(language)) return `no image of this program has a language server for ${language}`;
  return layer && `an IDE that is started with it has one: pwp up --with ${layer}`;
}

/** Its server; undefined for all other languages. */
export async function layeredLanguage(language: string): Promise<LayeredLanguage | undefined> {
  return extensionFor(language)?.activate();
}

/** Endings of the names of code files whose server is there in addition. */
export function layeredEndings(): string[] {
  return present().flatMap(({ id }) => endings[id] ?? []);
}

/** Notifies the servers that run of a change of a file. */
export async function notifyLayered(uri: vscode.Uri, change: DiskChange): Promise<void> {
  const concerned = present().filter(({ id, isActive }) => isActive && concerns[id]?.test(uri.path) === true);
  await Promise.all(concerned.map(async ({ exports }) => exports?.hear(uri, change)));
}
