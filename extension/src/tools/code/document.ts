import * as vscode from 'vscode';
import { toolError } from '../../../../bridge/protocol/index.ts';
import { pathText, place } from '../place/index.ts';
import { awaitReload, readBytes } from '../text/index.ts';

/**
 * Opens a document so that its language server learns of it. If VS Code already has it in memory, it then has the text of
 * its file, or unsaved changes. Errors: those of `place`, `readBytes` and `awaitReload`.
 */
export async function documentAt(path: string): Promise<vscode.TextDocument> {
  const where = await place(path);
  const known = vscode.workspace.textDocuments.find(
    ({ uri, isClosed }) => !isClosed && uri.fsPath === where.path,
  );
  if (known?.isDirty === true) return known;
  await readBytes(where.real, pathText(where.path));
  if (known) {
    await awaitReload(known);
    return known;
  }
  try {
    return await vscode.workspace.openTextDocument(where.uri);
  } catch (cause) {
    throw toolError('binary-file', `${pathText(where.path)} is not text to VS Code`, { cause });
  }
}
