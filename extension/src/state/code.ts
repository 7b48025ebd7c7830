import * as vscode from 'vscode';
import { deadline, describeError, isTimeout, raceSignal } from '../../../bridge/lib/index.ts';
import {
  type Diagnostic,
  ErrorCode,
  type ide,
  type OutlineSymbol,
  type ParamsOut,
  type ResultOf,
  RpcError,
} from '../../../bridge/protocol/index.ts';
import { awaitLanguageServers, formatSymbolKind, isServed } from '../language/index.ts';
import { clipText, plainRange } from '../lib/index.ts';
import { parseUri, uriText } from './protocol-uri.ts';

/** Servers return a tree, older ones a list. */
type AnySymbol = vscode.DocumentSymbol | vscode.SymbolInformation;

/** Answers `ide.outline`. */
export async function readOutline(
  { uri, limit, timeoutMs }: ParamsOut<typeof ide.outline>,
  signal: AbortSignal,
): Promise<ResultOf<typeof ide.outline>> {
  const document = await openOutlineDocument(uri);
  if (!document) {
    const missing = 'no text editor is active: name a uri';
    return { uri: null, version: null, symbols: [], omitted: 0, missing };
  }
  const found = await askInTime('ide.outline', timeoutMs, signal, async (within) => {
    await awaitLanguageServers(document, within);
    const asked = vscode.commands.executeCommand<readonly AnySymbol[] | undefined>(
      'vscode.executeDocumentSymbolProvider',
      document.uri,
    );
    return (await raceSignal(Promise.resolve(asked), within)) ?? [];
  });
  const symbols = found.flatMap((symbol) => flattenSymbol(symbol, 1));
  const unserved = symbols.length === 0 && !isServed(document.languageId);
  return {
    uri: uriText(document.uri),
    version: document.version,
    symbols: symbols.slice(0, limit),
    omitted: Math.max(0, symbols.length - limit),
    missing: unserved ? `nothing in this IDE provides the symbols of ${document.languageId}` : null,
  };
}

/** Answers `ide.symbols`. */
export async function readSymbols(
  { query, limit, timeoutMs }: ParamsOut<typeof ide.symbols>,
  signal: AbortSignal,
): Promise<ResultOf<typeof ide.symbols>> {
  const open = vscode.workspace.textDocuments.find(
    ({ uri, languageId }) => uri.scheme === 'file' && languageId !== 'json' && isServed(languageId),
  );
  const found = await askInTime('ide.symbols', timeoutMs, signal, async (within) => {
    if (open) await awaitLanguageServers(open, within);
    const asked = vscode.commands.executeCommand<readonly vscode.SymbolInformation[] | undefined>(
      'vscode.executeWorkspaceSymbolProvider',
      query,
    );
    return (await raceSignal(Promise.resolve(asked), within)) ?? [];
  });
  const none = found.length === 0 && !open;
  return {
    symbols: found.slice(0, limit).map(({ name, kind, containerName, location }) => ({
      name: clipText(name),
      kind: formatSymbolKind(kind),
      container: clipText(containerName),
      uri: uriText(location.uri),
      range: plainRange(location.range),
    })),
    omitted: Math.max(0, found.length - limit),
    missing: none
      ? 'a language server knows a workspace once a file of its language is open: open one'
      : null,
  };
}

async function openOutlineDocument(uri: string | undefined): Promise<vscode.TextDocument | undefined> {
  if (uri === undefined) return vscode.window.activeTextEditor?.document;
  const parsed = parseUri('ide.outline', uri);
  try {
    return await vscode.workspace.openTextDocument(parsed);
  } catch (cause) {
    throw new RpcError(ErrorCode.NotFound, `ide.outline: ${describeError(cause)}`, { cause });
  }
}

async function askInTime<T>(
  what: string,
  ms: number,
  signal: AbortSignal,
  run: (within: AbortSignal) => Promise<T>,
): Promise<T> {
  using limit = deadline(what, ms, signal);
  try {
    return await run(limit.signal);
  } catch (error) {
    if (signal.aborted || !isTimeout(error)) throw error;
    throw new RpcError(ErrorCode.TimedOut, `${what}: the language server did not answer in ${ms} ms`, {
      cause: error,
    });
  }
}

function flattenSymbol(symbol: AnySymbol, level: number): OutlineSymbol[] {
  const { name, kind } = symbol;
  const common = { name: clipText(name), kind: formatSymbolKind(kind), level };
  if (!('children' in symbol)) {
    const range = plainRange(symbol.location.range);
    return [{ ...common, detail: '', range, selection: range }];
  }
  const { range, selectionRange, detail, children } = symbol;
  const own = {
    ...common,
    detail: clipText(detail ?? ''),
    range: plainRange(range),
    selection: plainRange(selectionRange),
  };
  return [own, ...children.flatMap((child) => flattenSymbol(child, level + 1))];
}

type FoundDiagnostic = readonly [vscode.Uri, vscode.Diagnostic];

/** Most severe first, so that the limit cuts off hints before errors. */
export function readDiagnostics({
  uri,
  limit,
}: ParamsOut<typeof ide.diagnostics>): ResultOf<typeof ide.diagnostics> {
  const found =
    uri === undefined ? listAllDiagnostics() : listFileDiagnostics(parseUri('ide.diagnostics', uri));
  const worstFirst = found.sort(([, a], [, b]) => a.severity - b.severity);
  return {
    diagnostics: worstFirst.slice(0, limit).map(describeDiagnostic),
    omitted: Math.max(0, found.length - limit),
  };
}

function listAllDiagnostics(): FoundDiagnostic[] {
  return vscode.languages
    .getDiagnostics()
    .flatMap(([uri, list]) => list.map((one): FoundDiagnostic => [uri, one]));
}

function listFileDiagnostics(uri: vscode.Uri): FoundDiagnostic[] {
  return vscode.languages.getDiagnostics(uri).map((one): FoundDiagnostic => [uri, one]);
}

function describeDiagnostic([uri, { range, severity, message, source, code }]: FoundDiagnostic): Diagnostic {
  const codeValue = typeof code === 'object' ? code.value : code;
  return {
    uri: uriText(uri),
    range: plainRange(range),
    severity: formatSeverity(severity),
    message: clipText(message),
    ...(source !== undefined && { source: clipText(source) }),
    ...(codeValue !== undefined && { code: clipText(String(codeValue)) }),
  };
}

function formatSeverity(severity: vscode.DiagnosticSeverity): Diagnostic['severity'] {
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
