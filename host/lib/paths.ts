import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Run folders of sandboxes: short, because the path of a Unix socket has 107 bytes at most. */
export const runFolder = '/run/pwp';

/** The cache folder: `PWP_HOME`, else `pwp` under the user's cache directory. Everything in it can be made again. */
export function pwpHome(env: NodeJS.ProcessEnv = process.env): string {
  if (env['PWP_HOME']) return env['PWP_HOME'];
  return join(env['XDG_CACHE_HOME'] || join(env['HOME'] || homedir(), '.cache'), 'pwp');
}

/** The folder of the tasks that come with this program. */
export function packagedTasks(): string {
  return join(packageFolder(), 'tasks');
}

/**
 * The folder this program was installed to: holds `images/`, `tasks/` and `dist/`.
 * @param moduleUrl `import.meta.url` of a module anywhere below it, in its source or bundled into `dist/`
 */
export function packageFolder(moduleUrl: string = import.meta.url): string {
  // Looked for in the URL, which has the same slashes on every system.
  const at = Math.max(moduleUrl.lastIndexOf('/dist/'), moduleUrl.lastIndexOf('/host/'));
  return fileURLToPath(moduleUrl.slice(0, at));
}
