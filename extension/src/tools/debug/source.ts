import * as vscode from 'vscode';
import { clip } from '../../../../bridge/lib/index.ts';
import { clipText } from '../../lib/index.ts';

/** Lines above and below. */
const around = 3;

/** The lines around a place, numbered, with an arrow at the place; empty if the source can't be read. */
export async function linesAround(path: string, line: number): Promise<string> {
  if (!path.startsWith('/')) return '';
  try {
    const document = await vscode.workspace.openTextDocument(vscode.Uri.file(path));
    const first = Math.max(1, line - around);
    const last = Math.min(document.lineCount, line + around);
    const lines: string[] = [];
    for (let at = first; at <= last; at += 1)
      lines.push(`${at === line ? '>' : ' '} ${at}\t${clip(document.lineAt(at - 1).text, 500)}`);
    return clipText(lines.join('\n'));
  } catch {
    return '';
  }
}
