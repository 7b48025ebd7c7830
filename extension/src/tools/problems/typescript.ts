import * as vscode from 'vscode';
import { raceSignal } from '../../../../bridge/lib/index.ts';
import type { Problem } from '../../../../bridge/protocol/index.ts';
import { awaitLanguageServers, isTypeScript, readProjectsAgain } from '../../language/index.ts';
import { clipText } from '../../lib/index.ts';
import { pathText } from '../place/index.ts';

/** Answers of TypeScript's server, in its own protocol: both numbers of a place count from 1. */
interface TsDiagnostic {
  readonly start: { readonly line: number; readonly offset: number };
  readonly end: { readonly line: number; readonly offset: number };
  readonly text: string;
  readonly code?: number;
  readonly category: string;
}

/**
 * Asks TypeScript's server about the current text: unlike published diagnostics, the answer is known to be about it.
 * Undefined if the language is not TypeScript's, or if the server doesn't answer such questions.
 */
export async function askTypeScript(
  document: vscode.TextDocument,
  signal: AbortSignal,
): Promise<Problem[] | undefined> {
  if (!isTypeScript(document.languageId)) return undefined;
  await awaitLanguageServers(document, signal);
  await readProjectsAgain();
  const kinds = document.languageId.startsWith('typescript')
    ? (['syntacticDiagnosticsSync', 'semanticDiagnosticsSync'] as const)
    : (['syntacticDiagnosticsSync'] as const);
  const answers = await Promise.all(kinds.map((kind) => ask(kind, document.uri, signal)));
  if (answers.some((answer) => answer === undefined)) return undefined;
  return answers.flatMap((answer) => answer ?? []).map((one) => plain(document.uri, one));
}

async function ask(
  kind: string,
  file: vscode.Uri,
  signal: AbortSignal,
): Promise<readonly TsDiagnostic[] | undefined> {
  const asked = vscode.commands.executeCommand('typescript.tsserverRequest', kind, { file });
  const answer = (await raceSignal(Promise.resolve(asked), signal)) as
    { readonly type?: string; readonly body?: unknown } | undefined;
  return answer?.type === 'response' && Array.isArray(answer.body)
    ? (answer.body as readonly TsDiagnostic[])
    : undefined;
}

function plain(uri: vscode.Uri, { start, end, text, code, category }: TsDiagnostic): Problem {
  const severity =
    category === 'error' || category === 'warning'
      ? category
      : category === 'suggestion'
        ? 'hint'
        : 'information';
  return {
    path: pathText(uri.fsPath),
    severity,
    line: start.line,
    column: start.offset,
    end_line: end.line,
    end_column: end.offset,
    message: clipText(text),
    source: 'ts',
    ...(code !== undefined && { code: String(code) }),
  };
}
