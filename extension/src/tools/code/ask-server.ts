import * as vscode from 'vscode';
import { deadline, isTimeout, raceSignal } from '../../../../bridge/lib/index.ts';
import { toolError } from '../../../../bridge/protocol/index.ts';
import { awaitLanguageServers, howToAdd, isServed, layeredLanguage } from '../../language/index.ts';

/** The time limit of questions. */
export interface ServerQuestion {
  /** Fires when the time is over, or when the caller gives up. */
  readonly signal: AbortSignal;
}

/**
 * Asks the language server of a document questions, once it is ready. Errors: `language-server-timeout`.
 * @param ms maximum milliseconds for all questions together
 * @param document undefined for questions about the whole workspace
 */
export async function withReadyServer<T>(
  document: vscode.TextDocument | undefined,
  ms: number,
  signal: AbortSignal,
  questions: (asking: ServerQuestion) => Promise<T>,
): Promise<T> {
  using limit = deadline('the language server', ms, signal);
  try {
    if (document) {
      await awaitLanguageServers(document, limit.signal);
      await raceSignal(refuseFailedServer(document), limit.signal);
    }
    return await questions({ signal: limit.signal });
  } catch (error) {
    if (signal.aborted || !isTimeout(error)) throw error;
    throw toolError('language-server-timeout', `the language server did not answer within ${ms} ms`, {
      help: 'It may still be reading the project: ask again with more time, or use grep_search',
      cause: error,
    });
  }
}

/**
 * Asks one question.
 * @param command one of VS Code's commands that ask providers, e.g. `vscode.executeHoverProvider`
 */
export function askLanguageServer<T>(
  command: string,
  { signal }: ServerQuestion,
  ...given: unknown[]
): Promise<T> {
  return raceSignal(Promise.resolve(vscode.commands.executeCommand<T>(command, ...given)), signal);
}

/** The result of a question with an empty answer. Errors: `no-language-server` if no server could have answered it. */
export function refuseUnserved({ languageId }: vscode.TextDocument): void {
  if (isServed(languageId)) return;
  const how = howToAdd(languageId);
  const nothing = `nothing in this IDE answers such questions for ${languageId}`;
  throw toolError('no-language-server', how === undefined ? nothing : `${nothing}; ${how}`, {
    help: 'Use grep_search, or install an extension for the language',
  });
}

/** For VS Code, a server that does not run is one that finds nothing. Errors: `no-language-server`. */
export async function refuseFailedServer({ languageId }: vscode.TextDocument): Promise<void> {
  const server = await layeredLanguage(languageId);
  const failure = await server?.ready();
  if (failure === undefined) return;
  throw toolError('no-language-server', `the language server of ${languageId} does not run: ${failure}`, {
    help: 'Use grep_search',
  });
}

/** A symbol of a file, and the one that it is part of. */
export interface OutlinedSymbol {
  readonly symbol: vscode.DocumentSymbol;
  readonly parent: OutlinedSymbol | undefined;
}

/** All symbols of a file, each after the one that it is part of. */
export async function fetchOutline(uri: vscode.Uri, asking: ServerQuestion): Promise<OutlinedSymbol[]> {
  const command = 'vscode.executeDocumentSymbolProvider';
  const symbols = (await askLanguageServer<vscode.DocumentSymbol[] | undefined>(command, asking, uri)) ?? [];
  const flat = (symbol: vscode.DocumentSymbol, parent: OutlinedSymbol | undefined): OutlinedSymbol[] => {
    const one = { symbol, parent };
    return [one, ...(symbol.children ?? []).flatMap((child) => flat(child, one))];
  };
  // Older servers return a list, whose symbols have no ranges for their names.
  return symbols.filter((one) => 'children' in one).flatMap((one) => flat(one, undefined));
}

/** A place in a language server's answer, in one of two forms. */
export type AnyLocation = vscode.Location | vscode.LocationLink;

export function readLocationUri(location: AnyLocation): vscode.Uri {
  return 'targetUri' in location ? location.targetUri : location.uri;
}

/** The range of the name, if the server reports it. */
export function readLocationRange(location: AnyLocation): vscode.Range {
  return 'targetUri' in location ? (location.targetSelectionRange ?? location.targetRange) : location.range;
}
