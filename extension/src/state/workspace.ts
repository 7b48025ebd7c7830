import * as vscode from 'vscode';
import type { ResultOf, ide } from '../../../bridge/protocol/index.ts';
import { clipText } from '../lib/index.ts';

const maxFolders = 1000;

export function workspace(): ResultOf<typeof ide.workspace> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  return {
    name: vscode.workspace.name === undefined ? null : clipText(vscode.workspace.name),
    folders: folders
      .slice(0, maxFolders)
      .map(({ name, uri }) => ({ name: clipText(name), uri: uri.toString() })),
    trusted: vscode.workspace.isTrusted,
  };
}
