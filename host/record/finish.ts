import { join } from 'node:path';
import { readForeignText } from '../lib/index.ts';
import { PwpError } from '../../bridge/lib/index.ts';
import { jsonText, mostTextBytes, recordFiles, writeAtomic } from './files.ts';
import { readRecord } from './read.ts';
import { result, type Result } from './result.ts';
import { trajectoryOf } from './trajectory.ts';

/**
 * Writes `trajectory.json` and `result.json` from a record's events. Called at the end of an episode; may also
 * be called for a record whose run was killed, to recover as much as possible.
 */
export async function finishRecord(folder: string): Promise<Result> {
  const history = await readRecord(folder);
  await writeAtomic(join(folder, recordFiles.trajectory), jsonText(trajectoryOf(history)));
  await writeAtomic(join(folder, recordFiles.result), jsonText(result.parse(history.result)));
  return history.result;
}

/** The result of a record's folder. If it is missing or damaged, it is made from the events; null without these. */
export async function resultIn(folder: string): Promise<Result | null> {
  const written = await readForeignText(folder, recordFiles.result, mostTextBytes).catch(() => null);
  const parsed = written === null ? null : result.safeParse(jsonOf(written));
  if (parsed?.success === true) return parsed.data;
  return await finishRecord(folder).catch((error: unknown) => {
    if (error instanceof PwpError && ['no-record', 'bad-record'].includes(error.code)) return null;
    throw error;
  });
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
