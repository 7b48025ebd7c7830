import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { ParamsOut, ResultOf, workspace } from '../../../../bridge/protocol/index.ts';
import { gitApi } from '../git.ts';
import { activateWaiting, exists } from './extensions.ts';
import { whyNewWindow } from './reasons.ts';
import { watchAnew } from './watcher.ts';

/** Answers `workspace.takeIn`. */
export async function takeIn(
  _: ParamsOut<typeof workspace.takeIn>,
  signal: AbortSignal,
): Promise<ResultOf<typeof workspace.takeIn>> {
  const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath);
  const names = (await Promise.all(folders.map((folder) => readdir(folder)))).flat();
  const newWindow = whyNewWindow(names);
  if (newWindow !== null) return { newWindow };
  const rest = [showFiles(), openRepositories(folders), activateWaiting(folders)];
  const [watches] = await Promise.all([watchAnew(signal), ...rest]);
  return { newWindow: watches ? null : 'no process of VS Code watches files' };
}

async function showFiles(): Promise<void> {
  await vscode.commands.executeCommand('workbench.files.action.refreshFilesExplorer');
}

/** Opens the repositories that VS Code's git extension finds when a window opens: at the top, and one folder below. */
async function openRepositories(folders: readonly string[]): Promise<void> {
  const places = (await Promise.all(folders.map(withFoldersBelow))).flat();
  const isRepository = await Promise.all(places.map((place) => exists(join(place, '.git'))));
  const found = places.filter((_, index) => isRepository[index]);
  if (found.length === 0) return;
  // Git may be missing or switched off: then a window that opens now has no repositories either.
  const api = await gitApi().catch(() => undefined);
  if (api) await Promise.all(found.map((place) => api.openRepository(vscode.Uri.file(place))));
}

async function withFoldersBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const below = entries.filter((entry) => entry.isDirectory() && entry.name !== '.git');
  return [folder, ...below.map(({ name }) => join(folder, name))];
}
