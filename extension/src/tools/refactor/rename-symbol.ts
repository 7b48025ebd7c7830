import { readFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { describeError } from '../../../../bridge/lib/index.ts';
import {
  type refactorTools,
  RpcError,
  toolError,
  type ToolInput,
} from '../../../../bridge/protocol/index.ts';
import type { ToolContext } from '../../../../bridge/rpc/index.ts';
import { clip } from '../../../../bridge/text/index.ts';
import { isTypeScript } from '../../language/index.ts';
import { pythonCode } from '../../lib/index.ts';
import {
  catchUpWithDisk,
  fetchLocations,
  fetchOutline,
  findAllRelatedTypes,
  findDefinedSymbol,
  findTypeAt,
  type HierarchyItem,
  ignoredGlob,
  makeItemKey,
  openCodeDocument,
  openProject,
  readLocationRange,
  readLocationUri,
  type ServerQuestion,
  withReadyServer,
} from '../code/index.ts';
import { explainUnchecked } from '../problem-sources.ts';
import { formatPath } from '../workspace-place.ts';
import { applyEdits, type RefactorResult } from './apply-edits.ts';
import { askForRefactor, awaitServer } from './ready-server.ts';
import { type EditsByFile, refuseBadName, refuseMovedText, refuseTakenName } from './rename-checks.ts';

/** Maximum time for language servers to find out whether a name is free, in milliseconds. */
const checkMs = 30_000;

export async function renameSymbol(
  input: ToolInput<typeof refactorTools.renameSymbol>,
  { signal }: ToolContext,
): Promise<RefactorResult> {
  const document = await openCodeDocument(input.path);
  await awaitServer(document, signal);
  const position = await findDefinedSymbol(document, input, checkMs, signal);
  const { new_name: name } = input;
  const word = document.getText(document.getWordRangeAtPosition(position));
  refuseBadName(document, word, name);
  await catchUpWithDisk(document, signal);
  await awaitServer(document, signal);
  const incomplete = await openProject(document);
  const edits = await checkRenameEdits(document, position, name, signal);
  refuseOtherSymbol(document, position, word, edits);
  return applyEdits(edits, {
    title: `rename ${clip(word, 200)} to ${name}`,
    preview: input.preview,
    waitMs: input.wait_ms,
    signal,
    incomplete: incomplete ?? (await explainLeftOver(document, word, edits, signal)),
  });
}

async function explainLeftOver(
  document: vscode.TextDocument,
  word: string,
  edits: EditsByFile,
  signal: AbortSignal,
): Promise<string | null> {
  if (document.languageId !== 'python') return null;
  return withReadyServer(document, checkMs, signal, (how) => findUnknownReceivers(word, edits, how));
}

/** At a keyword, a server would rename the declared name beside it. */
function refuseOtherSymbol(
  document: vscode.TextDocument,
  position: vscode.Position,
  word: string,
  edits: EditsByFile,
): void {
  const [, here = []] = edits.find(([uri]) => uri.toString() === document.uri.toString()) ?? [];
  const asked = document.getWordRangeAtPosition(position);
  if (here.length === 0 || !asked || here.some(({ range }) => range.intersection(asked))) return;
  throw toolError('refactor-refused', `${word} is not a name: something near it would be renamed instead`, {
    help: 'Point at the name itself',
  });
}

/** The edits of a rename that leaves the meaning of the code as it is. Errors: those of `fetchRenameEdits`, `refactor-refused`. */
async function checkRenameEdits(
  document: vscode.TextDocument,
  position: vscode.Position,
  name: string,
  signal: AbortSignal,
): Promise<EditsByFile> {
  const edits = (await fetchRenameEdits(document, position, name, signal)).entries();
  const { languageId } = document;
  if (!isTypeScript(languageId) && languageId !== 'python') return edits;
  return withReadyServer(document, checkMs, signal, async (how) => {
    const renameAt = async (one: vscode.TextDocument, at: vscode.Position) =>
      (await fetchRenameEdits(one, at, name, how.signal)).entries();
    const all =
      languageId === 'python' ? await addOverrides(document, position, edits, { renameAt, how }) : edits;
    const there = await refuseMovedText(document, position, all);
    await refuseTakenName(document, position, name, there, how);
    return there;
  });
}

/** Errors: `refactor-refused` with the language server's words, `no-language-server`. */
async function fetchRenameEdits(
  document: vscode.TextDocument,
  position: vscode.Position,
  name: string,
  signal: AbortSignal,
): Promise<vscode.WorkspaceEdit> {
  try {
    const { uri } = document;
    const edit = await askForRefactor<vscode.WorkspaceEdit | undefined>(
      'vscode.executeDocumentRenameProvider',
      signal,
      uri,
      position,
      name,
    );
    if (edit && edit.size > 0) return edit;
  } catch (error) {
    if (error instanceof RpcError || signal.aborted) throw error;
    if (explainUnchecked(document) === undefined)
      throw toolError('refactor-refused', `it can not be renamed: ${describeError(error)}`, { cause: error });
  }
  const unserved = explainUnchecked(document);
  if (unserved === undefined)
    throw toolError('refactor-refused', 'the language server found nothing to rename there', {
      help: 'Point at the name itself',
    });
  throw toolError('no-language-server', `nothing here renames symbols: ${unserved}`, {
    help: 'Install a language server for it, or edit the places yourself',
  });
}

interface TypeMember {
  readonly type: HierarchyItem;
  readonly place: vscode.Position;
}

/**
 * The edits of a rename in Python, including the methods that override it and that it overrides, which pyright renames
 * one by one. Errors: `refactor-refused` if one of them is outside of the workspace.
 */
async function addOverrides(
  document: vscode.TextDocument,
  position: vscode.Position,
  edits: EditsByFile,
  {
    renameAt,
    how,
  }: {
    renameAt: (document: vscode.TextDocument, at: vscode.Position) => Promise<EditsByFile>;
    how: ServerQuestion;
  },
): Promise<EditsByFile> {
  const [defined] = await fetchLocations('vscode.executeDefinitionProvider', document.uri, position, how);
  const type = defined && (await findTypeAt(readLocationUri(defined), readLocationRange(defined).start, how));
  if (!type) return edits;
  const text = await vscode.workspace.openTextDocument(readLocationUri(defined));
  const name = text.getText(text.getWordRangeAtPosition(readLocationRange(defined).start));
  const own = await findMember(type, name, how);
  if (own?.place.isEqual(readLocationRange(defined).start) !== true) return edits;
  const merged = new Map(edits.map(([uri, each]) => [uri.toString(), { uri, each: [...each] }]));
  for (const { type: other, place: at } of await findFamily(type, name, how)) {
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

function refuseForeign({ uri, name: type }: HierarchyItem, name: string): void {
  if (vscode.workspace.getWorkspaceFolder(uri)) return;
  throw toolError('refactor-refused', `${name} overrides that of ${type}, in ${formatPath(uri.fsPath)}`, {
    help: 'Only what the workspace defines can be renamed',
  });
}

/** The members of that name in all classes that inherit from the superclasses that have it, or from the class itself. */
async function findFamily(type: HierarchyItem, name: string, how: ServerQuestion): Promise<TypeMember[]> {
  const above = await findAllRelatedTypes(type, 'supertypes', how);
  const having = await Promise.all(
    above.map(async (one) => ((await findMember(one, name, how)) ? [one] : [])),
  );
  const tops = [type, ...having.flat()];
  const types = new Map(tops.map((one) => [makeItemKey(one), one]));
  for (const top of tops)
    for (const one of await findAllRelatedTypes(top, 'subtypes', how)) types.set(makeItemKey(one), one);
  const members = await Promise.all([...types.values()].map((one) => findMember(one, name, how)));
  return members.flatMap((one) => (one ? [one] : []));
}

async function findMember(
  type: HierarchyItem,
  name: string,
  how: ServerQuestion,
): Promise<TypeMember | undefined> {
  const found = (await fetchOutline(type.uri, how)).find(
    ({ symbol, parent }) =>
      symbol.name === name && parent?.symbol.selectionRange.isEqual(type.selectionRange) === true,
  );
  return found && { type, place: found.symbol.selectionRange.start };
}

/** Maximum numbers of files that are read, places that are asked about, and places that are named. */
const receiverLimits = { files: 2000, asked: 50, named: 10 };

/**
 * Why a rename in Python may be incomplete: it leaves places that have the name after a dot, where the server does not
 * know the value before the dot. Null without such places.
 */
async function findUnknownReceivers(
  word: string,
  edits: EditsByFile,
  how: ServerQuestion,
): Promise<string | null> {
  const places = await findUntouched(word, edits);
  const asked = places.slice(0, receiverLimits.asked);
  const left: string[] = [];
  for (const { uri, at } of asked) {
    const known = await fetchLocations('vscode.executeDefinitionProvider', uri, at, how);
    if (known.length === 0) left.push(`${formatPath(uri.fsPath)}:${at.line + 1}`);
  }
  const unasked = places.length - asked.length;
  if (left.length === 0 && unasked === 0) return null;
  const more = left.length > receiverLimits.named ? ` and ${left.length - receiverLimits.named} more` : '';
  const known = `.${word} on a value of unknown type: ${left.slice(0, receiverLimits.named).join(', ')}${more}`;
  const unseen = `${unasked} places with .${word} were not looked at`;
  return [...(left.length > 0 ? [known] : []), ...(unasked > 0 ? [unseen] : [])].join('; ');
}

interface FoundReceivers {
  readonly uri: vscode.Uri;
  readonly at: vscode.Position;
}

async function findUntouched(word: string, edits: EditsByFile): Promise<FoundReceivers[]> {
  const files = await vscode.workspace.findFiles('**/*.py', ignoredGlob, receiverLimits.files);
  const found = await Promise.all(
    files.map(async (uri) => {
      if (!(await hasWord(uri, word))) return [];
      const [, changed = []] = edits.find(([one]) => one.toString() === uri.toString()) ?? [];
      const places = findWordAfterDots(await vscode.workspace.openTextDocument(uri), word);
      return places
        .filter((at) => !changed.some(({ range }) => range.contains(at)))
        .map((at) => ({ uri, at }));
    }),
  );
  return found.flat();
}

/** Files without the word are not opened. */
async function hasWord(uri: vscode.Uri, word: string): Promise<boolean> {
  const open = vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri.toString());
  const text = open?.getText() ?? (await readFile(uri.fsPath, 'utf8').catch(() => ''));
  return text.includes(word);
}

/** Places of a word after a dot, except in comments and strings. */
function findWordAfterDots(document: vscode.TextDocument, word: string): vscode.Position[] {
  const found = pythonCode(document.getText()).matchAll(/\.\s*([\p{L}_][\p{L}\p{N}_]*)/gu);
  return [...found]
    .filter(([, name]) => name === word)
    .map(({ index, 0: whole }) => document.positionAt(index + whole.length - word.length));
}
