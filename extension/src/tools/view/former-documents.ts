import { createHash } from 'node:crypto';
import * as vscode from 'vscode';

const scheme = 'pwp-former';
/** Texts that are kept for the diff editors that show them. */
const most = 50;

const texts = new Map<string, string>();
let provided = false;

/**
 * The URI of a read-only document with this text.
 * @param name for its tab, and for VS Code to detect its language
 */
export function formerUri(name: string, text: string): vscode.Uri {
  if (!provided) {
    // Once per extension host; VS Code forgets it when that ends.
    vscode.workspace.registerTextDocumentContentProvider(scheme, {
      provideTextDocumentContent: ({ authority }) => texts.get(authority) ?? '',
    });
    provided = true;
  }
  const key = createHash('sha256').update(text).digest('hex').slice(0, 32);
  texts.delete(key);
  texts.set(key, text);
  for (const old of texts.keys()) if (texts.size > most) texts.delete(old);
  return vscode.Uri.from({ scheme, authority: key, path: `/${name}` });
}
