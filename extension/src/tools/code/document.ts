import * as vscode from 'vscode';
import { toolError } from '../../../../bridge/protocol/index.ts';
import { pathText, place } from '../place/index.ts';
import { readBytes } from '../text/index.ts';

/** Opens a document so that its language server learns of it. Errors: those of `place` and `readBytes`. */
export async function documentAt(path: string): Promise<vscode.TextDocument> {
  const where = await place(path);
  const known = vscode.workspace.textDocuments.find(
    ({ uri, isClosed }) => !isClosed && uri.fsPath === where.path,
  );
  if (known) return known;
  await readBytes(where.real, pathText(where.path));
  try {
    return await vscode.workspace.openTextDocument(where.uri);
  } catch (cause) {
    throw toolError('binary-file', `${pathText(where.path)} is not text to VS Code`, { cause });
  }
}
