import { readFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { pythonCode } from '../../lib/index.ts';
import { ignoredGlob, locations, type Asking } from '../code/index.ts';
import { pathText } from '../place/index.ts';
import type { Edits } from './same-text.ts';

/** Maximum numbers of files that are read, places that are asked about, and places that are named. */
const most = { files: 2000, asked: 50, named: 10 };

/**
 * Why a rename in Python may be incomplete: it leaves places that have the name after a dot, where the server does not
 * know the value before the dot. Null without such places.
 */
export async function unknownReceivers(word: string, edits: Edits, how: Asking): Promise<string | null> {
  const places = await untouched(word, edits);
  const asked = places.slice(0, most.asked);
  const left: string[] = [];
  for (const { uri, at } of asked) {
    const known = await locations('vscode.executeDefinitionProvider', uri, at, how);
    if (known.length === 0) left.push(`${pathText(uri.fsPath)}:${at.line + 1}`);
  }
  const unasked = places.length - asked.length;
  if (left.length === 0 && unasked === 0) return null;
  const more = left.length > most.named ? ` and ${left.length - most.named} more` : '';
  const known = `.${word} on a value of unknown type: ${left.slice(0, most.named).join(', ')}${more}`;
  const unseen = `${unasked} places with .${word} were not looked at`;
  return [...(left.length > 0 ? [known] : []), ...(unasked > 0 ? [unseen] : [])].join('; ');
}

interface Found {
  readonly uri: vscode.Uri;
  readonly at: vscode.Position;
}

async function untouched(word: string, edits: Edits): Promise<Found[]> {
  const files = await vscode.workspace.findFiles('**/*.py', ignoredGlob, most.files);
  const found = await Promise.all(
    files.map(async (uri) => {
      if (!(await hasWord(uri, word))) return [];
      const [, changed = []] = edits.find(([one]) => one.toString() === uri.toString()) ?? [];
      const places = afterDots(await vscode.workspace.openTextDocument(uri), word);
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
function afterDots(document: vscode.TextDocument, word: string): vscode.Position[] {
  const found = pythonCode(document.getText()).matchAll(/\.\s*([\p{L}_][\p{L}\p{N}_]*)/gu);
  return [...found]
    .filter(([, name]) => name === word)
    .map(({ index, 0: whole }) => document.positionAt(index + whole.length - word.length));
}
