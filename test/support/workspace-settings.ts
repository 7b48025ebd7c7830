import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { parse } from 'jsonc-parser';
import { poll } from '../../bridge/lib/index.ts';
import { ide } from '../../bridge/protocol/index.ts';
import type { Sandbox } from '../../host/node/index.ts';

/** VS Code reads these again when they change, into its settings. It reads other files of their folder only once. */
const sections = ['settings', 'tasks', 'launch'] as const;
const folder = '.vscode';

/** Whether VS Code can report that it has read this file or folder of a workspace. */
export function isSettingsPath(path: string): boolean {
  return path === folder || sections.some((name) => path === `${folder}/${name}.json`);
}

/**
 * Waits until VS Code has read the settings, tasks and launch configurations of its workspace.
 * @param workspace where the sandbox's workspace is on this machine
 */
export async function waitForSettings(
  sandbox: Sandbox,
  workspace: string,
  signal: AbortSignal,
): Promise<void> {
  const wanted = await settingsOf(join(workspace, folder));
  const keys = Object.keys(wanted);
  if (keys.length === 0) return;
  const probe = async () => {
    const { settings } = await sandbox.call(ide.settings, { keys }, { signal });
    const late = settings.filter((found) => !isDeepStrictEqual(found.workspaceValue, wanted[found.key]));
    return late.length === 0
      ? ({ done: true, value: undefined } as const)
      : ({ done: false, saw: `not yet: ${late.map(({ key }) => key).join(', ')}` } as const);
  };
  await poll('the settings of the workspace in VS Code', probe, { intervalMs: 50, signal });
}

/** Tasks and launch configurations each are one setting. */
async function settingsOf(path: string): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  for (const name of sections) {
    const file = join(path, `${name}.json`);
    if (!existsSync(file)) continue;
    const value = parse(await readFile(file, 'utf8')) as Record<string, unknown>;
    if (Object.keys(value).length > 0) Object.assign(found, name === 'settings' ? value : { [name]: value });
  }
  return found;
}
