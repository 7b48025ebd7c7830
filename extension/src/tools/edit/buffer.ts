import * as vscode from 'vscode';
import { toolError } from '../../../../bridge/protocol/index.ts';
import type { Replacement } from '../../lib/index.ts';
import { before, takeBack } from './take-back.ts';

/**
 * Changes a document in VS Code's memory, as one step of its undo history, and saves it if it had no unsaved
 * changes. Errors: `stale-version` if someone else changed it at the same moment; `write-failed`, with the text restored.
 */
export async function changeDocument(
  document: vscode.TextDocument,
  replacements: readonly Replacement[],
  name: string,
): Promise<void> {
  const was = before(document);
  const edit = new vscode.WorkspaceEdit();
  const edits = replacements.map(({ start, end, text }) =>
    vscode.TextEdit.replace(new vscode.Range(document.positionAt(start), document.positionAt(end)), text),
  );
  edit.set(document.uri, edits);
  if (!(await vscode.workspace.applyEdit(edit)))
    throw toolError('stale-version', `${name} was changed by someone else at this moment`, {
      help: 'Read it again',
    });
  if (was.wasDirty || (await document.save()) || !document.isDirty) return;
  throw toolError('write-failed', `${name} could not be saved; ${await takeBack([was])}`, {
    help: 'The IDE says why',
  });
}
