import * as vscode from 'vscode';
import type { Diagnostic, ParamsOut, ResultOf, ide } from '../../../bridge/protocol/index.ts';
import { clipText, plainRange } from '../lib/index.ts';
import { parseUri, uriText } from './uri.ts';

type Found = readonly [vscode.Uri, vscode.Diagnostic];

/** Most severe first, so that the limit cuts off hints before errors. */
export function diagnostics({
  uri,
  limit,
}: ParamsOut<typeof ide.diagnostics>): ResultOf<typeof ide.diagnostics> {
  const found = uri === undefined ? everywhere() : within(parseUri('ide.diagnostics', uri));
  const worstFirst = found.sort(([, a], [, b]) => a.severity - b.severity);
  return {
    diagnostics: worstFirst.slice(0, limit).map(describe),
    omitted: Math.max(0, found.length - limit),
  };
}

function everywhere(): Found[] {
  return vscode.languages.getDiagnostics().flatMap(([uri, list]) => list.map((one): Found => [uri, one]));
}

function within(uri: vscode.Uri): Found[] {
  return vscode.languages.getDiagnostics(uri).map((one): Found => [uri, one]);
}

function describe([uri, { range, severity, message, source, code }]: Found): Diagnostic {
  const codeValue = typeof code === 'object' ? code.value : code;
  return {
    uri: uriText(uri),
    range: plainRange(range),
    severity: severityName(severity),
    message: clipText(message),
    ...(source !== undefined && { source: clipText(source) }),
    ...(codeValue !== undefined && { code: clipText(String(codeValue)) }),
  };
}

function severityName(severity: vscode.DiagnosticSeverity): Diagnostic['severity'] {
  switch (severity) {
    case vscode.DiagnosticSeverity.Error:
      return 'error';
    case vscode.DiagnosticSeverity.Warning:
      return 'warning';
    case vscode.DiagnosticSeverity.Information:
      return 'information';
    case vscode.DiagnosticSeverity.Hint:
      return 'hint';
  }
}
