import * as vscode from 'vscode';
import { deadline, poll, raceSignal, type Probe } from '../../../../bridge/lib/index.ts';
import { toolError, toolErrorReason } from '../../../../bridge/protocol/index.ts';
import { python } from '../../language/index.ts';
import { refuseFailed } from '../code/index.ts';
import { problemsBefore, whyUnchecked } from '../problems/index.ts';

/** Maximum milliseconds for the first answer of a language server that starts with the first question. */
const readyMs = 60_000;
const typeScript: ReadonlySet<string> = new Set([
  'typescript',
  'typescriptreact',
  'javascript',
  'javascriptreact',
]);
/** Languages whose server is known to answer. */
const served = new Set<string>();
/** A document without symbols gets no answer either: after this many questions, that is assumed to be the reason. */
const mostTries = 20;
/** Maximum time for VS Code to publish the problems of a server's answer, in milliseconds. */
const publishMs = 10_000;

/**
 * Waits until the language server of a document answers, and knows the whole project. VS Code starts it with the first
 * document of its language, and earlier questions stay unanswered; while TypeScript loads a project, a second server
 * answers that only knows open files. Errors: `language-server-timeout`.
 */
export async function awaitServer(document: vscode.TextDocument, signal: AbortSignal): Promise<void> {
  if (whyUnchecked(document) !== undefined) return;
  using limit = deadline('start of the language server', readyMs, signal);
  let tries = 0;
  try {
    if (document.languageId === 'python')
      await raceSignal(
        python().then((one) => one?.ready()),
        limit.signal,
      );
    await raceSignal(refuseFailed(document), limit.signal);
    await poll('the language server', () => probe(document, ++tries, limit.signal), {
      intervalMs: 100,
      signal: limit.signal,
    });
  } catch (cause) {
    signal.throwIfAborted();
    if (toolErrorReason(cause) !== undefined) throw cause;
    throw toolError('language-server-timeout', `the language server was not ready within ${readyMs} ms`, {
      cause,
      help: 'Try again: a large project takes long to load',
    });
  }
}

async function probe(
  { uri, languageId }: vscode.TextDocument,
  tries: number,
  signal: AbortSignal,
): Promise<Probe<undefined>> {
  if (typeScript.has(languageId)) {
    // The second server never answers this.
    const asked = vscode.commands.executeCommand('typescript.tsserverRequest', 'semanticDiagnosticsSync', {
      file: uri,
    });
    const answer = (await raceSignal(Promise.resolve(asked), signal)) as
      { readonly type?: string } | undefined;
    if (answer?.type !== 'response') return { done: false, saw: 'TypeScript does not answer' };
  }
  if (served.has(languageId)) return { done: true, value: undefined };
  const symbols = vscode.commands.executeCommand<unknown>('vscode.executeDocumentSymbolProvider', uri);
  const known = (await raceSignal(Promise.resolve(symbols), signal)) !== undefined;
  if (!known && tries < mostTries) return { done: false, saw: 'no server answers' };
  served.add(languageId);
  return { done: true, value: undefined };
}

/**
 * Shows a document and waits until VS Code knows its problems: quick fixes are offered for published problems, and those
 * of visible documents are published.
 */
export async function awaitPublished(document: vscode.TextDocument, signal: AbortSignal): Promise<void> {
  const { uri } = document;
  const shown = vscode.window.visibleTextEditors.some((editor) => editor.document === document);
  if (!shown) await vscode.window.showTextDocument(document, { preserveFocus: true, preview: false });
  const problems = await problemsBefore(document, true, publishMs, signal);
  const wanted = (problems ?? []).filter(({ severity }) => severity === 'error').length;
  const published = () =>
    vscode.languages
      .getDiagnostics(uri)
      .filter(({ severity }) => severity === vscode.DiagnosticSeverity.Error);
  using limit = deadline('published problems', publishMs, signal);
  while (published().length < wanted) {
    let listening: vscode.Disposable | undefined;
    const changed = new Promise<void>((resolve) => {
      listening = vscode.languages.onDidChangeDiagnostics(() => resolve());
    });
    const reported = await raceSignal(changed, limit.signal).then(
      () => true,
      () => false,
    );
    listening?.dispose();
    signal.throwIfAborted();
    if (!reported) return;
  }
}
