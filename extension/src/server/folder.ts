import { lstat, mkdir } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { PwpError } from '../../../bridge/lib/index.ts';

/** The environment that the choice of a folder depends on, besides the setting. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Folder for temporary files. */
  readonly tmp: string;
  readonly uid: number;
}

/**
 * The folder that holds one socket per window: the setting, if it is set, else `$PWP_SOCKET_DIR`, else
 * `$XDG_RUNTIME_DIR/pwp`, else `<tmp>/pwp-<uid>`. Errors: `bad-setting` for a path that is not absolute.
 */
export function socketFolder(setting: string, { env, tmp, uid }: Surroundings): string {
  const chosen = setting || env.PWP_SOCKET_DIR;
  if (!chosen) return env.XDG_RUNTIME_DIR ? join(env.XDG_RUNTIME_DIR, 'pwp') : join(tmp, `pwp-${uid}`);
  if (isAbsolute(chosen)) return chosen;
  const help = `Give an absolute path in ${setting ? 'the setting pwp.socketDirectory' : '$PWP_SOCKET_DIR'}.`;
  throw new PwpError('bad-setting', `${chosen} is not an absolute path`, { help });
}

/**
 * Creates the folder, for its owner only, or checks that an existing one is as safe: anyone who may write to it could
 * replace our socket with their own. Errors: `unsafe-folder`.
 */
export async function prepareFolder(path: string, uid: number): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  const stats = await lstat(path);
  if (!stats.isDirectory())
    throw unsafe(path, 'is not a folder', 'Give the folder itself, not a link to it.');
  if (stats.uid !== uid) throw unsafe(path, `belongs to user ${stats.uid}`, 'Use a folder of your own.');
  if (stats.mode & 0o022) throw unsafe(path, 'can be written to by others', `Run: chmod 700 '${path}'`);
}

function unsafe(path: string, why: string, help: string): PwpError {
  return new PwpError('unsafe-folder', `${path} ${why}, so no socket is put there`, { help });
}
