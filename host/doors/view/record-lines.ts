import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { SerialQueue } from '../../../bridge/lib/index.ts';
import { parseEvent, type RecordEvent } from '../../run/index.ts';

/** The place of a line in a record, and the content of its beginning. */
export interface LinePlace {
  readonly offset: number;
  /** Bytes, without the newline. */
  readonly length: number;
  /** From 1. */
  readonly number: number;
  /** The kind of event; null for a line that does not begin like an event. */
  readonly kind: string | null;
  readonly ms: number;
  readonly step: string | null;
}

/** The number of bytes of a line that are read for its place. */
const headBytes = 240;
/** The maximum bytes of a line that is read at all: those of a record are far below. */
const longestLine = 64 * 1024 * 1024;
/** The number of bytes to read at once. */
const blockBytes = 4 * 1024 * 1024;

const linePattern =
  /^\{"at":"[^"]{1,40}","ms":(\d+(?:\.\d+)?),"event":"([a-z-]{1,40})"(?:,"step":(\d{1,9}))?/;

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

  async #find(): Promise<void> {
    const { size } = await stat(this.path);
    if (size < this.#read) this.#forget();
    if (size === this.#read) return;
    let carried = Buffer.alloc(0);
    let [lineStart, length] = [this.#read, 0];
    for await (const chunk of createReadStream(this.path, {
      start: this.#read,
      end: size - 1,
      highWaterMark: blockBytes,
    })) {
      const bytes = chunk as Buffer;
      let from = 0;
      for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, from)) {
        const beginning =
          carried.length >= headBytes
            ? carried
            : Buffer.concat([carried, bytes.subarray(from, Math.min(end, from + headBytes))]);
        this.#add(lineStart, length + end - from, beginning);
        lineStart += length + end - from + 1;
        // Set now, so that a read after a later failure does not find it again.
        this.#read = lineStart;
        [carried, length, from] = [Buffer.alloc(0), 0, end + 1];
      }
      length += bytes.length - from;
      if (carried.length < headBytes)
        carried = Buffer.concat([carried, bytes.subarray(from, from + headBytes)]);
    }
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

  /** Errors: `bad-record` with the line and the field. */
  async event(place: LinePlace): Promise<RecordEvent> {
    for await (const [, text] of this.texts([place])) return this.parse(place, text);
    throw new TypeError('a line has a text');
  }

  parse({ number }: LinePlace, text: string): RecordEvent {
    return parseEvent(text, `line ${number}`);
  }

  #add(offset: number, length: number, beginning: Buffer): void {
    const [, ms, kind, step] = linePattern.exec(beginning.toString('latin1', 0, headBytes)) ?? [];
    const number = this.places.length + 1;
    this.places.push({ offset, length, number, kind: kind ?? null, ms: Number(ms ?? 0), step: step ?? null });
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
