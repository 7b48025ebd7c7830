import { stat } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import * as vscode from 'vscode';
import { findInterpreters, type Interpreter } from './find.ts';
import type { Interpreters } from './interpreters.ts';

interface Item extends vscode.QuickPickItem {
  readonly choice: { readonly kind: 'path'; readonly path: string } | { readonly kind: 'enter' | 'reset' };
}

/** Runs the command `Python: Select Interpreter`. */
export async function selectInterpreter(interpreters: Interpreters): Promise<void> {
  const folder = await folderToSet();
  const place = folder?.uri.fsPath;
  const current = interpreters.of(folder);
  const venvPath = vscode.workspace.getConfiguration('python', folder).get('venvPath', '');
  const found = findInterpreters(place, venvPath).then((all) => itemsOf(all, current.path, place));
  const picked = await vscode.window.showQuickPick(found, {
    title: 'Select Interpreter',
    placeHolder: `Selected Interpreter: ${shown(current.path, place)}`,
    matchOnDescription: true,
    matchOnDetail: true,
  });
  if (!picked) return;
  const { choice } = picked;
  if (choice.kind === 'reset') await interpreters.choose(folder, undefined);
  if (choice.kind === 'path') await interpreters.choose(folder, choice.path);
  if (choice.kind !== 'enter') return;
  const path = await enterPath(place);
  if (path !== undefined) await interpreters.choose(folder, path);
}

async function folderToSet(): Promise<vscode.WorkspaceFolder | undefined> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  return folders.length > 1 ? vscode.window.showWorkspaceFolderPick() : folders[0];
}

function itemsOf(all: readonly Interpreter[], current: string, folder: string | undefined): Item[] {
  const items = all.map(({ path, version, environment }): Item => {
    const own = environment === undefined ? '' : ` ('${environment}')`;
    return {
      label: `${path === current ? '$(check) ' : ''}Python ${version}${own}`,
      description: shown(path, folder),
      choice: { kind: 'path', path },
    };
  });
  return [
    { label: '$(add) Enter interpreter path...', alwaysShow: true, choice: { kind: 'enter' } },
    ...items,
    { label: '$(discard) Use what the settings say', alwaysShow: true, choice: { kind: 'reset' } },
  ];
}

async function enterPath(folder: string | undefined): Promise<string | undefined> {
  const absolute = (text: string) => (isAbsolute(text) || folder === undefined ? text : join(folder, text));
  const typed = await vscode.window.showInputBox({
    title: 'Select Interpreter',
    prompt: 'Path of a Python interpreter, absolute or from the workspace folder',
    placeHolder: './venv/bin/python',
    validateInput: async (text) => {
      const info = await stat(absolute(text)).catch(() => undefined);
      return info?.isFile() ? undefined : 'There is no such program';
    },
  });
  return typed === undefined || typed === '' ? undefined : absolute(typed);
}

function shown(path: string, folder: string | undefined): string {
  return folder !== undefined && path.startsWith(`${folder}/`) ? `.${path.slice(folder.length)}` : path;
}
