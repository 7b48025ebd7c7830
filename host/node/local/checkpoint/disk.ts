import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pause } from '../../../../bridge/lib/index.ts';
import { fillDesk } from '../desk.ts';
import { makeFolderInside } from '../inside.ts';
import type { SandboxPaths } from '../paths.ts';
import type { SandboxRecord } from '../record.ts';

/** VS Code saves unsaved text a second after the last change, and the browser writes it to disk soon after. Milliseconds. */
const hotExitMs = 1600;

/** Waits until VS Code has saved what it brings back after a restart. */
export async function readyForRest(record: SandboxRecord, signal: AbortSignal): Promise<void> {
  if (record.role === 'ide') await pause(hotExitMs, signal);
}

/** By folder, leftovers of processes that never ended properly, which new processes would trip over: locks, sockets. */
const leftovers = {
  '/tmp': /^vscode-.*\.sock$/,
  '/desk-profile/chromium': /^Singleton/,
};

/** Removes them from the root of a sandbox that does not run. */
export async function removeLeftovers(paths: SandboxPaths): Promise<void> {
  for (const [folder, pattern] of Object.entries(leftovers)) {
    // Where a link is on the way, nothing is removed: the agent decides where a link leads.
    const at = await makeFolderInside(paths.merged, folder).catch(() => null);
    const names = at === null ? [] : await readdir(at);
    for (const name of names)
      if (at !== null && pattern.test(name)) await rm(join(at, name), { recursive: true, force: true });
  }
  await emptyFolder(paths.shared);
  if (!existsSync(paths.desk)) return;
  await emptyFolder(paths.desk);
  await fillDesk(paths);
}

async function emptyFolder(folder: string): Promise<void> {
  for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true, force: true });
}
