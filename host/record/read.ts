import { join } from 'node:path';
import * as z from 'zod';
import { readForeignText } from '../lib/index.ts';
import { PwpError, messageOf } from '../../bridge/lib/index.ts';
import { recordEvent, type EventOf, type RecordEvent } from './events.ts';
import { mostTextBytes, recordFiles } from './files.ts';
import type { CourseEvent, RecordedEvents } from './history.ts';
import { recordedMarks, type RecordedMark, type RecordedObservation } from './observation.ts';
import { resultOf, type Result } from './result.ts';

/** A record as it was found: complete, or up to the point where its run was killed. */
export interface EpisodeHistory extends RecordedEvents {
  readonly result: Result;
}

/**
 * Reads and validates a record. It needs only `events.jsonl`, so the record of a killed run can be read, too; a last line
 * that was cut off is left out. Errors: `no-record`, `bad-record` with file, line and field.
 */
export async function readRecord(folder: string): Promise<EpisodeHistory> {
  const path = join(folder, recordFiles.events);
  const text = await readForeignText(folder, recordFiles.events, mostTextBytes).catch((cause: unknown) => {
    if (cause instanceof PwpError) throw new PwpError('bad-record', cause.message, { cause });
    throw new PwpError('no-record', `${folder} contains no record`, {
      cause,
      help: `A record has a ${recordFiles.events}.`,
    });
  });
  return historyOf(folder, parseLines(path, text));
}

/** The marks of one observation of a record. */
export async function readMarks(folder: string, observation: RecordedObservation): Promise<RecordedMark[]> {
  const path = join(folder, observation.marks);
  return validate(recordedMarks, parseJson(await readMarksText(folder, observation.marks), path), path);
}

async function readMarksText(folder: string, path: string): Promise<string> {
  return await readForeignText(folder, path, mostTextBytes).catch((cause: unknown) => {
    throw new PwpError('bad-record', `${join(folder, path)} can't be read: ${messageOf(cause)}`, { cause });
  });
}

function parseLines(path: string, text: string): RecordEvent[] {
  const lines = text.split('\n');
  // Complete text ends in a newline; anything after the last one was cut off while it was being written.
  lines.pop();
  return lines.map((line, index) => parseEvent(line, `${path}:${index + 1}`));
}

/** One line of `events.jsonl`. Errors: `bad-record` with the place and the field. */
export function parseEvent(line: string, where: string): RecordEvent {
  return validate(recordEvent, parseJson(line, where), where);
}

function historyOf(folder: string, events: readonly RecordEvent[]): EpisodeHistory {
  const [start] = ofKind(events, 'start');
  if (start === undefined) throw new PwpError('bad-record', `${folder} has no start event`);
  const facts = {
    folder,
    events,
    start,
    reset: ofKind(events, 'reset').at(0) ?? null,
    steps: ofKind(events, 'step'),
    checkpoints: ofKind(events, 'checkpoint'),
    restores: ofKind(events, 'restore'),
    people: ofKind(events, 'people'),
    replies: ofKind(events, 'reply'),
    lastTurn: ofKind(events, 'last-turn').at(-1) ?? null,
    unanswered: ofKind(events, 'unanswered'),
    course: events.filter(isOfCourse),
    services: ofKind(events, 'service'),
    usages: ofKind(events, 'usage'),
    refusals: ofKind(events, 'refused-connection'),
    errors: ofKind(events, 'error'),
    video: ofKind(events, 'video').at(-1) ?? null,
    changes: ofKind(events, 'changes').at(-1) ?? null,
    grade: ofKind(events, 'grade').at(-1) ?? null,
    end: ofKind(events, 'end').at(0) ?? null,
    lastMs: events.at(-1)?.ms ?? 0,
  };
  return { ...facts, result: resultOf(facts) };
}

const courseKinds: readonly string[] = [
  'step',
  'restore',
  'people',
  'message',
  'reply',
] satisfies CourseEvent['event'][];

function isOfCourse(event: RecordEvent): event is CourseEvent {
  return courseKinds.includes(event.event);
}

function ofKind<K extends RecordEvent['event']>(events: readonly RecordEvent[], kind: K): EventOf<K>[] {
  return events.filter((event): event is EventOf<K> => event.event === kind);
}

function parseJson(text: string, where: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new PwpError('bad-record', `${where} is not JSON`, { cause });
  }
}

function validate<T extends z.ZodType>(schema: T, value: unknown, where: string): z.output<T> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new PwpError('bad-record', `${where}: ${z.prettifyError(parsed.error)}`, { cause: parsed.error });
}
