import * as vscode from 'vscode';

/** Scripts, what describes their projects, and folders, whose names seldom have a dot. */
const concerns = /(?:\.(?:[cm]?[jt]sx?|json)|\/[^./]+)$/;

let changed = false;

/** Something was changed on disk: TypeScript's server looks again before it is asked. */
export function notifyTypeScript({ path }: vscode.Uri): void {
  changed ||= concerns.test(path);
}

/** Has TypeScript's server read its projects again where a tool changed something on disk since. */
export async function readProjectsAgain(): Promise<void> {
  if (!changed) return;
  changed = false;
  // It answers in turn, so there is nothing to wait for.
  await vscode.commands.executeCommand('typescript.reloadProjects');
}
