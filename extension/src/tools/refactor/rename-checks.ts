import { access } from 'node:fs/promises';
import * as vscode from 'vscode';
import { toolError } from '../../../../bridge/protocol/index.ts';
import { isTypeScript } from '../../language/index.ts';
import {
  fetchLocations,
  fetchOutline,
  type OutlinedSymbol,
  readLocationRange,
  readLocationUri,
  type ServerQuestion,
} from '../code/index.ts';
import { formatPath } from '../workspace-place.ts';

/** Maximum number of occurrences of the new name in one file that are checked. */
const mostOccurrences = 200;

/** Errors: `bad-arguments` for a new name that the language does not allow. */
export function refuseBadName({ languageId }: vscode.TextDocument, word: string, name: string): void {
  const language = findNamedLanguage(languageId);
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
  edits: EditsByFile,
  how: ServerQuestion,
): Promise<void> {
  const [defined] = await fetchLocations('vscode.executeDefinitionProvider', document.uri, position, how);
  const home = defined
    ? { uri: readLocationUri(defined), position: readLocationRange(defined).start }
    : { uri: document.uri, position };
  const outline = await fetchOutline(home.uri, how);
  const parent = outline.find((one) => one.symbol.selectionRange.contains(home.position))?.parent;
  if (parent && isTypeKind(parent)) {
    const sibling = outline.find((one) => one.parent === parent && trimParameters(one.symbol.name) === name);
    if (sibling) throw makeTakenError(name, home.uri, sibling.symbol.selectionRange.start);
    return;
  }
  for (const [uri, each] of edits) {
    const isHome = uri.toString() === home.uri.toString();
    const places = each.map(({ range }) => range.start);
    const found = await findClash({ uri, home: isHome ? home.position : undefined, name, places }, how);
    if (found) throw makeTakenError(name, uri, found);
  }
}

interface NameQuestion {
  readonly uri: vscode.Uri;
  /** The definition of the symbol, if it is in this file. */
  readonly home: vscode.Position | undefined;
  readonly name: string;
  /** Where it is named. */
  readonly places: readonly vscode.Position[];
}

/** A place where the new name means something else that is visible from a use of the symbol, or would be hidden. */
async function findClash(
  { uri, home, name, places }: NameQuestion,
  how: ServerQuestion,
): Promise<vscode.Position | undefined> {
  const document = await vscode.workspace.openTextDocument(uri);
  const occurrences = findNameOccurrences(document, name);
  if (occurrences.length === 0) return undefined;
  const scopes = new NameScopes(await fetchOutline(uri, how));
  const used = places.filter((place) => !isMember(document, place)).map((place) => scopes.around(place));
  const own = home ? scopes.around(home) : [undefined];
  for (const place of occurrences) {
    const found = await fetchLocations('vscode.executeDefinitionProvider', uri, place, how);
    const here = found.find((one) => readLocationUri(one).toString() === uri.toString());
    if (found.length === 0 || (here && scopes.isInType(readLocationRange(here).start))) continue;
    const imported = !here && /\b(?:import|require)\b/.test(document.lineAt(place.line).text);
    const scope = here ? scopes.around(readLocationRange(here).start)[0] : undefined;
    const visible = (here !== undefined || imported) && used.some((chain) => chain.includes(scope));
    // It means something outside of the symbol's scope, which the new name would hide.
    const hidden = scope !== own[0] && own.includes(scope) && scopes.around(place).includes(own[0]);
    if (visible || hidden) return place;
  }
  return undefined;
}

function findNamedLanguage(languageId: string): NamedLanguage | undefined {
  if (isTypeScript(languageId)) return 'javascript';
  return languageId === 'python' ? 'python' : undefined;
}

/** Servers name methods with their parameters or without. */
function trimParameters(name: string): string {
  return name.replace(/\(.*$/, '');
}

function findNameOccurrences(document: vscode.TextDocument, name: string): vscode.Position[] {
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

function makeTakenError(name: string, uri: vscode.Uri, { line }: vscode.Position): Error {
  return toolError('refactor-refused', `${name} is there already, at ${formatPath(uri.fsPath)}:${line + 1}`, {
    help: 'Choose another name: code would mean something else',
  });
}

/** Edits by file. */
export type EditsByFile = readonly (readonly [vscode.Uri, readonly vscode.TextEdit[]])[];

/**
 * The edits of a rename in existing files. Each has to replace the same text as the one at the position: a server that
 * has yet to reload a file returns places in its older text. Errors: `stale-version`.
 */
export async function refuseMovedText(
  document: vscode.TextDocument,
  position: vscode.Position,
  edits: EditsByFile,
): Promise<EditsByFile> {
  const known = await Promise.all(edits.map(async (one) => ((await isTextThere(one[0])) ? [one] : [])));
  const there = known.flat();
  const own = there.find(([uri]) => uri.toString() === document.uri.toString())?.[1];
  const named = own?.find(({ range }) => range.contains(position));
  if (!named) return there;
  const old = document.getText(named.range);
  for (const [uri, each] of there) {
    const text = await vscode.workspace.openTextDocument(uri);
    if (each.every(({ range }) => text.getText(range) === old)) continue;
    throw toolError('stale-version', `the language server knows an older text of ${formatPath(uri.fsPath)}`, {
      help: 'Try again in a moment',
    });
  }
  return there;
}

async function isTextThere(uri: vscode.Uri): Promise<boolean> {
  if (vscode.workspace.textDocuments.some((one) => one.isDirty && one.uri.fsPath === uri.fsPath)) return true;
  return access(uri.fsPath).then(
    () => true,
    () => false,
  );
}

/** Parts of a file in which names are visible: those of its symbols; undefined for the whole file. */
class NameScopes {
  readonly #outline: readonly OutlinedSymbol[];

  constructor(outline: readonly OutlinedSymbol[]) {
    this.#outline = outline;
  }

  /** From the innermost to the whole file. The name of a symbol is in the scope around it. */
  around(position: vscode.Position): readonly (OutlinedSymbol | undefined)[] {
    const inside = this.#outline.filter(
      ({ symbol: { range, selectionRange } }) =>
        range.contains(position) && !selectionRange.contains(position),
    );
    return [...inside.reverse(), undefined];
  }

  /** Whether the definition there is a member of a type. */
  isInType(position: vscode.Position): boolean {
    const [scope] = this.around(position);
    return scope !== undefined && isTypeKind(scope);
  }
}

/** A symbol whose parts are members, named by it. */
function isTypeKind({ symbol: { kind } }: OutlinedSymbol): boolean {
  const { Class, Interface, Enum, Struct } = vscode.SymbolKind;
  return [Class, Interface, Enum, Struct].includes(kind);
}

/** Languages whose names are checked; TypeScript's are those of JavaScript. */
type NamedLanguage = 'javascript' | 'python';

/** Words that can't be the name of a variable, function or class. */
const keywords: Readonly<Record<NamedLanguage, ReadonlySet<string>>> = {
  javascript: new Set(
    'await break case catch class const continue debugger default delete do else enum export extends false finally for function if import in instanceof new null return super switch this throw true try typeof var void while with yield'.split(
      ' ',
    ),
  ),
  python: new Set(
    'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield'.split(
      ' ',
    ),
  ),
};

const namePatterns: Readonly<Record<NamedLanguage, RegExp>> = {
  javascript: /^#?[\p{ID_Start}$_][\p{ID_Continue}$]*$/u,
  python: /^[\p{ID_Start}_][\p{ID_Continue}]*$/u,
};

function isName(word: string, language: NamedLanguage): boolean {
  return namePatterns[language].test(word);
}

function isKeyword(word: string, language: NamedLanguage): boolean {
  return keywords[language].has(word);
}
