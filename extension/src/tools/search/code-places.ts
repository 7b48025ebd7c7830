import { access } from 'node:fs/promises';
import * as vscode from 'vscode';
import { type searchTools, toolError, type ToolOutput } from '../../../../bridge/protocol/index.ts';
import { clip } from '../../../../bridge/text/index.ts';
import { formatSymbolKind, isServed } from '../../language/index.ts';
import { clipText } from '../../lib/index.ts';
import {
  type AnyLocation,
  askLanguageServer,
  findDefinedSymbol,
  findPosition,
  isSymbolNamed,
  lastName,
  openCodeDocument,
  readLocationRange,
  readLocationUri,
  type SymbolPlace,
  withReadyServer,
} from '../code/index.ts';
import { formatPath } from '../workspace-place.ts';

/** A symbol in a caller's arguments. A column is sufficient: a name beside it is not searched for. */
export interface NamedSymbol extends SymbolPlace {
  readonly path: string;
}

interface SymbolPosition {
  readonly document: vscode.TextDocument;
  readonly position: vscode.Position;
}

interface NamedFunction extends SymbolPlace {
  readonly path?: string | undefined;
  readonly timeout_ms: number;
}

/** Finds the symbol of a caller's arguments. Errors: those of `openCodeDocument` and `findDefinedSymbol`. */
export async function findNamedSymbol(
  { path, line, column, symbol }: NamedSymbol,
  ms: number,
  signal: AbortSignal,
): Promise<SymbolPosition> {
  const document = await openCodeDocument(path);
  const place = column === undefined ? { line, symbol } : { line, column };
  return { document, position: await findDefinedSymbol(document, place, ms, signal) };
}

/**
 * Finds a function by its name alone, in a file or in the workspace. Errors: those of `findNamedSymbol`; `bad-arguments`, `not-found`,
 * `ambiguous-match`.
 */
export async function findNamedFunction(input: NamedFunction, signal: AbortSignal): Promise<SymbolPosition> {
  const { path, line, column, symbol, timeout_ms: ms } = input;
  if (path === undefined) return findFunctionIn(symbol, { line, column, ms }, signal);
  return findNamedSymbol({ path, line, column, symbol }, ms, signal);
}

async function findFunctionIn(
  symbol: string | undefined,
  { line, column, ms }: { line: number | undefined; column: number | undefined; ms: number },
  signal: AbortSignal,
): Promise<SymbolPosition> {
  if (symbol === undefined || line !== undefined || column !== undefined)
    throw toolError('bad-arguments', 'give the path, or the symbol alone');
  const command = 'vscode.executeWorkspaceSymbolProvider';
  const wanted = lastName(symbol);
  const answer = await withReadyServer(await openWakingDocument(), ms, signal, (how) =>
    askLanguageServer<readonly vscode.SymbolInformation[] | undefined>(command, how, wanted),
  );
  const found = (answer ?? []).filter(
    ({ name, kind }) => functionKinds.includes(kind) && isSymbolNamed(name, wanted),
  );
  const [only] = found;
  if (!only)
    throw toolError('not-found', `no function of the workspace is called ${symbol}`, {
      help: 'Give its path, or look for it with grep_search',
    });
  if (found.length > 1) {
    const places = found.slice(0, 10).map(({ location: { uri, range } }) => {
      return `${formatPath(uri.fsPath)}:${range.start.line + 1}`;
    });
    throw toolError(
      'ambiguous-match',
      `${found.length} functions are called ${symbol}: ${places.join(', ')}`,
      {
        help: 'Give the path',
      },
    );
  }
  const { uri, range } = only.location;
  const document = await openCodeDocument(uri.fsPath);
  return { document, position: findPosition(document, { line: range.start.line + 1, symbol: wanted }) };
}

const functionKinds: readonly vscode.SymbolKind[] = [
  vscode.SymbolKind.Function,
  vscode.SymbolKind.Method,
  vscode.SymbolKind.Constructor,
  vscode.SymbolKind.Class,
];

/** Languages whose servers know symbols of a whole workspace, and their files. */
const wakingFiles = '**/*.{ts,tsx,mts,cts,js,jsx,mjs,cjs,py,go,rs,java,c,cc,cpp,cs,rb,php}';

/** A document in a language that has a server, opened if none is open; undefined if the workspace has none. */
export async function openWakingDocument(): Promise<vscode.TextDocument | undefined> {
  const open = vscode.workspace.textDocuments.find(
    ({ uri, languageId }) => uri.scheme === 'file' && languageId !== 'json' && isServed(languageId),
  );
  if (open) return open;
  for (const uri of await vscode.workspace.findFiles(wakingFiles, '**/node_modules/**', 20)) {
    const document = await vscode.workspace.openTextDocument(uri);
    if (isServed(document.languageId)) return document;
  }
  return undefined;
}

type CodePlaceResult = ToolOutput<typeof searchTools.findReferences>['places'][number];
type CodeSymbolResult = ToolOutput<typeof searchTools.workspaceSymbols>['symbols'][number];

/** A limited number of places, each with its line. */
export async function describePlaces(
  locations: readonly AnyLocation[],
  limit: number,
): Promise<{ places: CodePlaceResult[]; total: number; truncated: boolean }> {
  const unique = new Map(locations.map((one) => [makeLocationKey(one), one]));
  const there = await Promise.all(
    [...unique.values()].map(async (one) => ((await isLocationThere(one)) ? [one] : [])),
  );
  const sorted = there.flat().sort(comparePlaces);
  const places: CodePlaceResult[] = [];
  for (const location of sorted.slice(0, limit)) places.push(await describePlace(location));
  return { places, total: sorted.length, truncated: sorted.length > limit };
}

/** A language server that has a file open may still return it after it was deleted. */
async function isLocationThere(location: AnyLocation): Promise<boolean> {
  const uri = readLocationUri(location);
  if (uri.scheme !== 'file') return true;
  if (vscode.workspace.textDocuments.some((one) => one.isDirty && one.uri.fsPath === uri.fsPath)) return true;
  return access(uri.fsPath).then(
    () => true,
    () => false,
  );
}

async function describePlace(location: AnyLocation): Promise<CodePlaceResult> {
  const { start, end } = readLocationRange(location);
  return {
    path: formatPath(readLocationUri(location).fsPath),
    line: start.line + 1,
    column: start.character + 1,
    end_line: end.line + 1,
    end_column: end.character + 1,
    text: await readLineText(readLocationUri(location), start.line),
  };
}

/** Empty for a file that can no longer be opened. */
async function readLineText(uri: vscode.Uri, line: number): Promise<string> {
  try {
    const document = await vscode.workspace.openTextDocument(uri);
    return line < document.lineCount ? clip(document.lineAt(line).text, 500) : '';
  } catch {
    return '';
  }
}

function makeLocationKey(location: AnyLocation): string {
  const { start, end } = readLocationRange(location);
  return JSON.stringify([
    readLocationUri(location).toString(),
    start.line,
    start.character,
    end.line,
    end.character,
  ]);
}

function comparePlaces(a: AnyLocation, b: AnyLocation): number {
  const [left, right] = [readLocationUri(a).fsPath, readLocationUri(b).fsPath];
  if (left !== right) return left < right ? -1 : 1;
  return readLocationRange(a).start.compareTo(readLocationRange(b).start);
}

/** A symbol with its place: the start of its name, and the end of the whole symbol. */
export function describeSymbol(
  { name, kind, container }: { name: string; kind: vscode.SymbolKind; container: string },
  uri: vscode.Uri,
  range: vscode.Range,
  selection: vscode.Range = range,
): CodeSymbolResult {
  return {
    name: clipText(name),
    kind: formatSymbolKind(kind),
    container: clipText(container),
    path: formatPath(uri.fsPath),
    line: selection.start.line + 1,
    column: selection.start.character + 1,
    end_line: range.end.line + 1,
  };
}
