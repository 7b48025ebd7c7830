import { appendFile, readFile, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { messageOf, clip } from '../../../../bridge/lib/index.ts';
import type { CheckpointProblem } from '../../checkpoint.ts';

/** The file is put aside when it is larger than this, in bytes; the one put aside before is deleted then. */
const mostBytes = 64 * 1024;
/** UTF-16 code units of one message. */
const longest = 2000;

const problem: z.ZodType<CheckpointProblem> = z.object({
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
    const why = clip(messageOf(error), longest);
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
    const texts = [await textOf(this.#older), await textOf(this.#path)];
    return texts.join('').split('\n').flatMap(problemIn);
  }

  get #older(): string {
    return `${this.#path}.old`;
  }
}

function problemIn(line: string): CheckpointProblem[] {
  try {
    return [problem.parse(JSON.parse(line))];
  } catch {
    return [];
  }
}

async function textOf(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '');
}
