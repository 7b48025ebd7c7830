import { stat } from 'node:fs/promises';
import { PwpError } from '../../../bridge/lib/index.ts';
import { run } from './run.ts';

/**
 * Refuses to work in a chroot. runc makes a container's root by pivoting that of the mount namespace; from inside a
 * chroot another folder would be pivoted, and programs started in the sandbox later would see the machine's own root.
 * Errors: `chrooted`.
 */
export async function requireOwnRoot(signal?: AbortSignal): Promise<void> {
  // Entering its own mount namespace again leads to its real root.
  const real = await run('nsenter', ['--mount=/proc/self/ns/mnt', 'stat', '-c', '%d:%i', '/'], { signal });
  const { dev, ino } = await stat('/');
  if (real.trim() === `${dev}:${ino}`) return;
  throw new PwpError('chrooted', 'sandboxes made from inside a chroot would not be sealed', {
    help: 'Run it outside the chroot, or in a container, which has a root of its own.',
  });
}
