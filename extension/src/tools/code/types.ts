import * as vscode from 'vscode';
import { clip } from '../../../../bridge/lib/index.ts';
import { toolError } from '../../../../bridge/protocol/index.ts';
import { ask, type Asking } from './ask.ts';
import { heritageOf } from './heritage.ts';
import type { Item, Next } from './hierarchy-item.ts';
import { rangeOf, uriOf, type AnyLocation } from './location.ts';
import { outlineOf } from './outline.ts';

type Direction = 'supertypes' | 'subtypes';

/**
 * The types above or below a class or an interface, for servers without a type hierarchy: above, the definitions of the
 * names that its head inherits from; below, the types whose heads name it there. Errors: `not-found`.
 */
export async function typesByDefinition(
  uri: vscode.Uri,
  position: vscode.Position,
  direction: Direction,
  asking: Asking,
): Promise<{ item: Item; next: (item: Item) => Promise<readonly Next[]> }> {
  const [defined] = await locations('vscode.executeDefinitionProvider', uri, position, asking);
  const item = defined && (await typeAt(uriOf(defined), rangeOf(defined).start, asking));
  if (!item) {
    const document = await vscode.workspace.openTextDocument(uri);
    const word = clip(document.getText(document.getWordRangeAtPosition(position)), 200);
    throw toolError('not-found', `${word} on line ${position.line + 1} is not a class or interface`, {
      help: 'Name the place of one',
    });
  }
  return { item, next: (one) => relatedTypes(one, direction, asking) };
}

/** The types directly above or below one. */
export async function relatedTypes(item: Item, direction: Direction, asking: Asking): Promise<Next[]> {
  const found = direction === 'supertypes' ? await above(item, asking) : await below(item, asking);
  const unique = new Map(found.map((one) => [keyOfType(one), one]));
  return [...unique.values()].map((one) => ({ item: one, calls: [] }));
}

/** All types above or below one, over all levels, without itself. */
export async function allRelatedTypes(item: Item, direction: Direction, asking: Asking): Promise<Item[]> {
  const seen = new Map([[keyOfType(item), item]]);
  const queue = [item];
  for (let one = queue.shift(); one; one = queue.shift())
    for (const { item: next } of await relatedTypes(one, direction, asking)) {
      if (seen.has(keyOfType(next)) || seen.size > mostTypes) continue;
      seen.set(keyOfType(next), next);
      queue.push(next);
    }
  return [...seen.values()].slice(1);
}

/** More types than anyone would look through. */
const mostTypes = 500;

export function keyOfType({ uri, selectionRange: { start } }: Item): string {
  return `${uri.toString()}:${start.line}:${start.character}`;
}

async function above(item: Item, asking: Asking): Promise<Item[]> {
  const document = await vscode.workspace.openTextDocument(item.uri);
  const found = await Promise.all(
    heritageOf(document, item).map(async (position) => {
      const [defined] = await locations('vscode.executeDefinitionProvider', item.uri, position, asking);
      return defined && typeAt(uriOf(defined), rangeOf(defined).start, asking);
    }),
  );
  return found.flatMap((one) => (one ? [one] : []));
}

async function below(item: Item, asking: Asking): Promise<Item[]> {
  const { uri, selectionRange } = item;
  const all = await locations('vscode.executeReferenceProvider', uri, selectionRange.start, asking);
  const found = await Promise.all(
    all.map(async (one) => {
      const type = await typeAt(uriOf(one), rangeOf(one).start, asking);
      if (!type) return undefined;
      const document = await vscode.workspace.openTextDocument(type.uri);
      const names = heritageOf(document, type);
      return names.some((position) => position.isEqual(rangeOf(one).start)) ? type : undefined;
    }),
  );
  return found.flatMap((one) => (one ? [one] : []));
}

/** The innermost class or interface whose head or body contains a position. */
export async function typeAt(
  uri: vscode.Uri,
  position: vscode.Position,
  asking: Asking,
): Promise<Item | undefined> {
  const all = (await outlineOf(uri, asking)).map(({ symbol }) => symbol);
  const kinds: readonly vscode.SymbolKind[] = [vscode.SymbolKind.Class, vscode.SymbolKind.Interface];
  const inside = all.filter(({ kind, range }) => kinds.includes(kind) && range.contains(position)).at(-1);
  return (
    inside &&
    new vscode.TypeHierarchyItem(inside.kind, inside.name, '', uri, inside.range, inside.selectionRange)
  );
}

/** Runs one of VS Code's commands that return places. */
export async function locations(
  command: string,
  uri: vscode.Uri,
  position: vscode.Position,
  asking: Asking,
): Promise<readonly AnyLocation[]> {
  return (await ask<AnyLocation[] | undefined>(command, asking, uri, position)) ?? [];
}
