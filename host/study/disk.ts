import { statfs } from 'node:fs/promises';
import { PwpError, causesOf } from '../../bridge/lib/index.ts';

/** An attempt's record takes some 10 MB. Without enough space, the attempt would end as a failure of the infrastructure. */
const leastBytes = 200 * 1024 * 1024;

/** Errors: `disk-full`. */
export async function assertSpace(path: string): Promise<void> {
  const { bavail, bsize } = await statfs(path);
  if (bavail * bsize < leastBytes) throw fullDisk(path);
}

/** Whether an error says that a disk is full. */
export function isFull(error: unknown): boolean {
  return [error, ...causesOf(error)].some(
    (at) => at instanceof Error && 'code' in at && ['ENOSPC', 'EDQUOT'].includes(String(at.code)),
  );
}

export function fullDisk(path: string, cause?: unknown): PwpError {
  return new PwpError('disk-full', `the disk of ${path} is full`, {
    cause,
    help: 'Free some space, then run the same command again to continue the study.',
  });
}
