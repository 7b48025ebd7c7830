import * as vscode from 'vscode';
import { isServed } from '../../../language/index.ts';

/** Languages whose servers know symbols of a whole workspace, and their files. */
const wakers = '**/*.{ts,tsx,mts,cts,js,jsx,mjs,cjs,py,go,rs,java,c,cc,cpp,cs,rb,php}';

/** A document in a language that has a server, opened if none is open; undefined if the workspace has none. */
export async function waker(): Promise<vscode.TextDocument | undefined> {
  const open = vscode.workspace.textDocuments.find(
    ({ uri, languageId }) => uri.scheme === 'file' && languageId !== 'json' && isServed(languageId),
  );
  if (open) return open;
  for (const uri of await vscode.workspace.findFiles(wakers, '**/node_modules/**', 20)) {
    const document = await vscode.workspace.openTextDocument(uri);
    if (isServed(document.languageId)) return document;
  }
  return undefined;
}
