import { readdir, unlink } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { pause } from '../../../bridge/lib/index.ts';

/** The name ending of every window's socket; other files in the folder are left alone. */
export const socketSuffix = '.sock';

/** Long enough for a window that has created its socket file to listen on it: that takes microseconds. */
const secondLookMs = 100;

/**
 * Removes the sockets of dead windows. A socket that refuses a connection is tried a second time, since a window that is
 * just starting has the file before it listens. Returns the paths that were removed.
 */
export async function sweepDeadSockets(folder: string): Promise<readonly string[]> {
  const sockets = await readdir(folder, { withFileTypes: true });
  const paths = sockets
    .filter((entry) => entry.isSocket() && entry.name.endsWith(socketSuffix))
    .map((entry) => join(folder, entry.name));
  const suspects = await refusing(paths);
  if (suspects.length === 0) return [];
  await pause(secondLookMs);
  const dead = await refusing(suspects);
  await Promise.all(dead.map(removeIfThere));
  return dead;
}

async function refusing(paths: readonly string[]): Promise<readonly string[]> {
  const answers = await Promise.all(paths.map(refuses));
  return paths.filter((_, index) => answers[index]);
}

/** Only a refused connection means that no window listens; a full queue or a missing permission does not. */
function refuses(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect(path);
    probe.once('connect', () => {
      probe.destroy();
      resolve(false);
    });
    probe.once('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'ECONNREFUSED'));
  });
}

async function removeIfThere(path: string): Promise<void> {
  await unlink(path).catch((error: NodeJS.ErrnoException) => {
    // Another window may sweep at the same time.
    if (error.code !== 'ENOENT') throw error;
  });
}
