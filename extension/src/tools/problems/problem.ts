import * as vscode from 'vscode';
import type { Problem } from '../../../../bridge/protocol/index.ts';
import { clipText } from '../../lib/index.ts';
import { pathText } from '../place/index.ts';

const severities = ['error', 'warning', 'information', 'hint'] as const;

export function plainProblem(uri: vscode.Uri, diagnostic: vscode.Diagnostic): Problem {
  const { range, severity, message, source, code } = diagnostic;
  const codeValue = typeof code === 'object' ? code.value : code;
  return {
    path: pathText(uri.fsPath),
    severity: severities[severity] ?? 'error',
    line: range.start.line + 1,
    column: range.start.character + 1,
    end_line: range.end.line + 1,
    end_column: range.end.character + 1,
    message: clipText(message),
    ...(source !== undefined && { source: clipText(source) }),
    ...(codeValue !== undefined && { code: clipText(String(codeValue)) }),
  };
}

/** The published problems of a file, most severe first. */
export function problemsOf(uri: vscode.Uri): Problem[] {
  return worstFirst(vscode.languages.getDiagnostics(uri).map((one) => plainProblem(uri, one)));
}

export function worstFirst(problems: readonly Problem[]): Problem[] {
  const rank = ({ severity }: Problem) => severities.indexOf(severity);
  return [...problems].sort((a, b) => rank(a) - rank(b) || a.line - b.line || a.column - b.column);
}
