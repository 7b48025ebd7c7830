import type * as vscode from 'vscode';
import type { Place } from '../place/index.ts';
import { decodeText } from '../text/index.ts';
import { gitBytes } from './git.ts';
import { localBytes } from './local.ts';

/** The text of an earlier version. Errors: `not-found`, `binary-file`, `too-large`, `unknown-encoding`. */
export async function formerText(where: Place, id: string, profile: vscode.Uri): Promise<string> {
  const name = id.slice(id.indexOf(':') + 1);
  const bytes = id.startsWith('git:')
    ? await gitBytes(where.uri, name)
    : await localBytes(where, name, profile);
  return (await decodeText(bytes, where.uri, id)).text;
}
