import { createReadStream } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { describeError, PwpError, SerialQueue } from '../../../bridge/lib/index.ts';
import { toJson } from '../../../bridge/text/index.ts';
import { readUntrusted, streamUntrusted } from '../../lib/index.ts';
import { type EventBody, eventKinds, recordEvent, type RecordEvent } from './record-events.ts';
import { mostTextBytes, privateFile, recordFiles } from './record-folder.ts';

/** The maximum bytes of a line that is read: far more than the largest step needs. */
const longestLine = 64 * 1024 * 1024;

/** The beginning of a line, by which it is found without parsing the rest. */
interface LineHead {
  /** Null for a line that is not an event of this version. */
  readonly kind: RecordEvent['event'] | null;
  readonly ms: number;
  /** The step that it belongs to; null without one. */
  readonly step: number | null;
}

/** The line of an event, without the newline: its head comes first. */
export function formatEvent(event: RecordEvent): string {
  return formatStamped(event, event);
}

function formatStamped({ at, ms }: Pick<RecordEvent, 'at' | 'ms'>, body: EventBody): string {
  const head = { at, ms, event: body.event, step: 'step' in body ? body.step : undefined };
  return toJson(Object.assign(head, body));
}

/** The number of bytes of a line that can have its head. */
const headBytes = 240;
const headPattern =
  /^\{"at":"[^"]{1,40}","ms":(\d+(?:\.\d+)?),"event":"([a-z-]{1,40})"(?:,"step":(\d{1,9})\b)?/;

/** Reads what {@link formatEvent} has written first. */
export function readHead(line: Buffer): LineHead {
  const [, ms, kind, step] = headPattern.exec(line.toString('latin1', 0, headBytes)) ?? [];
  return {
    kind: kind !== undefined && isEventKind(kind) ? kind : null,
    ms: Number(ms ?? 0),
    step: step === undefined ? null : Number(step),
  };
}

function isEventKind(name: string): name is RecordEvent['event'] {
  return eventKinds.has(name);
}

/** A text as it is within a line: to search lines without parsing them, which would take a hundred times as long. */
export function textInLine(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** A field as it is within a line. */
export function fieldInLine(name: string, value: string): string {
  return `"${name}":${JSON.stringify(value)}`;
}

/** One line of `events.jsonl`. Errors: `bad-record` with the place and the field. */
export function parseEvent(line: string, where: string): RecordEvent {
  return parseRecorded(recordEvent, line, where);
}

/** JSON of a record. Errors: `bad-record` with the place and the field. */
export function parseRecorded<T extends z.ZodType>(schema: T, text: string, where: string): z.output<T> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new PwpError('bad-record', `${where} is not JSON`, { cause });
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new PwpError('bad-record', `${where}: ${z.prettifyError(parsed.error)}`, { cause: parsed.error });
}

/**
 * The lines of `events.jsonl`. Each is handed to the kernel before `append` resolves, so that a killed run keeps all lines
 * until then. They keep the order of the calls, even if those overlap.
 */
export class EventLog {
  readonly #file: FileHandle;
  readonly #started = performance.now();
  #last: Promise<void> = Promise.resolve();

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  /** Errors: `EEXIST` if the file already exists. */
  static async create(path: string): Promise<EventLog> {
    return new EventLog(await open(path, 'ax', privateFile));
  }

  append(body: EventBody): Promise<void> {
    const ms = Math.round(performance.now() - this.#started);
    const line = formatStamped({ at: new Date().toISOString(), ms }, body);
    this.#last = this.#last.then(() => this.#file.appendFile(`${line}\n`));
    return this.#last;
  }

  async close(): Promise<void> {
    await this.#last.catch(() => undefined);
    await this.#file.close();
  }
}

/** A line that ended in a newline. */
interface WholeLine {
  /** Bytes, without the newline. */
  readonly length: number;
  /** Only the beginning of a line in many chunks that is longer than any of a record. */
  readonly bytes: Buffer;
}

/** Finds the lines in chunks of a file. What comes after the last newline was cut off, or is still being written. */
class LineSplitter {
  #parts: Buffer[] = [];
  #pending = 0;

  /** The number of bytes after the last newline. */
  get pending(): number {
    return this.#pending;
  }

  add(chunk: Buffer): WholeLine[] {
    const lines: WholeLine[] = [];
    let from = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      this.#keep(chunk.subarray(from, end));
      const [first, ...more] = this.#parts;
      const bytes = first && more.length === 0 ? first : Buffer.concat(this.#parts);
      lines.push({ length: this.#pending, bytes });
      [this.#parts, this.#pending, from] = [[], 0, end + 1];
    }
    this.#keep(chunk.subarray(from));
    return lines;
  }

  #keep(part: Buffer): void {
    this.#pending += part.length;
    if (this.#pending <= longestLine || this.#parts.length === 0) this.#parts.push(part);
    else this.#parts.length = 1;
  }
}

interface PlacedText {
  readonly text: string;
  /** For errors. */
  readonly where: string;
}

/** All lines of a file of a record, as far as it was written. Errors: `no-record`, `bad-record`. */
export async function readLines(folder: string, name: string): Promise<PlacedText[]> {
  const bytes = await readUntrusted(folder, name, mostTextBytes).catch((cause: unknown) => {
    if (cause instanceof PwpError) throw new PwpError('bad-record', cause.message, { cause });
    const what = name === recordFiles.events ? 'record' : name;
    throw new PwpError('no-record', `${folder} contains no ${what}`, {
      cause,
      help: `A record has a ${recordFiles.events}.`,
    });
  });
  const place = (index: number) => `${join(folder, name)}:${index + 1}`;
  return new LineSplitter()
    .add(bytes)
    .map((line, index) => ({ text: line.bytes.toString('utf8'), where: place(index) }));
}

/** All events of a record. Errors: `no-record`, `bad-record` with file, line and field. */
export async function readEvents(folder: string): Promise<RecordEvent[]> {
  return (await readLines(folder, recordFiles.events)).map(({ text, where }) => parseEvent(text, where));
}

/** An event of a record, or why a line of it can't be read. */
export type StreamedLine = { readonly event: RecordEvent } | { readonly problem: string };

/**
 * The events of a record one after the other, so that a record of any length takes the memory of a line. A line that
 * can't be read does not end it; one that is cut off, since it is being written, is left out. Errors: `no-record`;
 * `too-large` for a line that is longer than any of a record.
 */
export async function* streamRecord(folder: string): AsyncGenerator<StreamedLine> {
  const path = join(folder, recordFiles.events);
  const splitter = new LineSplitter();
  let number = 0;
  try {
    for await (const chunk of streamUntrusted(folder, recordFiles.events)) {
      for (const { bytes } of splitter.add(chunk))
        yield parseStreamedLine(bytes.toString('utf8'), `${path}:${(number += 1)}`);
      if (splitter.pending > longestLine) break;
    }
  } catch (cause) {
    throw new PwpError('no-record', `can't read ${path}`, { cause });
  }
  if (splitter.pending > longestLine)
    throw new PwpError('too-large', `${path} has a line of more than ${longestLine} bytes`, {
      help: 'No record has such lines: the file is damaged.',
    });
}

function parseStreamedLine(line: string, where: string): StreamedLine {
  try {
    return { event: parseEvent(line, where) };
  } catch (error) {
    if (error instanceof PwpError && error.code === 'bad-record') return { problem: describeError(error) };
    throw error;
  }
}

/** The place of a line in a record, and its head. */
export interface LinePlace extends LineHead {
  readonly offset: number;
  /** Bytes, without the newline. */
  readonly length: number;
  /** From 1. */
  readonly number: number;
}

/** The number of bytes to read at once. */
const blockBytes = 4 * 1024 * 1024;

/** The lines of a record by their places: a record of any length is open at once, and its lines are read one by one. */
export class RecordLines {
  readonly path: string;
  readonly places: LinePlace[] = [];
  readonly #refreshes = new SerialQueue();
  #read = 0;

  private constructor(path: string) {
    this.path = path;
  }

  /** @param path of the `events.jsonl` */
  static async open(path: string): Promise<RecordLines> {
    const lines = new RecordLines(path);
    await lines.refresh();
    return lines;
  }

  /** Finds new lines, each once, even with parallel calls. A line that is cut off does not count yet. */
  refresh(): Promise<void> {
    return this.#refreshes.run(() => this.#find());
  }

  /** The text of some lines, in order. Empty for a line that is longer than any of a record. */
  async *texts(places: readonly LinePlace[]): AsyncGenerator<readonly [LinePlace, string]> {
    await using file = await open(this.path);
    for (const block of groupIntoBlocks(places)) {
      const [first, last] = [block[0], block.at(-1)];
      if (!first || !last) continue;
      const isTooLong = first.length > longestLine;
      const bytes = Buffer.alloc(isTooLong ? 0 : last.offset + last.length - first.offset);
      if (!isTooLong) await file.read(bytes, 0, bytes.length, first.offset);
      for (const place of block) {
        const start = place.offset - first.offset;
        yield [place, bytes.toString('utf8', start, start + place.length)];
      }
    }
  }

  async #find(): Promise<void> {
    const { size } = await stat(this.path);
    if (size < this.#read) this.#forget();
    if (size === this.#read) return;
    const splitter = new LineSplitter();
    const range = { start: this.#read, end: size - 1, highWaterMark: blockBytes };
    for await (const chunk of createReadStream(this.path, range))
      for (const line of splitter.add(chunk as Buffer)) this.#add(line);
  }

  #add({ length, bytes }: WholeLine): void {
    const { kind, ms, step } = readHead(bytes);
    this.places.push({ offset: this.#read, length, number: this.places.length + 1, kind, ms, step });
    this.#read += length + 1;
  }

  /** The file has been replaced. */
  #forget(): void {
    this.places.length = 0;
    this.#read = 0;
  }
}

/** Groups consecutive lines, up to the size of a block; a longer line is alone. */
function* groupIntoBlocks(places: readonly LinePlace[]): Generator<readonly LinePlace[]> {
  let block: LinePlace[] = [];
  for (const place of places) {
    const first = block[0];
    if (first && (place.offset + place.length - first.offset > blockBytes || place.offset < first.offset)) {
      yield block;
      block = [];
    }
    block.push(place);
  }
  if (block.length > 0) yield block;
}
