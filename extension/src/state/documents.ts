import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import type { Editor, ide, ParamsOut, ResultOf } from '../../../bridge/protocol/index.ts';
import { clip } from '../../../bridge/text/index.ts';
import { plainPosition, plainRange } from '../lib/index.ts';
import { uriText } from './protocol-uri.ts';
import { awaitWindow } from './window.ts';

const maxSelections = 10_000;
const maxVisibleRanges = 1000;

export async function readEditor({
  includeText,
  current,
  maxChars,
}: ParamsOut<typeof ide.editor>): Promise<ResultOf<typeof ide.editor>> {
  if (current) await awaitWindow();
  const active = vscode.window.activeTextEditor;
  if (!active) return { editor: null };
  const { document } = active;
  return {
    editor: {
      uri: uriText(document.uri),
      language: document.languageId,
      version: document.version,
      dirty: document.isDirty,
      lines: document.lineCount,
      ...readEditorText(document, includeText, maxChars),
      endOfLine: document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n',
      selections: active.selections.slice(0, maxSelections).map((selection) => ({
        anchor: plainPosition(selection.anchor),
        active: plainPosition(selection.active),
      })),
      visible: active.visibleRanges.slice(0, maxVisibleRanges).map(plainRange),
    },
  };
}

function readEditorText(
  document: vscode.TextDocument,
  wanted: boolean,
  maxChars: number,
): Pick<Editor, 'text' | 'truncated'> {
  if (!wanted) return { truncated: false };
  const whole = document.getText();
  return { text: clip(whole, maxChars), truncated: whole.length > maxChars };
}

const mostDocuments = 200;

/** Answers `ide.unsaved`. */
export async function readUnsaved({
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

interface UnsavedDocument {
  readonly uri: vscode.Uri;
  readonly whole: string;
}

function dirtyTexts(): UnsavedDocument[] {
  return vscode.workspace.textDocuments
    .filter(({ isDirty, uri }) => isDirty && uri.scheme !== 'vscode-notebook-cell')
    .map((document) => ({ uri: document.uri, whole: document.getText() }));
}

/** The sources of a notebook's cells, without outputs, which come from running them. */
function dirtyNotebooks(): UnsavedDocument[] {
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
