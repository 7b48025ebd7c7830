import { access } from 'node:fs/promises';
import * as vscode from 'vscode';
import { toolError } from '../../../../bridge/protocol/index.ts';
import { pathText } from '../place/index.ts';

/** Edits by file. */
export type Edits = readonly (readonly [vscode.Uri, readonly vscode.TextEdit[]])[];

/**
 * The edits of a rename in existing files. Each has to replace the same text as the one at the position: a server that
 * has yet to reload a file returns places in its older text. Errors: `stale-version`.
 */
export async function refuseMoved(
  document: vscode.TextDocument,
  position: vscode.Position,
  edits: Edits,
): Promise<Edits> {
  const known = await Promise.all(edits.map(async (one) => ((await isThere(one[0])) ? [one] : [])));
  const there = known.flat();
  const own = there.find(([uri]) => uri.toString() === document.uri.toString())?.[1];
  const named = own?.find(({ range }) => range.contains(position));
  if (!named) return there;
  const old = document.getText(named.range);
  for (const [uri, each] of there) {
    const text = await vscode.workspace.openTextDocument(uri);
    if (each.every(({ range }) => text.getText(range) === old)) continue;
    throw toolError('stale-version', `the language server knows an older text of ${pathText(uri.fsPath)}`, {
      help: 'Try again in a moment',
    });
  }
  return there;
}

async function isThere(uri: vscode.Uri): Promise<boolean> {
  if (vscode.workspace.textDocuments.some((one) => one.isDirty && one.uri.fsPath === uri.fsPath)) return true;
  return access(uri.fsPath).then(
    () => true,
    () => false,
  );
}
