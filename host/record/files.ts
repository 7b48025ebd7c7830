import { randomBytes } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';
import { toJson } from '../../bridge/lib/index.ts';

/** The names inside a record's folder. */
export const recordFiles = {
  events: 'events.jsonl',
  trajectory: 'trajectory.json',
  result: 'result.json',
  frames: 'frames',
  video: 'video.mkv',
  exchanges: 'exchanges.jsonl',
  sent: 'sent',
  agentLog: 'agent.log',
  changes: 'changes.patch',
} as const;

/**
 * Marks a folder of records that prove tasks. They are not results: searches for records skip the folder, unless it was
 * named explicitly.
 */
export const proofsMark = '.proofs';

/** The maximum size of a picture that is read from a record, in bytes. */
export const mostPictureBytes = 64 * 1024 * 1024;
/** The maximum size of a text that is read from a record as a whole, in bytes: JavaScript has no longer strings. */
export const mostTextBytes = 512 * 1024 * 1024;

/** Records are private to their user: they may contain what was on a screen or in a file. */
export const privateFile = 0o600;
export const privateFolder = 0o700;

/** Writes a whole file or nothing: a reader never sees half of it, even if this process is killed. */
export async function writeAtomic(path: string, content: string | Uint8Array): Promise<void> {
  const temporary = `${path}.${randomBytes(4).toString('hex')}.tmp`;
  try {
    await writeFile(temporary, content, { mode: privateFile });
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** JSON for people and programs: indented, ending in a newline. */
export function jsonText(value: unknown): string {
  return `${toJson(value, 2)}\n`;
}
