import * as vscode from 'vscode';
import { raceSignal } from '../../../bridge/lib/index.ts';
import { layeredLanguage } from './layered.ts';
import { python } from './python.ts';
import { isTypeScript, serversOf } from './served.ts';

/** Documents whose project TypeScript's server has read. */
const read = new WeakSet<vscode.TextDocument>();

/**
 * Waits until a document's language features are ready: its extensions are active, and TypeScript's server has read the
 * project (before that, it answers from the single file). Rejects with the signal's reason.
 */
export async function awaitLanguageServers(
  document: vscode.TextDocument,
  signal: AbortSignal,
): Promise<void> {
  const servers = serversOf(document.languageId).filter(({ isActive }) => !isActive);
  // An extension that can't be activated serves nothing; the others may.
  await raceSignal(Promise.allSettled(servers.map((one) => one.activate())), signal);
  if (document.languageId === 'python')
    await raceSignal(
      python().then((one) => one?.ready()),
      signal,
    );
  await raceSignal(
    layeredLanguage(document.languageId).then((one) => one?.ready()),
    signal,
  );
  if (!isTypeScript(document.languageId) || read.has(document)) return;
  const asked = vscode.commands.executeCommand('typescript.tsserverRequest', 'semanticDiagnosticsSync', {
    file: document.uri,
  });
  // Missing if VS Code's TypeScript extension is switched off or older.
  await raceSignal(
    Promise.resolve(asked).catch(() => undefined),
    signal,
  );
  read.add(document);
}
