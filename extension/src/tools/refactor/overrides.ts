import * as vscode from 'vscode';
import { toolError } from '../../../../bridge/protocol/index.ts';
import {
  allRelatedTypes,
  keyOfType,
  locations,
  outlineOf,
  rangeOf,
  typeAt,
  uriOf,
  type Asking,
  type Item,
} from '../code/index.ts';
import { pathText } from '../place/index.ts';
import type { Edits } from './same-text.ts';

interface Member {
  readonly type: Item;
  readonly place: vscode.Position;
}

/**
 * The edits of a rename in Python, including the methods that override it and that it overrides, which pyright renames
 * one by one. Errors: `refactor-refused` if one of them is outside of the workspace.
 */
export async function withOverrides(
  document: vscode.TextDocument,
  position: vscode.Position,
  edits: Edits,
  {
    renameAt,
    how,
  }: { renameAt: (document: vscode.TextDocument, at: vscode.Position) => Promise<Edits>; how: Asking },
): Promise<Edits> {
  const [defined] = await locations('vscode.executeDefinitionProvider', document.uri, position, how);
  const type = defined && (await typeAt(uriOf(defined), rangeOf(defined).start, how));
  if (!type) return edits;
  const text = await vscode.workspace.openTextDocument(uriOf(defined));
  const name = text.getText(text.getWordRangeAtPosition(rangeOf(defined).start));
  const own = await memberOf(type, name, how);
  if (own?.place.isEqual(rangeOf(defined).start) !== true) return edits;
  const merged = new Map(edits.map(([uri, each]) => [uri.toString(), { uri, each: [...each] }]));
  for (const { type: other, place: at } of await family(type, name, how)) {
    refuseForeign(other, name);
    if (merged.get(other.uri.toString())?.each.some(({ range }) => range.contains(at)) === true) continue;
    for (const [uri, more] of await renameAt(await vscode.workspace.openTextDocument(other.uri), at)) {
      const one = merged.get(uri.toString()) ?? { uri, each: [] };
      merged.set(uri.toString(), one);
      one.each.push(...more.filter(({ range }) => !one.each.some((known) => known.range.isEqual(range))));
    }
  }
  return [...merged.values()].map(({ uri, each }) => [uri, each] as const);
}

function refuseForeign({ uri, name: type }: Item, name: string): void {
  if (vscode.workspace.getWorkspaceFolder(uri)) return;
  throw toolError('refactor-refused', `${name} overrides that of ${type}, in ${pathText(uri.fsPath)}`, {
    help: 'Only what the workspace defines can be renamed',
  });
}

/** The members of that name in all classes that inherit from the superclasses that have it, or from the class itself. */
async function family(type: Item, name: string, how: Asking): Promise<Member[]> {
  const above = await allRelatedTypes(type, 'supertypes', how);
  const having = await Promise.all(above.map(async (one) => ((await memberOf(one, name, how)) ? [one] : [])));
  const tops = [type, ...having.flat()];
  const types = new Map(tops.map((one) => [keyOfType(one), one]));
  for (const top of tops)
    for (const one of await allRelatedTypes(top, 'subtypes', how)) types.set(keyOfType(one), one);
  const members = await Promise.all([...types.values()].map((one) => memberOf(one, name, how)));
  return members.flatMap((one) => (one ? [one] : []));
}

async function memberOf(type: Item, name: string, how: Asking): Promise<Member | undefined> {
  const found = (await outlineOf(type.uri, how)).find(
    ({ symbol, parent }) =>
      symbol.name === name && parent?.symbol.selectionRange.isEqual(type.selectionRange) === true,
  );
  return found && { type, place: found.symbol.selectionRange.start };
}
