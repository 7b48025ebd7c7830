import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import type { ParamsOut, ResultOf, ide } from '../../../bridge/protocol/index.ts';
import { awaitWindow } from './await-window.ts';
import { uriText } from './uri.ts';

const mostDocuments = 200;

/** Answers `ide.unsaved`. */
export async function unsaved({
  maxChars,
}: ParamsOut<typeof ide.unsaved>): Promise<ResultOf<typeof ide.unsaved>> {
  await awaitWindow();
  const all = [...dirtyTexts(), ...dirtyNotebooks()];
  let room = maxChars;
  const documents = all.slice(0, mostDocuments).map(({ uri, whole }) => {
    const fits = whole.length <= room;
    if (fits) room -= whole.length;
    const hash = createHash('sha256').update(whole).digest('hex');
    return { uri: uriText(uri), hash, text: fits ? whole : null };
  });
  return { documents, omitted: all.length - documents.length };
}

interface Unsaved {
  readonly uri: vscode.Uri;
  readonly whole: string;
}

function dirtyTexts(): Unsaved[] {
  return vscode.workspace.textDocuments
    .filter(({ isDirty, uri }) => isDirty && uri.scheme !== 'vscode-notebook-cell')
    .map((document) => ({ uri: document.uri, whole: document.getText() }));
}

/** The sources of a notebook's cells, without outputs, which come from running them. */
function dirtyNotebooks(): Unsaved[] {
  return vscode.workspace.notebookDocuments
    .filter(({ isDirty }) => isDirty)
    .map((notebook) => ({
      uri: notebook.uri,
      whole: notebook
        .getCells()
        .map(({ document }) => document.getText())
        .join('\n\n'),
    }));
}
