import * as vscode from 'vscode';
import { toolError } from '../../../../../bridge/protocol/index.ts';
import { ask, type Asking } from '../../code/index.ts';
import type { Item, Next } from './hierarchy-item.ts';
import { rangeOf, uriOf } from './plain.ts';

type Location = vscode.Location | vscode.LocationLink;

/**
 * The types above or below a class or an interface, for servers without a type hierarchy: above, the definitions of the
 * names after `extends` and `implements`; below, the implementations that name it there. Errors: `not-found`.
 */
export async function typesByDefinition(
  uri: vscode.Uri,
  position: vscode.Position,
  direction: 'supertypes' | 'subtypes',
  asking: Asking,
): Promise<{ item: Item; next: (item: Item) => Promise<readonly Next[]> }> {
  const [defined] = await locations('vscode.executeDefinitionProvider', uri, position, asking);
  const item = defined && (await typeAt(uriOf(defined), rangeOf(defined).start, asking));
  if (!item)
    throw toolError('not-found', 'there is no class or interface at that position', {
      help: 'Name the place of one',
    });
  return { item, next: (one) => (direction === 'supertypes' ? above(one, asking) : below(one, asking)) };
}

async function above(item: Item, asking: Asking): Promise<Next[]> {
  const document = await vscode.workspace.openTextDocument(item.uri);
  const found = await Promise.all(
    heritageOf(document, item).map(async (position) => {
      const [defined] = await locations('vscode.executeDefinitionProvider', item.uri, position, asking);
      return defined && typeAt(uriOf(defined), rangeOf(defined).start, asking);
    }),
  );
  return found.flatMap((one) => (one ? [{ item: one, calls: [] }] : []));
}

async function below(item: Item, asking: Asking): Promise<Next[]> {
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
  return found.flatMap((one) => (one ? [{ item: one, calls: [] }] : []));
}

/** Where the names after `extends` and `implements` are in the head of a type; type arguments are not supertypes. */
function heritageOf(document: vscode.TextDocument, { selectionRange, range }: Item): vscode.Position[] {
  const start = document.offsetAt(selectionRange.end);
  const text = document.getText(new vscode.Range(selectionRange.end, range.end));
  const head = withoutArguments(text).split('{', 1)[0] ?? '';
  const clause = /\b(?:extends|implements)\b/.exec(head);
  if (!clause) return [];
  const names = head
    .slice(clause.index)
    .matchAll(/[\p{L}_$][\p{L}\p{N}_$]*(?=\s*(?:,|$|extends\b|implements\b))/gu);
  return [...names]
    .filter(([name]) => name !== 'extends' && name !== 'implements')
    .map(({ index }) => document.positionAt(start + clause.index + index));
}

/** Blanks in place of `<…>`, so that offsets stay. */
function withoutArguments(text: string): string {
  let depth = 0;
  let blanked = '';
  for (const letter of text) {
    if (letter === '<') depth += 1;
    blanked += depth > 0 ? ' '.repeat(letter.length) : letter;
    if (letter === '>' && depth > 0) depth -= 1;
  }
  return blanked;
}

/** The innermost class or interface whose head or body holds a position. */
async function typeAt(uri: vscode.Uri, position: vscode.Position, asking: Asking): Promise<Item | undefined> {
  const command = 'vscode.executeDocumentSymbolProvider';
  const symbols = (await ask<vscode.DocumentSymbol[] | undefined>(command, asking, uri)) ?? [];
  const all = symbols.flatMap(function flat(one): vscode.DocumentSymbol[] {
    return [one, ...(one.children ?? []).flatMap(flat)];
  });
  const kinds: readonly vscode.SymbolKind[] = [vscode.SymbolKind.Class, vscode.SymbolKind.Interface];
  const inside = all.filter(({ kind, range }) => kinds.includes(kind) && range.contains(position)).at(-1);
  return (
    inside &&
    new vscode.TypeHierarchyItem(inside.kind, inside.name, '', uri, inside.range, inside.selectionRange)
  );
}

async function locations(
  command: string,
  uri: vscode.Uri,
  position: vscode.Position,
  asking: Asking,
): Promise<readonly Location[]> {
  return (await ask<Location[] | undefined>(command, asking, uri, position)) ?? [];
}
