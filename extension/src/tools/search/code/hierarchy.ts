import type * as vscode from 'vscode';
import type { searchTools, ToolInput, ToolOutput } from '../../../../../bridge/protocol/index.ts';
import type { ToolContext } from '../../../../../bridge/rpc/index.ts';
import { toolError } from '../../../../../bridge/protocol/index.ts';
import { isLayered, isTypeScript } from '../../../language/index.ts';
import {
  ask,
  asking,
  openProject,
  refuseUnserved,
  typesByDefinition,
  type Asking,
  type Item,
  type Next,
} from '../../code/index.ts';
import { pathText } from '../../place/index.ts';
import { plainSymbol } from './plain.ts';
import { functionAt, positionAt } from './named.ts';

type Search = typeof searchTools;
export type Related = ToolOutput<Search['callHierarchy']>;
export type RelatedItem = Related['related'][number];

export async function callHierarchy(
  input: ToolInput<Search['callHierarchy']>,
  { signal }: ToolContext,
): Promise<Related> {
  const { document, position } = await functionAt(input, signal);
  return asking(document, input.timeout_ms, signal, async (how) => {
    const incomplete = await openProject(document);
    const item = await prepared('vscode.prepareCallHierarchy', document, position, how);
    if (!item) {
      refuseUnserved(document);
      throw toolError('not-found', `there is no function at ${placeText(document, position)}`, {
        help: 'Name the place of a function, or of a call',
      });
    }
    if (input.direction === 'outgoing') refuseOutgoing(document);
    return { ...(await walk(item, input, (one) => callsOf(one, input.direction, how))), incomplete };
  });
}

/** Debian's clangd only answers which functions call one, not which ones it calls; VS Code would report no calls. */
function refuseOutgoing({ languageId }: vscode.TextDocument): void {
  if (!['c', 'cpp'].includes(languageId) || !isLayered(languageId)) return;
  throw toolError('no-language-server', `nothing in this IDE knows what a function of ${languageId} calls`, {
    help: 'Read the function, or ask for incoming calls of what it names',
  });
}

async function callsOf(item: Item, direction: 'incoming' | 'outgoing', how: Asking): Promise<Next[]> {
  const command = direction === 'incoming' ? 'vscode.provideIncomingCalls' : 'vscode.provideOutgoingCalls';
  const calls = (await ask<Call[] | undefined>(command, how, item)) ?? [];
  return calls.map((call) => ({
    item: 'from' in call ? call.from : call.to,
    calls: call.fromRanges.map(({ start }) => start.line + 1),
  }));
}

type Call = vscode.CallHierarchyIncomingCall | vscode.CallHierarchyOutgoingCall;

/** Neither TypeScript's server nor pyright has a type hierarchy: for them, it is derived from other answers. */
export async function typeHierarchy(
  input: ToolInput<Search['typeHierarchy']>,
  { signal }: ToolContext,
): Promise<Related> {
  const { document, position } = await positionAt(input, input.timeout_ms, signal);
  return asking(document, input.timeout_ms, signal, async (how) => {
    const incomplete = await openProject(document);
    const item = await prepared('vscode.prepareTypeHierarchy', document, position, how);
    const command = input.direction === 'supertypes' ? 'vscode.provideSupertypes' : 'vscode.provideSubtypes';
    if (item) {
      const next = async (one: Item) =>
        ((await ask<Item[] | undefined>(command, how, one)) ?? []).map((each) => ({ item: each, calls: [] }));
      return { ...(await walk(item, input, next)), incomplete };
    }
    refuseUnserved(document);
    const { languageId, uri } = document;
    if (!isTypeScript(languageId) && languageId !== 'python')
      throw toolError('no-language-server', `nothing in this IDE knows the type hierarchy of ${languageId}`, {
        help: 'Use grep_search',
      });
    const types = await typesByDefinition(uri, position, input.direction, how);
    return { ...(await walk(types.item, input, types.next)), incomplete };
  });
}

async function prepared(
  command: string,
  { uri }: vscode.TextDocument,
  position: vscode.Position,
  how: Asking,
): Promise<Item | undefined> {
  return (await ask<Item[] | undefined>(command, how, uri, position))?.[0];
}

/** Level by level; each item is expanded only once. */
async function walk(
  top: Item,
  { depth, limit }: { readonly depth: number; readonly limit: number },
  nextOf: (item: Item) => Promise<readonly Next[]>,
): Promise<Omit<Related, 'incomplete'>> {
  const related: RelatedItem[] = [];
  const seen = new Set([keyOf(top)]);
  const visit = async (item: Item, level: number): Promise<void> => {
    if (level > depth || related.length > limit) return;
    for (const next of await nextOf(item)) {
      related.push({ ...plainItem(next.item), level, of: item.name, calls: next.calls.slice(0, 100) });
      if (seen.has(keyOf(next.item))) continue;
      seen.add(keyOf(next.item));
      await visit(next.item, level + 1);
    }
  };
  await visit(top, 1);
  return { symbol: plainItem(top), related: related.slice(0, limit), truncated: related.length > limit };
}

function plainItem({ name, kind, detail, uri, range, selectionRange }: Item) {
  return plainSymbol({ name, kind, container: detail ?? '' }, uri, range, selectionRange);
}

function placeText({ uri }: vscode.TextDocument, { line, character }: vscode.Position): string {
  return `${pathText(uri.fsPath)}:${line + 1}:${character + 1}`;
}

function keyOf({ uri, selectionRange: { start } }: Item): string {
  return `${uri.toString()}:${start.line}:${start.character}`;
}
