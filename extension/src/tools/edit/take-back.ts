import * as vscode from 'vscode';
import { differenceOf } from '../../lib/index.ts';
import { pathText } from '../place/index.ts';

/** A document as it was before a change. */
export interface Before {
  readonly document: vscode.TextDocument;
  readonly text: string;
  readonly wasDirty: boolean;
}

export function before(document: vscode.TextDocument): Before {
  return { document, text: document.getText(), wasDirty: document.isDirty };
}

/**
 * Restores the texts of documents and of their files: a change that can't be saved as a whole is not made at all. Returns
 * the words about it for a message.
 */
export async function takeBack(all: readonly Before[]): Promise<string> {
  const edit = new vscode.WorkspaceEdit();
  for (const { document, text } of all) {
    const change = differenceOf(document.getText(), text);
    if (!change) continue;
    const range = new vscode.Range(document.positionAt(change.start), document.positionAt(change.end));
    edit.replace(document.uri, range, change.text);
  }
  const taken = await vscode.workspace.applyEdit(edit);
  for (const { document, wasDirty } of all) if (!wasDirty) await settle(document);
  const left = all.filter(
    ({ document, text, wasDirty }) =>
      plain(document.getText()) !== plain(text) || document.isDirty !== wasDirty,
  );
  if (taken && left.length === 0) return 'nothing was changed';
  const names = left.map(({ document }) => pathText(document.uri.fsPath));
  return `the change is still in the editors of ${names.slice(0, 20).join(', ')}`;
}

/** The file, when it is read again, may have other line ends than the editor knew. */
function plain(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n');
}

/** Makes a document have no unsaved changes: its text is the file's, or the file has priority. */
async function settle(document: vscode.TextDocument): Promise<void> {
  if (!document.isDirty || (await document.save()) || !document.isDirty) return;
  await vscode.window.showTextDocument(document, { preview: false });
  await vscode.commands.executeCommand('workbench.action.files.revert');
}
