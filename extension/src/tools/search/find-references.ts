import { readFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { searchTools, ToolInput, ToolOutput } from '../../../../bridge/protocol/index.ts';
import type { ToolContext } from '../../../../bridge/rpc/index.ts';
import { otherSides } from '../../lib/index.ts';
import {
  type AnyLocation,
  askLanguageServer,
  fetchLocations,
  fetchOutline,
  findAllRelatedTypes,
  findTypeAt,
  type HierarchyItem,
  ignoredGlob,
  openProject,
  readLocationRange,
  readLocationUri,
  refuseUnserved,
  type ServerQuestion,
  withReadyServer,
} from '../code/index.ts';
import { formatPath } from '../workspace-place.ts';
import { describePlaces, findNamedSymbol, type NamedSymbol } from './code-places.ts';

type PlaceSearch = typeof searchTools;
type FoundPlaces = ToolOutput<PlaceSearch['findReferences']>;
const referencesCommand = 'vscode.executeReferenceProvider';
const implementationsCommand = 'vscode.executeImplementationProvider';
type Locations = readonly (vscode.Location | vscode.LocationLink)[] | undefined;

export function findReferences(
  input: ToolInput<PlaceSearch['findReferences']>,
  { signal }: ToolContext,
): Promise<FoundPlaces> {
  return fetchPlaces(referencesCommand, input, input.limit, signal);
}

export function findImplementations(
  input: ToolInput<PlaceSearch['findImplementations']>,
  { signal }: ToolContext,
): Promise<FoundPlaces> {
  return fetchPlaces(implementationsCommand, input, input.limit, signal);
}

const definitionCommands = {
  definition: 'vscode.executeDefinitionProvider',
  declaration: 'vscode.executeDeclarationProvider',
  type: 'vscode.executeTypeDefinitionProvider',
} as const;

export function goToDefinition(
  input: ToolInput<PlaceSearch['goToDefinition']>,
  { signal }: ToolContext,
): Promise<FoundPlaces> {
  return fetchPlaces(definitionCommands[input.of], input, 100, signal);
}

async function fetchPlaces(
  command: string,
  input: NamedSymbol & { readonly timeout_ms: number },
  limit: number,
  signal: AbortSignal,
): Promise<FoundPlaces> {
  const { document, position } = await findNamedSymbol(input, input.timeout_ms, signal);
  const { found, incomplete } = await withReadyServer(document, input.timeout_ms, signal, async (how) => {
    const why = await openProject(document);
    const inPython = command === implementationsCommand && document.languageId === 'python';
    const answer = inPython
      ? findPythonImplementations(document.uri, position, how)
      : askLanguageServer<Locations>(command, how, document.uri, position);
    const found = (await answer) ?? [];
    if (command !== referencesCommand || !isCommonJs(document)) return { found, incomplete: why };
    const { all, incomplete } = await findCommonJsReferences(found, how);
    return { found: all, incomplete: why ?? incomplete };
  });
  if (found.length === 0) refuseUnserved(document);
  return { ...(await describePlaces(found, limit)), incomplete };
}

/** Maximum numbers of further questions to the language server, scripts that are read, and places that are named. */
const commonJsLimits = { asked: 300, scripts: 2000, named: 10 };

/** Whether a document exports or requires something as a CommonJS module. */
function isCommonJs(document: vscode.TextDocument): boolean {
  return isJavaScript(document) && /\b(?:module\.exports|exports\.|require\s*\()/.test(document.getText());
}

function isJavaScript({ languageId }: vscode.TextDocument): boolean {
  return languageId === 'javascript' || languageId === 'javascriptreact';
}

/**
 * References, including those beyond exports and `require`, which the language server treats as other symbols: the other
 * sides of exports and requires of the name, and uses whose definition is one of the places.
 */
async function findCommonJsReferences(
  found: readonly AnyLocation[],
  how: ServerQuestion,
): Promise<{ all: AnyLocation[]; incomplete: string | null }> {
  const search = new CommonJsSearch(found, how);
  await search.followSides();
  const unknown = await search.followUses();
  const all = [...search.all.values()];
  if (search.isExhausted)
    return {
      all,
      incomplete: `more than ${commonJsLimits.asked} places have the name; the others were not looked at`,
    };
  if (unknown.length === 0) return { all, incomplete: null };
  const named = unknown.slice(0, commonJsLimits.named).join(', ');
  return { all, incomplete: `this name on a value of unknown type: ${named}` };
}

interface ScriptPlace {
  readonly uri: vscode.Uri;
  readonly at: vscode.Position;
}

class CommonJsSearch {
  readonly all: Map<string, AnyLocation>;
  readonly #asked = new Set<string>();
  readonly #how: ServerQuestion;

  constructor(found: readonly AnyLocation[], how: ServerQuestion) {
    this.all = new Map(found.map((one) => [makePlaceKey(readLocationStart(one)), one]));
    this.#how = how;
  }

  get isExhausted(): boolean {
    return this.#asked.size >= commonJsLimits.asked;
  }

  async followSides(): Promise<void> {
    // More are added during the loop.
    for (const one of this.all.values())
      for (const place of await listOtherSides(one))
        for (const more of await this.#ask('vscode.executeReferenceProvider', place)) this.#add(more);
  }

  /** Returns the places of members with the name that the server can't resolve. */
  async followUses(): Promise<string[]> {
    const unknown: string[] = [];
    for (const word of await collectWords([...this.all.values()]))
      for (const { place, range, isMember } of await findWordOccurrences(word)) {
        if (this.all.has(makePlaceKey(place))) continue;
        const defined = await this.#ask('vscode.executeDefinitionProvider', place);
        if (defined.some((one) => this.all.has(makePlaceKey(readLocationStart(one))))) {
          this.#add(new vscode.Location(place.uri, range));
          await this.followSides();
        } else if (defined.length === 0 && isMember && !this.isExhausted)
          unknown.push(`${formatPath(place.uri.fsPath)}:${place.at.line + 1}`);
      }
    return unknown;
  }

  #add(location: AnyLocation): void {
    const key = makePlaceKey(readLocationStart(location));
    if (!this.all.has(key)) this.all.set(key, location);
  }

  /** Asks once about each place. */
  async #ask(command: string, place: ScriptPlace): Promise<readonly AnyLocation[]> {
    const key = `${command} ${makePlaceKey(place)}`;
    if (this.isExhausted || this.#asked.has(key)) return [];
    this.#asked.add(key);
    return fetchLocations(command, place.uri, place.at, this.#how);
  }
}

async function listOtherSides(location: AnyLocation): Promise<ScriptPlace[]> {
  const { uri } = readLocationStart(location);
  const document = await openQuietly(uri);
  if (!document || !isJavaScript(document)) return [];
  const { start, end } = readLocationRange(location);
  const sides = otherSides(document.getText(), document.offsetAt(start), document.offsetAt(end));
  return sides.map((offset) => ({ uri, at: document.positionAt(offset) }));
}

/** Names that the places have. */
async function collectWords(found: readonly AnyLocation[]): Promise<Set<string>> {
  const words = await Promise.all(
    found.map(
      async (one) => (await openQuietly(readLocationUri(one)))?.getText(readLocationRange(one)) ?? '',
    ),
  );
  return new Set(words.filter((word) => /^[\w$]+$/.test(word)));
}

/** Places of a word in the workspace's JavaScript, and whether it follows a dot there. */
async function findWordOccurrences(word: string) {
  const files = await vscode.workspace.findFiles('**/*.{js,cjs,jsx}', ignoredGlob, commonJsLimits.scripts);
  const pattern = new RegExp(String.raw`(?<![\w$])${word.replaceAll('$', String.raw`\$`)}(?![\w$])`, 'g');
  const found = await Promise.all(
    files.map(async (uri) => {
      if (!(await fileHasWord(uri, word))) return [];
      const document = await openQuietly(uri);
      return [...(document?.getText().matchAll(pattern) ?? [])].flatMap(({ index }) => {
        if (!document) return [];
        const at = document.positionAt(index);
        const line = document.lineAt(at.line).text;
        const isMember = line[at.character - 1] === '.' && !/^\s*(?:\/\/|\/?\*)/.test(line);
        return [{ place: { uri, at }, range: new vscode.Range(at, at.translate(0, word.length)), isMember }];
      });
    }),
  );
  return found.flat();
}

/** Files without the word are not opened. */
async function fileHasWord(uri: vscode.Uri, word: string): Promise<boolean> {
  const open = vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri.toString());
  return (open?.getText() ?? (await readFile(uri.fsPath, 'utf8').catch(() => ''))).includes(word);
}

function openQuietly(uri: vscode.Uri): Thenable<vscode.TextDocument | undefined> {
  return vscode.workspace.openTextDocument(uri).then(
    (document) => document,
    () => undefined,
  );
}

function readLocationStart(location: AnyLocation): ScriptPlace {
  return { uri: readLocationUri(location), at: readLocationRange(location).start };
}

function makePlaceKey({ uri, at }: ScriptPlace): string {
  return `${uri.toString()} ${at.line} ${at.character}`;
}

/**
 * Subclasses of a class, or overrides of a method, for which pyright has no request: found in the classes whose heads
 * lead to that class.
 */
async function findPythonImplementations(
  uri: vscode.Uri,
  position: vscode.Position,
  asking: ServerQuestion,
): Promise<vscode.Location[]> {
  const [defined] = await fetchLocations('vscode.executeDefinitionProvider', uri, position, asking);
  const type =
    defined && (await findTypeAt(readLocationUri(defined), readLocationRange(defined).start, asking));
  if (!type) return [];
  const below = await findAllRelatedTypes(type, 'subtypes', asking);
  if (type.selectionRange.contains(readLocationRange(defined).start))
    return below.map((one) => new vscode.Location(one.uri, one.selectionRange));
  const document = await vscode.workspace.openTextDocument(readLocationUri(defined));
  const name = document.getText(document.getWordRangeAtPosition(readLocationRange(defined).start));
  const members = await Promise.all(below.map((one) => findMembers(one, name, asking)));
  return members.flat();
}

async function findMembers(
  type: HierarchyItem,
  name: string,
  asking: ServerQuestion,
): Promise<vscode.Location[]> {
  const inside = (await fetchOutline(type.uri, asking)).filter(
    ({ symbol, parent }) =>
      symbol.name === name && parent?.symbol.selectionRange.isEqual(type.selectionRange) === true,
  );
  return inside.map(({ symbol }) => new vscode.Location(type.uri, symbol.selectionRange));
}
