import * as vscode from 'vscode';
import { toolError } from '../../../../bridge/protocol/index.ts';
import { isTypeScript } from '../../language/index.ts';
import { locations, outlineOf, rangeOf, uriOf, type Asking } from '../code/index.ts';
import { pathText } from '../place/index.ts';
import type { Edits } from './same-text.ts';
import { Scopes, isType } from './scopes.ts';
import { isKeyword, isName, type NamedLanguage } from './words.ts';

/** Maximum number of occurrences of the new name in one file that are checked. */
const mostOccurrences = 200;

/** Errors: `bad-arguments` for a new name that the language does not allow. */
export function refuseBadName({ languageId }: vscode.TextDocument, word: string, name: string): void {
  const language = namedLanguage(languageId);
  // A property's name in quotation marks may be any text.
  if (!language || !isName(word, language)) return;
  if (!isName(name, language)) throw toolError('bad-arguments', `${name} is not a name in ${languageId}`);
  if (isKeyword(name, language)) throw toolError('bad-arguments', `${name} is a keyword of ${languageId}`);
}

/**
 * Refuses a name that already exists where a symbol is used, or that would hide something else of that name. Errors:
 * `refactor-refused`.
 */
export async function refuseTakenName(
  document: vscode.TextDocument,
  position: vscode.Position,
  name: string,
  edits: Edits,
  how: Asking,
): Promise<void> {
  const [defined] = await locations('vscode.executeDefinitionProvider', document.uri, position, how);
  const home = defined
    ? { uri: uriOf(defined), position: rangeOf(defined).start }
    : { uri: document.uri, position };
  const outline = await outlineOf(home.uri, how);
  const parent = outline.find((one) => one.symbol.selectionRange.contains(home.position))?.parent;
  if (parent && isType(parent)) {
    const sibling = outline.find((one) => one.parent === parent && bare(one.symbol.name) === name);
    if (sibling) throw taken(name, home.uri, sibling.symbol.selectionRange.start);
    return;
  }
  for (const [uri, each] of edits) {
    const isHome = uri.toString() === home.uri.toString();
    const places = each.map(({ range }) => range.start);
    const found = await clash({ uri, home: isHome ? home.position : undefined, name, places }, how);
    if (found) throw taken(name, uri, found);
  }
}

interface Question {
  readonly uri: vscode.Uri;
  /** The definition of the symbol, if it is in this file. */
  readonly home: vscode.Position | undefined;
  readonly name: string;
  /** Where it is named. */
  readonly places: readonly vscode.Position[];
}

/** A place where the new name means something else that is visible from a use of the symbol, or would be hidden. */
async function clash(
  { uri, home, name, places }: Question,
  how: Asking,
): Promise<vscode.Position | undefined> {
  const document = await vscode.workspace.openTextDocument(uri);
  const occurrences = occurrencesOf(document, name);
  if (occurrences.length === 0) return undefined;
  const scopes = new Scopes(await outlineOf(uri, how));
  const used = places.filter((place) => !isMember(document, place)).map((place) => scopes.around(place));
  const own = home ? scopes.around(home) : [undefined];
  for (const place of occurrences) {
    const found = await locations('vscode.executeDefinitionProvider', uri, place, how);
    const here = found.find((one) => uriOf(one).toString() === uri.toString());
    if (found.length === 0 || (here && scopes.isInType(rangeOf(here).start))) continue;
    const imported = !here && /\b(?:import|require)\b/.test(document.lineAt(place.line).text);
    const scope = here ? scopes.around(rangeOf(here).start)[0] : undefined;
    const visible = (here !== undefined || imported) && used.some((chain) => chain.includes(scope));
    // It means something outside of the symbol's scope, which the new name would hide.
    const hidden = scope !== own[0] && own.includes(scope) && scopes.around(place).includes(own[0]);
    if (visible || hidden) return place;
  }
  return undefined;
}

function namedLanguage(languageId: string): NamedLanguage | undefined {
  if (isTypeScript(languageId)) return 'javascript';
  return languageId === 'python' ? 'python' : undefined;
}

/** Servers name methods with their parameters or without. */
function bare(name: string): string {
  return name.replace(/\(.*$/, '');
}

function occurrencesOf(document: vscode.TextDocument, name: string): vscode.Position[] {
  const pattern = new RegExp(
    String.raw`(?<![\p{L}\p{N}_$.#])${name.replaceAll('$', String.raw`\$`)}(?![\p{L}\p{N}_$])`,
    'gu',
  );
  const found = [...document.getText().matchAll(pattern)].slice(0, mostOccurrences);
  return found.map(({ index }) => document.positionAt(index));
}

function isMember(document: vscode.TextDocument, { line, character }: vscode.Position): boolean {
  return document.lineAt(line).text[character - 1] === '.';
}

function taken(name: string, uri: vscode.Uri, { line }: vscode.Position): Error {
  return toolError('refactor-refused', `${name} is there already, at ${pathText(uri.fsPath)}:${line + 1}`, {
    help: 'Choose another name: code would mean something else',
  });
}
