import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, resolve, sep } from 'node:path';
import { toolError } from '../../protocol/index.ts';
import { places } from '../config.ts';

/**
 * The file of a caller's path, with links resolved. Errors: `outside-workspace`, also if a link leads out, `not-found`,
 * `not-a-file`.
 * @param mayBeNew the file may be missing if its folder exists
 */
export async function fileInWorkspace(given: string, mayBeNew = false): Promise<string> {
  const path = isAbsolute(given) ? resolve(given) : resolve(places.workspace, given);
  const root = await realpath(places.workspace);
  const real = await realOf(path, given, mayBeNew);
  if (real !== root && !real.startsWith(root + sep))
    throw toolError('outside-workspace', `${given} is outside of the workspace ${places.workspace}`, {
      help: 'Give a path inside it; links that lead out are not followed',
    });
  const stats = await stat(real).catch(() => undefined);
  if (stats && !stats.isFile()) throw toolError('not-a-file', `${given} is not a file`);
  return real;
}

async function realOf(path: string, given: string, mayBeNew: boolean): Promise<string> {
  try {
    return await realpath(path);
  } catch (cause) {
    if (mayBeNew) {
      const folder = await realpath(dirname(path)).catch(() => undefined);
      if (folder !== undefined) return join(folder, basename(path));
    }
    throw toolError('not-found', `${given} is not there`, { cause });
  }
}
