import { appendFile, open, readFile, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { describeError, PwpError } from '../../../bridge/lib/index.ts';
import { clip } from '../../../bridge/text/index.ts';
import { readFreeBytes } from '../../lib/index.ts';
import type { CheckpointProblem } from '../checkpoint.ts';

/** The file is put aside when it is larger than this, in bytes; the one put aside before is deleted then. */
const mostBytes = 64 * 1024;
/** UTF-16 code units of one message. */
const mostCharacters = 2000;

const problemSchema: z.ZodType<CheckpointProblem> = z.object({
  at: z.iso.datetime(),
  what: z.string(),
  why: z.string(),
});

/** Background failures with the checkpoints of one cache folder: one JSON object per line. */
export class ProblemLog {
  readonly #path: string;

  constructor(home: string) {
    this.#path = join(home, 'checkpoints', 'problems.jsonl');
  }

  /** Never rejects: a problem that can't be written down, e.g. on a full disk, becomes a warning of the process. */
  async add(error: unknown, what: string): Promise<void> {
    const why = clip(describeError(error), mostCharacters);
    try {
      const { size } = await stat(this.#path).catch(() => ({ size: 0 }));
      if (size > mostBytes) await rename(this.#path, this.#older);
      const line = JSON.stringify({ at: new Date().toISOString(), what, why } satisfies CheckpointProblem);
      // One write at the end of the file: processes that share it don't mix their lines.
      await appendFile(this.#path, `${line}\n`, { mode: 0o600 });
    } catch {
      process.emitWarning(`checkpoints: ${what}: ${why}`);
    }
  }

  /** The oldest first. Lines that can't be read, e.g. of another version, are left out. */
  async list(): Promise<CheckpointProblem[]> {
    const texts = [await readOrEmpty(this.#older), await readOrEmpty(this.#path)];
    return texts.join('').split('\n').flatMap(parseProblem);
  }

  get #older(): string {
    return `${this.#path}.old`;
  }
}

function parseProblem(line: string): CheckpointProblem[] {
  try {
    return [problemSchema.parse(JSON.parse(line))];
  } catch {
    return [];
  }
}

async function readOrEmpty(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '');
}

/** Enough of a log for the errors at its end. */
const tailBytes = 1024 * 1024;
const mostErrors = 4;

/** Less than this left is a full disk: CRIU's programs write in pieces of some MiB and give back what they began. */
const fullBytes = 32 * 1024 * 1024;

/**
 * The error of a dump or a restore, with the messages in CRIU's log.
 * @param written folder that was being written; CRIU does not report that its disk was full
 */
export async function explainCriuFailure(
  log: string,
  cause: unknown,
  code: 'checkpoint-failed' | 'restore-failed',
  written: string,
): Promise<PwpError> {
  const said = findCriuErrors(await readTail(log));
  const text = said.length > 0 ? said.join('; ') : describeError(cause);
  const what = code === 'checkpoint-failed' ? "can't take a checkpoint" : "can't restore the checkpoint";
  if (/No space left on device/.test(text) || (await readFreeBytes(written)) < fullBytes) {
    return new PwpError('disk-full', `${what}: the disk is full`, {
      help: 'Delete checkpoints: pwp checkpoints delete, or set a smaller budget.',
      cause,
    });
  }
  return new PwpError(code, `${what}: ${text}`, { cause });
}

/** The last errors in a log of CRIU's, without times and places in its source. */
function findCriuErrors(log: string): string[] {
  const found = log
    .split('\n')
    .flatMap((line) => /Error \([^)]*\): (.*)$/.exec(line)?.[1] ?? [])
    // Reported on every run if the node has no CAP_SYS_RESOURCE.
    .filter((text) => !text.startsWith('rlimit:'));
  return found.slice(-mostErrors);
}

async function readTail(path: string): Promise<string> {
  const file = await open(path).catch(() => null);
  if (!file) return '';
  await using log = file;
  const { size } = await log.stat();
  const start = Math.max(0, size - tailBytes);
  const { buffer, bytesRead } = await log.read(Buffer.alloc(size - start), 0, size - start, start);
  return buffer.toString('utf8', 0, bytesRead);
}
