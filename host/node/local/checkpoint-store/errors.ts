import { PwpError, messageOf } from '../../../../bridge/lib/index.ts';

export function damaged(what: string, cause?: unknown): PwpError {
  return new PwpError('checkpoint-damaged', `the checkpoint is damaged: ${what}`, {
    help: 'Delete it and take another one, or restore its parent.',
    ...(cause !== undefined && { cause }),
  });
}

/** The `disk-full` error where a full disk is the cause, else the error itself. */
export function explainWrite(error: unknown, folder: string): unknown {
  if (!isDiskFull(error)) return error;
  return new PwpError('disk-full', `no space left for checkpoints in ${folder}`, {
    help: 'Free some space, delete checkpoints, or set PWP_CHECKPOINT_BUDGET lower.',
    cause: error,
  });
}

/** Also where a program such as tar or cp met the full disk. */
export function isDiskFull(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  if (code === 'ENOSPC' || code === 'EDQUOT' || code === 'disk-full') return true;
  return /No space left on device|Disk quota exceeded/.test(messageOf(error));
}

export function isMissing(error: unknown): boolean {
  return (error as { code?: unknown }).code === 'ENOENT';
}
