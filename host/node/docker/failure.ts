import { PwpError } from '../../../bridge/lib/index.ts';

/** The error of a failed image build: `disk-full` where that was the reason, else `image-build-failed`. */
export function buildFailure(text: string, log: string | null, cause: unknown): PwpError {
  const where = log === null ? [] : [`The whole log is in ${log}.`];
  if (!saysFull(text, cause)) return new PwpError('image-build-failed', text, { help: where.join(), cause });
  const help = ['Make room where the engine keeps its images (docker system df), e.g.: pwp images prune'];
  return new PwpError('disk-full', text, { help: [...help, ...where].join('\n  '), cause });
}

/** The engine passes on what the program that failed has said, in English. */
function saysFull(text: string, cause: unknown): boolean {
  return (cause as NodeJS.ErrnoException | null)?.code === 'ENOSPC' || /no space left on device/i.test(text);
}
