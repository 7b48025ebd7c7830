import { access, constants, lstat } from 'node:fs/promises';

/** Whether a path leads to anything. Links are followed. */
export function isReachable(path: string): Promise<boolean> {
  return succeeds(access(path));
}

/** Whether a path leads to something that can be run, or to a folder that can be entered. */
export function isRunnable(path: string): Promise<boolean> {
  return succeeds(access(path, constants.X_OK));
}

/** Whether there is a name at this path, such as that of a link that leads nowhere. */
export function isOnDisk(path: string): Promise<boolean> {
  return succeeds(lstat(path));
}

function succeeds(asked: Promise<unknown>): Promise<boolean> {
  return asked.then(
    () => true,
    () => false,
  );
}
