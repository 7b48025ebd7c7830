import * as vscode from 'vscode';
import {
  allRelatedTypes,
  locations,
  outlineOf,
  rangeOf,
  typeAt,
  uriOf,
  type Asking,
  type Item,
} from '../../code/index.ts';

/**
 * Subclasses of a class, or overrides of a method, for which pyright has no request: found in the classes whose heads
 * lead to that class.
 */
export async function implementationsInPython(
  uri: vscode.Uri,
  position: vscode.Position,
  asking: Asking,
): Promise<vscode.Location[]> {
  const [defined] = await locations('vscode.executeDefinitionProvider', uri, position, asking);
  const type = defined && (await typeAt(uriOf(defined), rangeOf(defined).start, asking));
  if (!type) return [];
  const below = await allRelatedTypes(type, 'subtypes', asking);
  if (type.selectionRange.contains(rangeOf(defined).start))
    return below.map((one) => new vscode.Location(one.uri, one.selectionRange));
  const document = await vscode.workspace.openTextDocument(uriOf(defined));
  const name = document.getText(document.getWordRangeAtPosition(rangeOf(defined).start));
  const members = await Promise.all(below.map((one) => membersOf(one, name, asking)));
  return members.flat();
}

async function membersOf(type: Item, name: string, asking: Asking): Promise<vscode.Location[]> {
  const inside = (await outlineOf(type.uri, asking)).filter(
    ({ symbol, parent }) =>
      symbol.name === name && parent?.symbol.selectionRange.isEqual(type.selectionRange) === true,
  );
  return inside.map(({ symbol }) => new vscode.Location(type.uri, symbol.selectionRange));
}
