import { access } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';

const event = 'workspaceContains:';

/** Activates the extensions that wait for a file that exists now. */
export async function activateWaiting(folders: readonly string[]): Promise<void> {
  await Promise.all(
    vscode.extensions.all.map(async (extension) => {
      const patterns = extension.isActive ? [] : patternsOf(extension);
      const found = await Promise.all(patterns.map((pattern) => isThere(pattern, folders)));
      // An extension that fails would also fail in a window that opens now.
      if (found.includes(true)) await extension.activate().then(undefined, () => undefined);
    }),
  );
}

function patternsOf({ packageJSON }: vscode.Extension<unknown>): string[] {
  const { activationEvents } = packageJSON as { readonly activationEvents?: unknown };
  if (!Array.isArray(activationEvents)) return [];
  const words = activationEvents.filter((word): word is string => typeof word === 'string');
  return words.filter((word) => word.startsWith(event)).map((word) => word.slice(event.length));
}

/** As VS Code searches: a name without wildcards at the top of each folder, a pattern anywhere. */
async function isThere(pattern: string, folders: readonly string[]): Promise<boolean> {
  if (/[*?]/.test(pattern)) return (await vscode.workspace.findFiles(pattern, undefined, 1)).length > 0;
  const found = await Promise.all(folders.map((folder) => exists(join(folder, pattern))));
  return found.includes(true);
}

export function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
