import * as vscode from 'vscode';
import {
  type searchTools,
  toolError,
  type ToolInput,
  type ToolOutput,
} from '../../../../bridge/protocol/index.ts';
import type { ToolContext } from '../../../../bridge/rpc/index.ts';
import { clip } from '../../../../bridge/text/index.ts';
import { isLayered, isTypeScript } from '../../language/index.ts';
import { clipText } from '../../lib/index.ts';
import {
  askLanguageServer,
  findTypesByDefinition,
  type HierarchyItem,
  makeItemKey,
  type NextHierarchyItem,
  openCodeDocument,
  openProject,
  refuseUnserved,
  type ServerQuestion,
  withReadyServer,
} from '../code/index.ts';
import { formatPath } from '../workspace-place.ts';
import { describeSymbol, findNamedFunction, findNamedSymbol, openWakingDocument } from './code-places.ts';

type SymbolSearch = typeof searchTools;
type OutlineSearch = ToolOutput<SymbolSearch['documentSymbols']>;

export async function documentSymbols(
  input: ToolInput<SymbolSearch['documentSymbols']>,
  { signal }: ToolContext,
): Promise<OutlineSearch> {
  const document = await openCodeDocument(input.path);
  const command = 'vscode.executeDocumentSymbolProvider';
  const found = await withReadyServer(document, input.timeout_ms, signal, (how) =>
    askLanguageServer<readonly AnySymbol[] | undefined>(command, how, document.uri),
  );
  if (!found?.length) refuseUnserved(document);
  const symbols = (found ?? []).flatMap((one) => flattenFoundSymbol(one, document.uri, '', 1));
  return {
    path: formatPath(document.uri.fsPath),
    symbols: symbols.slice(0, input.limit),
    total: symbols.length,
    truncated: symbols.length > input.limit,
  };
}

/** Servers return a tree, older ones a list. */
type AnySymbol = vscode.DocumentSymbol | vscode.SymbolInformation;

function flattenFoundSymbol(
  symbol: AnySymbol,
  uri: vscode.Uri,
  container: string,
  level: number,
): OutlineSearch['symbols'] {
  const { name, kind } = symbol;
  if (!('children' in symbol)) {
    const { location, containerName } = symbol;
    return [
      { ...describeSymbol({ name, kind, container: containerName }, uri, location.range), level, detail: '' },
    ];
  }
  const { range, selectionRange, detail, children } = symbol;
  const own = describeSymbol({ name, kind, container }, uri, range, selectionRange);
  return [
    { ...own, level, detail: clipText(detail ?? '') },
    ...children.flatMap((child) => flattenFoundSymbol(child, uri, name, level + 1)),
  ];
}

/** A language server only covers the workspace once a file of its language is open in it. */
export async function workspaceSymbols(
  input: ToolInput<SymbolSearch['workspaceSymbols']>,
  { signal }: ToolContext,
): Promise<ToolOutput<SymbolSearch['workspaceSymbols']>> {
  const woken = await openWakingDocument();
  const command = 'vscode.executeWorkspaceSymbolProvider';
  const answer = await withReadyServer(woken, input.timeout_ms, signal, (how) =>
    askLanguageServer<readonly vscode.SymbolInformation[] | undefined>(command, how, input.query),
  );
  const found = answer ?? [];
  if (found.length === 0 && !woken)
    throw toolError('no-language-server', 'no language server of this IDE knows a file of the workspace', {
      help: 'Use grep_search',
    });
  const symbols = found.map(({ name, kind, containerName: container, location: { uri, range } }) =>
    describeSymbol({ name, kind, container }, uri, range),
  );
  return {
    symbols: symbols.slice(0, input.limit),
    total: symbols.length,
    truncated: symbols.length > input.limit,
  };
}

type HierarchySearch = typeof searchTools;
type HierarchyResult = ToolOutput<HierarchySearch['callHierarchy']>;
type HierarchyResultItem = HierarchyResult['related'][number];

export async function callHierarchy(
  input: ToolInput<HierarchySearch['callHierarchy']>,
  { signal }: ToolContext,
): Promise<HierarchyResult> {
  const { document, position } = await findNamedFunction(input, signal);
  return withReadyServer(document, input.timeout_ms, signal, async (how) => {
    const incomplete = await openProject(document);
    const item = await prepareHierarchy('vscode.prepareCallHierarchy', document, position, how);
    if (!item) {
      refuseUnserved(document);
      throw toolError('not-found', `there is no function at ${formatItemPlace(document, position)}`, {
        help: 'Name the place of a function, or of a call',
      });
    }
    if (input.direction === 'outgoing') refuseOutgoing(document);
    return {
      ...(await walkHierarchy(item, input, (one) => fetchCalls(one, input.direction, how))),
      incomplete,
    };
  });
}

/** Debian's clangd only answers which functions call one, not which ones it calls; VS Code would report no calls. */
function refuseOutgoing({ languageId }: vscode.TextDocument): void {
  if (!['c', 'cpp'].includes(languageId) || !isLayered(languageId)) return;
  throw toolError('no-language-server', `nothing in this IDE knows what a function of ${languageId} calls`, {
    help: 'Read the function, or ask for incoming calls of what it names',
  });
}

async function fetchCalls(
  item: HierarchyItem,
  direction: 'incoming' | 'outgoing',
  how: ServerQuestion,
): Promise<NextHierarchyItem[]> {
  const command = direction === 'incoming' ? 'vscode.provideIncomingCalls' : 'vscode.provideOutgoingCalls';
  const calls = (await askLanguageServer<HierarchyCall[] | undefined>(command, how, item)) ?? [];
  return calls.map((call) => ({
    item: 'from' in call ? call.from : call.to,
    calls: call.fromRanges.map(({ start }) => start.line + 1),
  }));
}

type HierarchyCall = vscode.CallHierarchyIncomingCall | vscode.CallHierarchyOutgoingCall;

/** Neither TypeScript's server nor pyright has a type hierarchy: for them, it is derived from other answers. */
export async function typeHierarchy(
  input: ToolInput<HierarchySearch['typeHierarchy']>,
  { signal }: ToolContext,
): Promise<HierarchyResult> {
  const { document, position } = await findNamedSymbol(input, input.timeout_ms, signal);
  return withReadyServer(document, input.timeout_ms, signal, async (how) => {
    const incomplete = await openProject(document);
    const item = await prepareHierarchy('vscode.prepareTypeHierarchy', document, position, how);
    const command = input.direction === 'supertypes' ? 'vscode.provideSupertypes' : 'vscode.provideSubtypes';
    if (item) {
      const next = async (one: HierarchyItem) =>
        ((await askLanguageServer<HierarchyItem[] | undefined>(command, how, one)) ?? []).map((each) => ({
          item: each,
          calls: [],
        }));
      return { ...(await walkHierarchy(item, input, next)), incomplete };
    }
    refuseUnserved(document);
    const { languageId, uri } = document;
    if (!isTypeScript(languageId) && languageId !== 'python')
      throw toolError('no-language-server', `nothing in this IDE knows the type hierarchy of ${languageId}`, {
        help: 'Use grep_search',
      });
    const types = await findTypesByDefinition(uri, position, input.direction, how);
    return { ...(await walkHierarchy(types.item, input, types.next)), incomplete };
  });
}

async function prepareHierarchy(
  command: string,
  { uri }: vscode.TextDocument,
  position: vscode.Position,
  how: ServerQuestion,
): Promise<HierarchyItem | undefined> {
  return (await askLanguageServer<HierarchyItem[] | undefined>(command, how, uri, position))?.[0];
}

/** Level by level; each item is expanded only once. */
async function walkHierarchy(
  top: HierarchyItem,
  { depth, limit }: { readonly depth: number; readonly limit: number },
  nextOf: (item: HierarchyItem) => Promise<readonly NextHierarchyItem[]>,
): Promise<Omit<HierarchyResult, 'incomplete'>> {
  const related: HierarchyResultItem[] = [];
  const seen = new Set([makeItemKey(top)]);
  const visit = async (item: HierarchyItem, level: number): Promise<void> => {
    if (level > depth || related.length > limit) return;
    for (const next of await nextOf(item)) {
      related.push({ ...describeItem(next.item), level, of: item.name, calls: next.calls.slice(0, 100) });
      if (seen.has(makeItemKey(next.item))) continue;
      seen.add(makeItemKey(next.item));
      await visit(next.item, level + 1);
    }
  };
  await visit(top, 1);
  return { symbol: describeItem(top), related: related.slice(0, limit), truncated: related.length > limit };
}

function describeItem({ name, kind, detail, uri, range, selectionRange }: HierarchyItem) {
  return describeSymbol({ name, kind, container: detail ?? '' }, uri, range, selectionRange);
}

function formatItemPlace({ uri }: vscode.TextDocument, { line, character }: vscode.Position): string {
  return `${formatPath(uri.fsPath)}:${line + 1}:${character + 1}`;
}

type HoverTool = typeof searchTools.hover;
const maxHoverLength = 50_000;

export async function readHover(
  input: ToolInput<HoverTool>,
  { signal }: ToolContext,
): Promise<ToolOutput<HoverTool>> {
  const { document, position } = await findNamedSymbol(input, input.timeout_ms, signal);
  const command = 'vscode.executeHoverProvider';
  const answer = await withReadyServer(document, input.timeout_ms, signal, (how) =>
    askLanguageServer<readonly vscode.Hover[] | undefined>(command, how, document.uri, position),
  );
  const found = answer ?? [];
  if (found.length === 0) refuseUnserved(document);
  const contents = found
    .flatMap((one) => one.contents.map(readMarkdown))
    .filter((text) => text.trim() !== '')
    .join('\n\n');
  return { contents: clip(contents, maxHoverLength), truncated: contents.length > maxHoverLength };
}

function readMarkdown(content: vscode.MarkdownString | vscode.MarkedString): string {
  if (typeof content === 'string') return content;
  if (content instanceof vscode.MarkdownString) return content.value;
  return `\`\`\`${content.language}\n${content.value}\n\`\`\``;
}
