import type * as vscode from 'vscode';
import { hearPython } from './python.ts';
import { hearTypeScript } from './typescript.ts';

/** What a tool did to a file or a folder. */
export type DiskChange = 'created' | 'changed' | 'deleted';

/**
 * Lets language servers know what a tool has done on disk, so that what they are asked next they answer with it: VS
 * Code's own watcher tells them a moment later.
 */
export async function tellServers(uri: vscode.Uri, change: DiskChange): Promise<void> {
  hearTypeScript(uri);
  await hearPython(uri, change);
}
