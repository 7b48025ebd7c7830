import * as vscode from 'vscode';
import { nearest, toolError } from '../../../../bridge/protocol/index.ts';

/** Errors: `bad-arguments` for an unknown language, which VS Code itself would accept. */
export async function refuseUnknownLanguage(language: string | undefined): Promise<void> {
  if (language === undefined) return;
  const known = await vscode.languages.getLanguages();
  if (known.includes(language)) return;
  const near = nearest(language, known);
  throw toolError('bad-arguments', `VS Code knows no language ${JSON.stringify(language)}`, {
    help: near === undefined ? `It knows ${known.sort().join(', ')}` : `Did you mean ${near}?`,
  });
}
