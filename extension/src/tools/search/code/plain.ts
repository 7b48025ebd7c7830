import { access } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { ToolOutput, searchTools } from '../../../../../bridge/protocol/index.ts';
import { kindName } from '../../../language/index.ts';
import { clip, clipText } from '../../../lib/index.ts';
import { rangeOf, uriOf, type AnyLocation } from '../../code/index.ts';
import { pathText } from '../../place/index.ts';

export type CodePlace = ToolOutput<typeof searchTools.findReferences>['places'][number];
export type CodeSymbol = ToolOutput<typeof searchTools.workspaceSymbols>['symbols'][number];

/** A limited number of places, each with its line. */
export async function plainPlaces(
  locations: readonly AnyLocation[],
  limit: number,
): Promise<{ places: CodePlace[]; total: number; truncated: boolean }> {
  const unique = new Map(locations.map((one) => [keyOf(one), one]));
  const there = await Promise.all(
    [...unique.values()].map(async (one) => ((await isThere(one)) ? [one] : [])),
  );
  const sorted = there.flat().sort(byPlace);
  const places: CodePlace[] = [];
  for (const location of sorted.slice(0, limit)) places.push(await plainPlace(location));
  return { places, total: sorted.length, truncated: sorted.length > limit };
}

/** A language server that has a file open may still return it after it was deleted. */
async function isThere(location: AnyLocation): Promise<boolean> {
  const uri = uriOf(location);
  if (uri.scheme !== 'file') return true;
  if (vscode.workspace.textDocuments.some((one) => one.isDirty && one.uri.fsPath === uri.fsPath)) return true;
  return access(uri.fsPath).then(
    () => true,
    () => false,
  );
}

async function plainPlace(location: AnyLocation): Promise<CodePlace> {
  const { start, end } = rangeOf(location);
  return {
    path: pathText(uriOf(location).fsPath),
    line: start.line + 1,
    column: start.character + 1,
    end_line: end.line + 1,
    end_column: end.character + 1,
    text: await lineText(uriOf(location), start.line),
  };
}

/** Empty for a file that can no longer be opened. */
async function lineText(uri: vscode.Uri, line: number): Promise<string> {
  try {
    const document = await vscode.workspace.openTextDocument(uri);
    return line < document.lineCount ? clip(document.lineAt(line).text, 500) : '';
  } catch {
    return '';
  }
}

function keyOf(location: AnyLocation): string {
  const { start, end } = rangeOf(location);
  return JSON.stringify([uriOf(location).toString(), start.line, start.character, end.line, end.character]);
}

function byPlace(a: AnyLocation, b: AnyLocation): number {
  const [left, right] = [uriOf(a).fsPath, uriOf(b).fsPath];
  if (left !== right) return left < right ? -1 : 1;
  return rangeOf(a).start.compareTo(rangeOf(b).start);
}

/** A symbol with its place: the start of its name, and the end of the whole symbol. */
export function plainSymbol(
  { name, kind, container }: { name: string; kind: vscode.SymbolKind; container: string },
  uri: vscode.Uri,
  range: vscode.Range,
  selection: vscode.Range = range,
): CodeSymbol {
  return {
    name: clipText(name),
    kind: kindName(kind),
    container: clipText(container),
    path: pathText(uri.fsPath),
    line: selection.start.line + 1,
    column: selection.start.character + 1,
    end_line: range.end.line + 1,
  };
}
