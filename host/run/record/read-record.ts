import { join } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import * as z from 'zod';
import { describeError, PwpError } from '../../../bridge/lib/index.ts';
import { readUntrustedText, streamUntrusted } from '../../lib/index.ts';
import {
  type CourseEvent,
  type EventOf,
  type EventsByKind,
  recordEvent,
  type RecordEvent,
} from './record-events.ts';
import { mostTextBytes, recordFiles } from './record-folder.ts';
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
  const path = join(folder, recordFiles.events);
  const text = await readUntrustedText(folder, recordFiles.events, mostTextBytes).catch((cause: unknown) => {
    if (cause instanceof PwpError) throw new PwpError('bad-record', cause.message, { cause });
    throw new PwpError('no-record', `${folder} contains no record`, {
      cause,
      help: `A record has a ${recordFiles.events}.`,
    });
  });
  return buildHistory(folder, parseLines(path, text));
}

/** The marks of one observation of a record. */
export async function readMarks(folder: string, observation: RecordedObservation): Promise<RecordedMark[]> {
  const path = join(folder, observation.marks);
  return validate(recordedMarks, parseJson(await readMarksText(folder, observation.marks), path), path);
}

async function readMarksText(folder: string, path: string): Promise<string> {
  return await readUntrustedText(folder, path, mostTextBytes).catch((cause: unknown) => {
    throw new PwpError('bad-record', `${join(folder, path)} can't be read: ${describeError(cause)}`, {
      cause,
    });
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

function buildHistory(folder: string, events: readonly RecordEvent[]): EpisodeHistory {
  const [start] = selectKind(events, 'start');
  if (start === undefined) throw new PwpError('bad-record', `${folder} has no start event`);
  const facts = {
    folder,
    events,
    start,
    reset: selectKind(events, 'reset').at(0) ?? null,
    steps: selectKind(events, 'step'),
    checkpoints: selectKind(events, 'checkpoint'),
    restores: selectKind(events, 'restore'),
    people: selectKind(events, 'people'),
    replies: selectKind(events, 'reply'),
    lastTurn: selectKind(events, 'last-turn').at(-1) ?? null,
    unanswered: selectKind(events, 'unanswered'),
    course: events.filter(isOfCourse),
    services: selectKind(events, 'service'),
    usages: selectKind(events, 'usage'),
    refusals: selectKind(events, 'refused-connection'),
    errors: selectKind(events, 'error'),
    video: selectKind(events, 'video').at(-1) ?? null,
    changes: selectKind(events, 'changes').at(-1) ?? null,
    grade: selectKind(events, 'grade').at(-1) ?? null,
    end: selectKind(events, 'end').at(0) ?? null,
    lastMs: events.at(-1)?.ms ?? 0,
  };
  return { ...facts, result: makeResult(facts) };
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

function selectKind<K extends RecordEvent['event']>(events: readonly RecordEvent[], kind: K): EventOf<K>[] {
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

/** An event of a record, or why a line of it can't be read. */
export type StreamedLine = { readonly event: RecordEvent } | { readonly problem: string };

/** The maximum length of a line, in UTF-16 code units: far more than the largest step needs. */
const longestStreamedLine = 64 * 1024 * 1024;

/**
 * The events of a record one after the other, so that a record of any length takes the memory of a line. A line that
 * can't be read does not end it; one that is cut off, since it is being written, is left out. Errors: `no-record`;
 * `too-large` for a line that is longer than any of a record.
 */
export async function* streamRecord(folder: string): AsyncGenerator<StreamedLine> {
  const path = join(folder, recordFiles.events);
  let number = 0;
  for await (const line of readWholeLines(folder, path))
    yield parseStreamedLine(line, `${path}:${(number += 1)}`);
}

function parseStreamedLine(line: string, where: string): StreamedLine {
  try {
    return { event: parseEvent(line, where) };
  } catch (error) {
    if (error instanceof PwpError && error.code === 'bad-record') return { problem: describeError(error) };
    throw error;
  }
}

async function* readWholeLines(folder: string, path: string): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  try {
    for await (const chunk of streamUntrusted(folder, recordFiles.events)) {
      // Only the new chunk: otherwise the beginning of a long line would be searched again and again.
      const [end = '', ...lines] = decoder.write(chunk).split('\n');
      lines.unshift(rest + end);
      rest = lines.pop() ?? '';
      yield* lines;
      if (rest.length > longestStreamedLine) break;
    }
  } catch (cause) {
    throw new PwpError('no-record', `can't read ${path}`, { cause });
  }
  if (rest.length > longestStreamedLine)
    throw new PwpError('too-large', `${path} has a line of more than ${longestStreamedLine} characters`, {
      help: 'No record has such lines: the file is damaged.',
    });
}
