import * as vscode from 'vscode';
import { deadline, isTimeout, messageOf, raceSignal } from '../../../bridge/lib/index.ts';
import {
  ErrorCode,
  RpcError,
  type OutlineSymbol,
  type ParamsOut,
  type ResultOf,
  type ide,
} from '../../../bridge/protocol/index.ts';
import { awaitLanguageServers, isServed, kindName } from '../language/index.ts';
import { clipText, plainRange } from '../lib/index.ts';
import { parseUri, uriText } from './uri.ts';

/** Servers return a tree, older ones a list. */
type AnySymbol = vscode.DocumentSymbol | vscode.SymbolInformation;

/** Answers `ide.outline`. */
export async function outline(
  { uri, limit, timeoutMs }: ParamsOut<typeof ide.outline>,
  signal: AbortSignal,
): Promise<ResultOf<typeof ide.outline>> {
  const document = await documentOf(uri);
  if (!document) {
    const missing = 'no text editor is active: name a uri';
    return { uri: null, version: null, symbols: [], omitted: 0, missing };
  }
  const found = await inTime('ide.outline', timeoutMs, signal, async (within) => {
    await awaitLanguageServers(document, within);
    const asked = vscode.commands.executeCommand<readonly AnySymbol[] | undefined>(
      'vscode.executeDocumentSymbolProvider',
      document.uri,
    );
    return (await raceSignal(Promise.resolve(asked), within)) ?? [];
  });
  const symbols = found.flatMap((symbol) => flat(symbol, 1));
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
export async function symbols(
  { query, limit, timeoutMs }: ParamsOut<typeof ide.symbols>,
  signal: AbortSignal,
): Promise<ResultOf<typeof ide.symbols>> {
  const open = vscode.workspace.textDocuments.find(
    ({ uri, languageId }) => uri.scheme === 'file' && languageId !== 'json' && isServed(languageId),
  );
  const found = await inTime('ide.symbols', timeoutMs, signal, async (within) => {
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
      kind: kindName(kind),
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

async function documentOf(uri: string | undefined): Promise<vscode.TextDocument | undefined> {
  if (uri === undefined) return vscode.window.activeTextEditor?.document;
  const parsed = parseUri('ide.outline', uri);
  try {
    return await vscode.workspace.openTextDocument(parsed);
  } catch (cause) {
    throw new RpcError(ErrorCode.NotFound, `ide.outline: ${messageOf(cause)}`, { cause });
  }
}

async function inTime<T>(
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

function flat(symbol: AnySymbol, level: number): OutlineSymbol[] {
  const { name, kind } = symbol;
  const common = { name: clipText(name), kind: kindName(kind), level };
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
  return [own, ...children.flatMap((child) => flat(child, level + 1))];
}
