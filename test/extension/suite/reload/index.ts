import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { socketPath } from '../client.ts';
import { runMocha } from '../mochaRun.ts';

/** Called by VS Code each time the window has loaded: the first time it reloads the window, then it runs the tests. */
export async function run(): Promise<void> {
  const note = join(process.env.PWP_SOCKET_DIR ?? '', 'before-reload.json');
  if (existsSync(note)) return runMocha(() => import('./reloaded.ts'));
  await writeFile(note, JSON.stringify({ socket: await socketPath(), session: vscode.env.sessionId }));
  await vscode.commands.executeCommand('workbench.action.reloadWindow');
  return new Promise(() => undefined);
}
