import { open } from 'node:fs/promises';
import { PwpError, messageOf } from '../../../../bridge/lib/index.ts';
import { freeBytes } from '../checkpoint-store/index.ts';

/** Enough of a log for the errors at its end. */
const tailBytes = 1024 * 1024;
const lines = 4;

/** Less than this left is a full disk: CRIU's programs write in pieces of some MiB and give back what they began. */
const fullBytes = 32 * 1024 * 1024;

/**
 * The error of a dump or a restore, with the messages in CRIU's log.
 * @param written folder that was being written; CRIU does not report that its disk was full
 */
export async function reasonIn(
  log: string,
  cause: unknown,
  code: 'checkpoint-failed' | 'restore-failed',
  written: string,
): Promise<PwpError> {
  const said = errorsIn(await tailOf(log));
  const text = said.length > 0 ? said.join('; ') : messageOf(cause);
  const what = code === 'checkpoint-failed' ? "can't take a checkpoint" : "can't restore the checkpoint";
  if (/No space left on device/.test(text) || (await freeBytes(written)) < fullBytes) {
    return new PwpError('disk-full', `${what}: the disk is full`, {
      help: 'Delete checkpoints: pwp checkpoints delete, or set a smaller budget.',
      cause,
    });
  }
  return new PwpError(code, `${what}: ${text}`, { cause });
}

/** The last errors in a log of CRIU's, without times and places in its source. */
export function errorsIn(log: string): string[] {
  const found = log
    .split('\n')
    .flatMap((line) => /Error \([^)]*\): (.*)$/.exec(line)?.[1] ?? [])
    // Reported on every run if the node has no CAP_SYS_RESOURCE.
    .filter((text) => !text.startsWith('rlimit:'));
  return found.slice(-lines);
}

async function tailOf(path: string): Promise<string> {
  const file = await open(path).catch(() => null);
  if (!file) return '';
  await using log = file;
  const { size } = await log.stat();
  const start = Math.max(0, size - tailBytes);
  const { buffer, bytesRead } = await log.read(Buffer.alloc(size - start), 0, size - start, start);
  return buffer.toString('utf8', 0, bytesRead);
}
