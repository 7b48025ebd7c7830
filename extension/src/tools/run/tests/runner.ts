import * as vscode from 'vscode';
import { toolError } from '../../../../../bridge/protocol/index.ts';

export type Runner = 'pytest' | 'node';

const javaScriptTests = '**/{*.test,*-test,*_test,test-*,test,test/**/*}.{js,cjs,mjs,ts,cts,mts}';
export const pythonTests = '**/{test_*,*_test}.py';
export const leftOut = '**/{node_modules,.git,.venv,venv}/**';

export function workspaceFolder(): string {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  if (folder) return folder.fsPath;
  throw toolError('not-found', 'the window shows no folder', { help: 'Open a folder first' });
}

/** The runner of a project. Errors: `no-test-runner`. */
export async function runnerFor(wanted: Runner | undefined, hint: readonly string[]): Promise<Runner> {
  if (wanted) return wanted;
  if (hint.some((one) => /\.py(?:$|::)/.test(one))) return 'pytest';
  if (hint.some((one) => /\.[cm]?[jt]s$/.test(one))) return 'node';
  if ((await vscode.workspace.findFiles(pythonTests, leftOut, 1)).length > 0) return 'pytest';
  if ((await vscode.workspace.findFiles(javaScriptTests, leftOut, 1)).length > 0) return 'node';
  throw toolError('no-test-runner', 'there are no tests of pytest or of Node.js here', {
    help: 'Run other runners with run_terminal_cmd',
  });
}

export function javaScriptTestFiles(below: string | undefined, limit: number): Thenable<vscode.Uri[]> {
  const folder = below ?? workspaceFolder();
  return vscode.workspace.findFiles(new vscode.RelativePattern(folder, javaScriptTests), leftOut, limit);
}

/** Quotes a word for the shell. */
export function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
