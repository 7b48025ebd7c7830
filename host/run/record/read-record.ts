import { join } from 'node:path';
import { describeError, PwpError } from '../../../bridge/lib/index.ts';
import { readUntrustedText } from '../../lib/index.ts';
import { type EventsByKind, sortByKind } from './record-events.ts';
import { mostTextBytes } from './record-folder.ts';
import { parseRecorded, readEvents } from './record-lines.ts';
import { makeResult, type RecordedResult } from './record-result.ts';
import { type RecordedMark, recordedMarks, type RecordedObservation } from './recorded-state.ts';

/** A record as it was found: complete, or up to the point where its run was killed. */
export interface EpisodeHistory extends EventsByKind {
  readonly result: RecordedResult;
}

/**
 * Reads and validates a record. It needs only `events.jsonl`, so the record of a killed run can be read, too; a last line
 * that was cut off is left out. Errors: `no-record`, `bad-record` with file, line and field.
 */
export async function readRecord(folder: string): Promise<EpisodeHistory> {
  const facts = sortByKind(folder, await readEvents(folder));
  return { ...facts, result: makeResult(facts) };
}

/** The marks of one observation of a record. */
export async function readMarks(folder: string, { marks }: RecordedObservation): Promise<RecordedMark[]> {
  const path = join(folder, marks);
  const text = await readUntrustedText(folder, marks, mostTextBytes).catch((cause: unknown) => {
    throw new PwpError('bad-record', `${path} can't be read: ${describeError(cause)}`, { cause });
  });
  return parseRecorded(recordedMarks, text, path);
}
