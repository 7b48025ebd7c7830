import * as vscode from 'vscode';
import type { Editor, ParamsOut, ResultOf, ide } from '../../../bridge/protocol/index.ts';
import { clip, plainPosition, plainRange } from '../lib/index.ts';
import { awaitWindow } from './await-window.ts';
import { uriText } from './uri.ts';

const maxSelections = 10_000;
const maxVisibleRanges = 1000;

export async function editor({
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
      ...textOf(document, includeText, maxChars),
      endOfLine: document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n',
      selections: active.selections.slice(0, maxSelections).map((selection) => ({
        anchor: plainPosition(selection.anchor),
        active: plainPosition(selection.active),
      })),
      visible: active.visibleRanges.slice(0, maxVisibleRanges).map(plainRange),
    },
  };
}

function textOf(
  document: vscode.TextDocument,
  wanted: boolean,
  maxChars: number,
): Pick<Editor, 'text' | 'truncated'> {
  if (!wanted) return { truncated: false };
  const whole = document.getText();
  return { text: clip(whole, maxChars), truncated: whole.length > maxChars };
}
