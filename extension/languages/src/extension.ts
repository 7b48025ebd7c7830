import type * as vscode from 'vscode';
import { isReplaced, readServerManifest, registerImageDebugger } from './language-manifest.ts';
import { type FileChange, LanguageServer } from './language-server.ts';

/** The exports of `vscode.extensions.getExtension('pwp.cpp')`, and of the extensions for other languages. */
export interface LanguageApi {
  /** Resolves when the server answers and has read the project, or with the reason why it does not run. Never rejects. */
  ready(): Promise<string | undefined>;
  /**
   * Waits until VS Code's diagnostics of a document are about its current text. Rejects if no server runs.
   */
  check(document: vscode.TextDocument): Promise<void>;
  /** Notifies the server at once of a change of a file; the watcher's notification comes later. */
  hear(uri: vscode.Uri, change: FileChange): Promise<void>;
}

/** One program for several languages: the manifest names the server to start. */
export function activate({
  extension,
  storageUri,
  subscriptions,
}: vscode.ExtensionContext): LanguageApi | undefined {
  const manifest = readServerManifest(extension);
  if (isReplaced(manifest)) return undefined;
  const server = new LanguageServer(extension.id, manifest, storageUri);
  subscriptions.push(server, registerImageDebugger(manifest.debugger));
  return {
    ready: () => server.ready(),
    check: (document) => server.check(document),
    hear: (uri, change) => server.hear(uri, change),
  };
}
