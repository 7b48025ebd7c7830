import * as vscode from 'vscode';
import { toolError } from '../../../../bridge/protocol/index.ts';
import { clip } from '../../../../bridge/text/index.ts';
import {
  type AnyLocation,
  askLanguageServer,
  fetchOutline,
  readLocationRange,
  readLocationUri,
  type ServerQuestion,
} from './ask-server.ts';
import { findHeritage, type HierarchyItem, type NextHierarchyItem } from './heritage.ts';

type Direction = 'supertypes' | 'subtypes';

/**
 * The types above or below a class or an interface, for servers without a type hierarchy: above, the definitions of the
 * names that its head inherits from; below, the types whose heads name it there. Errors: `not-found`.
 */
export async function findTypesByDefinition(
  uri: vscode.Uri,
  position: vscode.Position,
  direction: Direction,
  asking: ServerQuestion,
): Promise<{ item: HierarchyItem; next: (item: HierarchyItem) => Promise<readonly NextHierarchyItem[]> }> {
  const [defined] = await fetchLocations('vscode.executeDefinitionProvider', uri, position, asking);
  const item =
    defined && (await findTypeAt(readLocationUri(defined), readLocationRange(defined).start, asking));
  if (!item) {
    const document = await vscode.workspace.openTextDocument(uri);
    const word = clip(document.getText(document.getWordRangeAtPosition(position)), 200);
    throw toolError('not-found', `${word} on line ${position.line + 1} is not a class or interface`, {
      help: 'Name the place of one',
    });
  }
  return { item, next: (one) => findRelatedTypes(one, direction, asking) };
}

/** The types directly above or below one. */
async function findRelatedTypes(
  item: HierarchyItem,
  direction: Direction,
  asking: ServerQuestion,
): Promise<NextHierarchyItem[]> {
  const found =
    direction === 'supertypes' ? await findTypesAbove(item, asking) : await findTypesBelow(item, asking);
  const unique = new Map(found.map((one) => [makeItemKey(one), one]));
  return [...unique.values()].map((one) => ({ item: one, calls: [] }));
}

/** All types above or below one, over all levels, without itself. */
export async function findAllRelatedTypes(
  item: HierarchyItem,
  direction: Direction,
  asking: ServerQuestion,
): Promise<HierarchyItem[]> {
  const seen = new Map([[makeItemKey(item), item]]);
  const queue = [item];
  for (let one = queue.shift(); one; one = queue.shift())
    for (const { item: next } of await findRelatedTypes(one, direction, asking)) {
      if (seen.has(makeItemKey(next)) || seen.size > mostTypes) continue;
      seen.set(makeItemKey(next), next);
      queue.push(next);
    }
  return [...seen.values()].slice(1);
}

/** More types than anyone would look through. */
const mostTypes = 500;

export function makeItemKey({ uri, selectionRange: { start } }: HierarchyItem): string {
  return `${uri.toString()}:${start.line}:${start.character}`;
}

async function findTypesAbove(item: HierarchyItem, asking: ServerQuestion): Promise<HierarchyItem[]> {
  const document = await vscode.workspace.openTextDocument(item.uri);
  const found = await Promise.all(
    findHeritage(document, item).map(async (position) => {
      const [defined] = await fetchLocations('vscode.executeDefinitionProvider', item.uri, position, asking);
      return defined && findTypeAt(readLocationUri(defined), readLocationRange(defined).start, asking);
    }),
  );
  return found.flatMap((one) => (one ? [one] : []));
}

async function findTypesBelow(item: HierarchyItem, asking: ServerQuestion): Promise<HierarchyItem[]> {
  const { uri, selectionRange } = item;
  const all = await fetchLocations('vscode.executeReferenceProvider', uri, selectionRange.start, asking);
  const found = await Promise.all(
    all.map(async (one) => {
      const type = await findTypeAt(readLocationUri(one), readLocationRange(one).start, asking);
      if (!type) return undefined;
      const document = await vscode.workspace.openTextDocument(type.uri);
      const names = findHeritage(document, type);
      return names.some((position) => position.isEqual(readLocationRange(one).start)) ? type : undefined;
    }),
  );
  return found.flatMap((one) => (one ? [one] : []));
}

/** The innermost class or interface whose head or body contains a position. */
export async function findTypeAt(
  uri: vscode.Uri,
  position: vscode.Position,
  asking: ServerQuestion,
): Promise<HierarchyItem | undefined> {
  const all = (await fetchOutline(uri, asking)).map(({ symbol }) => symbol);
  const kinds: readonly vscode.SymbolKind[] = [vscode.SymbolKind.Class, vscode.SymbolKind.Interface];
  const inside = all.filter(({ kind, range }) => kinds.includes(kind) && range.contains(position)).at(-1);
  return (
    inside &&
    new vscode.TypeHierarchyItem(inside.kind, inside.name, '', uri, inside.range, inside.selectionRange)
  );
}

/** Runs one of VS Code's commands that return places. */
export async function fetchLocations(
  command: string,
  uri: vscode.Uri,
  position: vscode.Position,
  asking: ServerQuestion,
): Promise<readonly AnyLocation[]> {
  return (await askLanguageServer<AnyLocation[] | undefined>(command, asking, uri, position)) ?? [];
}
