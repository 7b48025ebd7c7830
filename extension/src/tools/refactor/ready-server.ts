import * as vscode from 'vscode';
import { deadline, poll, type Probe, raceSignal } from '../../../../bridge/lib/index.ts';
import { toolError, toolErrorReason } from '../../../../bridge/protocol/index.ts';
import { activatePython } from '../../language/index.ts';
import { readProblemsBefore } from '../check-problems.ts';
import { askLanguageServer, readDocumentLine, refuseFailedServer, withReadyServer } from '../code/index.ts';
import { explainUnchecked } from '../problem-sources.ts';

/** Maximum milliseconds for the first answer of a language server that starts with the first question. */
const readyMs = 60_000;
const typeScriptLanguages: ReadonlySet<string> = new Set([
  'typescript',
  'typescriptreact',
  'javascript',
  'javascriptreact',
]);
/** Languages whose server is known to answer. */
const answeringLanguages = new Set<string>();
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
  if (explainUnchecked(document) !== undefined) return;
  using limit = deadline('start of the language server', readyMs, signal);
  let tries = 0;
  try {
    if (document.languageId === 'python')
      await raceSignal(
        activatePython().then((one) => one?.ready()),
        limit.signal,
      );
    await raceSignal(refuseFailedServer(document), limit.signal);
    await poll('the language server', () => probeServer(document, ++tries, limit.signal), {
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

async function probeServer(
  { uri, languageId }: vscode.TextDocument,
  tries: number,
  signal: AbortSignal,
): Promise<Probe<undefined>> {
  if (typeScriptLanguages.has(languageId)) {
    // The second server never answers this.
    const asked = vscode.commands.executeCommand('typescript.tsserverRequest', 'semanticDiagnosticsSync', {
      file: uri,
    });
    const answer = (await raceSignal(Promise.resolve(asked), signal)) as
      { readonly type?: string } | undefined;
    if (answer?.type !== 'response') return { done: false, saw: 'TypeScript does not answer' };
  }
  if (answeringLanguages.has(languageId)) return { done: true, value: undefined };
  const symbols = vscode.commands.executeCommand<unknown>('vscode.executeDocumentSymbolProvider', uri);
  const known = (await raceSignal(Promise.resolve(symbols), signal)) !== undefined;
  if (!known && tries < mostTries) return { done: false, saw: 'no server answers' };
  answeringLanguages.add(languageId);
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
  const problems = await readProblemsBefore(document, true, publishMs, signal);
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

/** Maximum time for one question to a language server, in milliseconds. */
const serverAnswerMs = 30_000;

/** A part of a document in a caller's arguments; numbers count from 1. Errors: `bad-arguments`. */
export function resolveRange(
  document: vscode.TextDocument,
  given: {
    line: number;
    column?: number | undefined;
    end_line?: number | undefined;
    end_column?: number | undefined;
  },
): vscode.Range {
  const firstText = readDocumentLine(document, given.line);
  const last = given.end_line ?? given.line;
  const lastText = readDocumentLine(document, last);
  const end =
    given.end_column ??
    (given.column !== undefined && given.end_line === undefined ? given.column : lastText.length + 1);
  const column = given.column ?? 1;
  refuseColumn(given.line, column, firstText);
  refuseColumn(last, end, lastText);
  const start = new vscode.Position(given.line - 1, column - 1);
  const stop = new vscode.Position(last - 1, end - 1);
  if (stop.isBefore(start))
    throw toolError('bad-arguments', `the end ${last}:${end} is before the start ${given.line}:${column}`);
  return new vscode.Range(start, stop);
}

function refuseColumn(line: number, column: number, { length }: string): void {
  if (column <= length + 1) return;
  throw toolError('bad-arguments', `line ${line} has ${length} characters, no column ${column}`);
}

/** Asks the language server by one of VS Code's commands. Errors: `language-server-timeout`. */
export function askForRefactor<T>(command: string, signal: AbortSignal, ...given: unknown[]): Promise<T> {
  return withReadyServer(undefined, serverAnswerMs, signal, (how) =>
    askLanguageServer<T>(command, how, ...given),
  );
}
