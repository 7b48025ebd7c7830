import { isUtf8 } from 'node:buffer';
import { readFile, stat } from 'node:fs/promises';
import * as vscode from 'vscode';
import { maxFileBytes } from '../text/index.ts';

/** Web names of encodings that differ from VS Code's names by more than a dash. */
const labels: Readonly<Record<string, string>> = { shiftjis: 'sjis', big5hkscs: 'big5', cp437: 'latin1' };

/**
 * Ripgrep's name for the encoding in which `read_file` shows files that are not UTF-8, if a query has characters whose
 * bytes differ in other encodings; else undefined.
 */
export function otherEncoding(query: string): string | undefined {
  if (/^[\0-\x7f]*$/.test(query)) return undefined;
  const chosen = vscode.workspace.getConfiguration('files').get('encoding', 'utf8');
  if (chosen.startsWith('utf')) return 'latin1';
  const dashed = chosen
    .replace(/^(windows|iso8859|iso|koi8|euc)-?(?=\w)/, '$1-')
    .replace('iso8859', 'iso-8859');
  return labels[chosen] ?? dashed;
}

/** Returns a function that checks whether a file is not UTF-8; it reads each file once. */
export function nonUtf8(): (path: string) => Promise<boolean> {
  const known = new Map<string, Promise<boolean>>();
  return (path) => {
    const answer = known.get(path) ?? look(path);
    known.set(path, answer);
    return answer;
  };
}

async function look(path: string): Promise<boolean> {
  const stats = await stat(path).catch(() => undefined);
  if (!stats?.isFile() || stats.size > maxFileBytes) return false;
  const bytes = await readFile(path).catch(() => undefined);
  return bytes !== undefined && !isUtf8(bytes) && !bytes.subarray(0, 8192).includes(0);
}
