import { stat } from 'node:fs/promises';
import * as vscode from 'vscode';
import { isTypeScript, layeredEndings, notifyServers, readProjectsAgain } from '../../language/index.ts';
import { ignoredFolders } from '../place/index.ts';
import { awaitReloads } from '../text/index.ts';

/** Milliseconds after which VS Code's own watcher has reported a change. */
const watcherMs = 10_000;
/** Maximum number of files; the rest is left to VS Code's watcher. */
const mostFiles = 5000;
/** Files of the languages that a language server of this IDE checks as a project. */
export function codeFiles(): string {
  const endings = ['py', 'pyi', 'ts', 'tsx', 'mts', 'cts', 'js', 'jsx', 'mjs', 'cjs', ...layeredEndings()];
  return `**/*.{${endings.join(',')}}`;
}

/** A glob of the content of folders of builds and dependencies. */
export const ignoredGlob = `**/{${[...ignoredFolders].join(',')}}/**`;

/**
 * Brings language servers up to date with the disk before they compute a change: VS Code's watcher is a moment late in
 * reporting the writes of other programs, such as `git checkout`.
 */
export async function catchUpWithDisk(
  { languageId }: vscode.TextDocument,
  signal: AbortSignal,
): Promise<void> {
  await awaitReloads(signal);
  const files = await vscode.workspace.findFiles(codeFiles(), ignoredGlob, mostFiles);
  const since = Date.now() - watcherMs;
  await Promise.all(
    files.map(async (uri) => {
      const stats = await stat(uri.fsPath).catch(() => undefined);
      // Not the modification time, which programs set as they like.
      if (!stats || stats.ctimeMs < since) return;
      await notifyServers(uri, stats.birthtimeMs < since ? 'changed' : 'created');
    }),
  );
  if (isTypeScript(languageId)) await readProjectsAgain();
}
