import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { packagedTasks } from '../lib/index.ts';

/**
 * The absolute path of what a user named: a path, or else the id of a task or family (`vscode/autosave-500`, `vscode`), which is
 * looked for in the current folder's `tasks` and then among the tasks that come with the program. A path that does not exist
 * stays as it is, so that the error names it.
 */
export async function placeOfTask(name: string): Promise<string> {
  const path = resolve(name);
  if (!/^[\w.-]+(\/[\w.-]+)?$/.test(name) || /^\.{1,2}(\/|$)/.test(name)) return path;
  for (const place of [path, resolve('tasks', name), join(packagedTasks(), name)])
    if (await isFolder(place)) return place;
  return path;
}

function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (info) => info.isDirectory(),
    () => false,
  );
}
