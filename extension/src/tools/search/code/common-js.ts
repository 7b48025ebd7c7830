import { readFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { otherSides } from '../../../lib/index.ts';
import { ignoredGlob, locations, rangeOf, uriOf, type AnyLocation, type Asking } from '../../code/index.ts';
import { pathText } from '../../place/index.ts';

/** Maximum numbers of further questions to the language server, scripts that are read, and places that are named. */
const most = { asked: 300, scripts: 2000, named: 10 };

/** Whether a document exports or requires something as a CommonJS module. */
export function isCommonJs(document: vscode.TextDocument): boolean {
  return isJavaScript(document) && /\b(?:module\.exports|exports\.|require\s*\()/.test(document.getText());
}

function isJavaScript({ languageId }: vscode.TextDocument): boolean {
  return languageId === 'javascript' || languageId === 'javascriptreact';
}

/**
 * References, including those beyond exports and `require`, which the language server treats as other symbols: the other
 * sides of exports and requires of the name, and uses whose definition is one of the places.
 */
export async function referencesInCommonJs(
  found: readonly AnyLocation[],
  how: Asking,
): Promise<{ all: AnyLocation[]; incomplete: string | null }> {
  const search = new Search(found, how);
  await search.followSides();
  const unknown = await search.followUses();
  const all = [...search.all.values()];
  if (search.isExhausted)
    return { all, incomplete: `more than ${most.asked} places have the name; the others were not looked at` };
  if (unknown.length === 0) return { all, incomplete: null };
  const named = unknown.slice(0, most.named).join(', ');
  return { all, incomplete: `this name on a value of unknown type: ${named}` };
}

interface Place {
  readonly uri: vscode.Uri;
  readonly at: vscode.Position;
}

class Search {
  readonly all: Map<string, AnyLocation>;
  readonly #asked = new Set<string>();
  readonly #how: Asking;

  constructor(found: readonly AnyLocation[], how: Asking) {
    this.all = new Map(found.map((one) => [keyOf(startOf(one)), one]));
    this.#how = how;
  }

  get isExhausted(): boolean {
    return this.#asked.size >= most.asked;
  }

  async followSides(): Promise<void> {
    // More are added during the loop.
    for (const one of this.all.values())
      for (const place of await sidesOf(one))
        for (const more of await this.#ask('vscode.executeReferenceProvider', place)) this.#add(more);
  }

  /** Returns the places of members with the name that the server can't resolve. */
  async followUses(): Promise<string[]> {
    const unknown: string[] = [];
    for (const word of await wordsOf([...this.all.values()]))
      for (const { place, range, isMember } of await occurrencesOf(word)) {
        if (this.all.has(keyOf(place))) continue;
        const defined = await this.#ask('vscode.executeDefinitionProvider', place);
        if (defined.some((one) => this.all.has(keyOf(startOf(one))))) {
          this.#add(new vscode.Location(place.uri, range));
          await this.followSides();
        } else if (defined.length === 0 && isMember && !this.isExhausted)
          unknown.push(`${pathText(place.uri.fsPath)}:${place.at.line + 1}`);
      }
    return unknown;
  }

  #add(location: AnyLocation): void {
    const key = keyOf(startOf(location));
    if (!this.all.has(key)) this.all.set(key, location);
  }

  /** Asks once about each place. */
  async #ask(command: string, place: Place): Promise<readonly AnyLocation[]> {
    const key = `${command} ${keyOf(place)}`;
    if (this.isExhausted || this.#asked.has(key)) return [];
    this.#asked.add(key);
    return locations(command, place.uri, place.at, this.#how);
  }
}

async function sidesOf(location: AnyLocation): Promise<Place[]> {
  const { uri } = startOf(location);
  const document = await opened(uri);
  if (!document || !isJavaScript(document)) return [];
  const { start, end } = rangeOf(location);
  const sides = otherSides(document.getText(), document.offsetAt(start), document.offsetAt(end));
  return sides.map((offset) => ({ uri, at: document.positionAt(offset) }));
}

/** Names that the places have. */
async function wordsOf(found: readonly AnyLocation[]): Promise<Set<string>> {
  const words = await Promise.all(
    found.map(async (one) => (await opened(uriOf(one)))?.getText(rangeOf(one)) ?? ''),
  );
  return new Set(words.filter((word) => /^[\w$]+$/.test(word)));
}

/** Places of a word in the workspace's JavaScript, and whether it follows a dot there. */
async function occurrencesOf(word: string) {
  const files = await vscode.workspace.findFiles('**/*.{js,cjs,jsx}', ignoredGlob, most.scripts);
  const pattern = new RegExp(String.raw`(?<![\w$])${word.replaceAll('$', String.raw`\$`)}(?![\w$])`, 'g');
  const found = await Promise.all(
    files.map(async (uri) => {
      if (!(await hasWord(uri, word))) return [];
      const document = await opened(uri);
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
async function hasWord(uri: vscode.Uri, word: string): Promise<boolean> {
  const open = vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri.toString());
  return (open?.getText() ?? (await readFile(uri.fsPath, 'utf8').catch(() => ''))).includes(word);
}

function opened(uri: vscode.Uri): Thenable<vscode.TextDocument | undefined> {
  return vscode.workspace.openTextDocument(uri).then(
    (document) => document,
    () => undefined,
  );
}

function startOf(location: AnyLocation): Place {
  return { uri: uriOf(location), at: rangeOf(location).start };
}

function keyOf({ uri, at }: Place): string {
  return `${uri.toString()} ${at.line} ${at.character}`;
}
