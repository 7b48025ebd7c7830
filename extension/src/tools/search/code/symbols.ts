import type * as vscode from 'vscode';
import {
  toolError,
  type searchTools,
  type ToolInput,
  type ToolOutput,
} from '../../../../../bridge/protocol/index.ts';
import type { ToolContext } from '../../../../../bridge/rpc/index.ts';
import { clipText } from '../../../lib/index.ts';
import { pathText } from '../../place/index.ts';
import { ask, asking, documentAt, refuseUnserved } from '../../code/index.ts';
import { plainSymbol } from './plain.ts';
import { waker } from './waker.ts';

type Search = typeof searchTools;
type Outline = ToolOutput<Search['documentSymbols']>;

export async function documentSymbols(
  input: ToolInput<Search['documentSymbols']>,
  { signal }: ToolContext,
): Promise<Outline> {
  const document = await documentAt(input.path);
  const command = 'vscode.executeDocumentSymbolProvider';
  const found = await asking(document, input.timeout_ms, signal, (how) =>
    ask<readonly AnySymbol[] | undefined>(command, how, document.uri),
  );
  if (!found?.length) refuseUnserved(document);
  const symbols = (found ?? []).flatMap((one) => flat(one, document.uri, '', 1));
  return {
    path: pathText(document.uri.fsPath),
    symbols: symbols.slice(0, input.limit),
    total: symbols.length,
    truncated: symbols.length > input.limit,
  };
}

/** Servers return a tree, older ones a list. */
type AnySymbol = vscode.DocumentSymbol | vscode.SymbolInformation;

function flat(symbol: AnySymbol, uri: vscode.Uri, container: string, level: number): Outline['symbols'] {
  const { name, kind } = symbol;
  if (!('children' in symbol)) {
    const { location, containerName } = symbol;
    return [
      { ...plainSymbol({ name, kind, container: containerName }, uri, location.range), level, detail: '' },
    ];
  }
  const { range, selectionRange, detail, children } = symbol;
  const own = plainSymbol({ name, kind, container }, uri, range, selectionRange);
  return [
    { ...own, level, detail: clipText(detail ?? '') },
    ...children.flatMap((child) => flat(child, uri, name, level + 1)),
  ];
}

/** A language server only covers the workspace once a file of its language is open in it. */
export async function workspaceSymbols(
  input: ToolInput<Search['workspaceSymbols']>,
  { signal }: ToolContext,
): Promise<ToolOutput<Search['workspaceSymbols']>> {
  const woken = await waker();
  const command = 'vscode.executeWorkspaceSymbolProvider';
  const answer = await asking(woken, input.timeout_ms, signal, (how) =>
    ask<readonly vscode.SymbolInformation[] | undefined>(command, how, input.query),
  );
  const found = answer ?? [];
  if (found.length === 0 && !woken)
    throw toolError('no-language-server', 'no language server of this IDE knows a file of the workspace', {
      help: 'Use grep_search',
    });
  const symbols = found.map(({ name, kind, containerName: container, location: { uri, range } }) =>
    plainSymbol({ name, kind, container }, uri, range),
  );
  return {
    symbols: symbols.slice(0, input.limit),
    total: symbols.length,
    truncated: symbols.length > input.limit,
  };
}
