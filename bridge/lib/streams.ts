import type { Readable } from 'node:stream';

/** Bytes for the note that replaces the omitted part. */
const gapNoteBytes = 60;

/**
 * Reads a stream to its end and keeps its first bytes, so that no program is blocked and no output is buffered without
 * bound. With `tail`, that many of the kept bytes are the last ones: errors come at the end.
 */
export class BoundedOutput {
  #length = 0;
  #headLength = 0;
  #tailLength = 0;
  #head: Buffer[] = [];
  #tail: Buffer[] = [];
  #dropping = false;
  readonly #most: { readonly head: number; readonly tail: number };

  constructor(stream: Readable, maxBytes: number, tail = 0) {
    this.#most = { head: maxBytes - tail, tail };
    stream.on('error', () => stream.destroy());
    stream.on('data', (chunk: Buffer) => this.#take(chunk));
  }

  get truncated(): boolean {
    return this.#length > this.#most.head + this.#most.tail;
  }

  /** The kept bytes, as UTF-8, without characters that a bound has cut. */
  text(): string {
    const head = Buffer.concat(this.#head);
    if (!this.truncated) return Buffer.concat([head, ...this.#tail]).toString('utf8');
    const start = new TextDecoder().decode(head, { stream: true });
    if (this.#most.tail <= gapNoteBytes) return start;
    const end = dropCutCharacter(Buffer.concat(this.#tail).subarray(-(this.#most.tail - gapNoteBytes)));
    return `${start}\n[${this.#length - head.length - end.length} bytes left out]\n${end.toString('utf8')}`;
  }

  /** From now on, output is read and dropped, so that the program continues. */
  drop(): void {
    this.#dropping = true;
    this.#head = [];
    this.#tail = [];
  }

  #take(chunk: Buffer): void {
    if (this.#dropping) return;
    this.#length += chunk.length;
    const first = chunk.subarray(0, this.#most.head - this.#headLength);
    this.#headLength += first.length;
    if (first.length > 0) this.#head.push(first);
    if (this.#most.tail > 0 && first.length < chunk.length) this.#takeLast(chunk.subarray(first.length));
  }

  #takeLast(chunk: Buffer): void {
    this.#tail.push(chunk);
    this.#tailLength += chunk.length;
    // Joined rarely: a program may write byte by byte.
    if (this.#tailLength <= 2 * this.#most.tail && this.#tail.length <= 1000) return;
    const last = Buffer.concat(this.#tail).subarray(-this.#most.tail);
    this.#tail = [Buffer.from(last)];
    this.#tailLength = last.length;
  }
}

/** Without the rest of a character that was cut at the start. */
function dropCutCharacter(bytes: Buffer): Buffer {
  const start = bytes.findIndex((byte) => (byte & 0xc0) !== 0x80);
  return start < 0 || start > 3 ? bytes : bytes.subarray(start);
}

/** All that a stream has, or undefined as soon as that is more than `maxBytes`; the stream is then destroyed. */
export async function readBounded(stream: Readable, maxBytes: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Splits a stream into messages that are framed as by language servers: headers with a length, then JSON. */
export class LspMessageReader {
  readonly #onMessage: (message: unknown) => void;
  #rest: Buffer = Buffer.alloc(0);

  constructor(onMessage: (message: unknown) => void) {
    this.#onMessage = onMessage;
  }

  add(chunk: Buffer): void {
    this.#rest = Buffer.concat([this.#rest, chunk]);
    for (;;) {
      const end = this.#rest.indexOf('\r\n\r\n');
      if (end < 0) return;
      const length = Number(/Content-Length: (\d+)/i.exec(this.#rest.toString('latin1', 0, end))?.[1] ?? 0);
      const start = end + 4;
      if (this.#rest.length < start + length) return;
      const body = this.#rest.toString('utf8', start, start + length);
      this.#rest = this.#rest.subarray(start + length);
      if (length > 0) this.#onMessage(JSON.parse(body));
    }
  }
}

/** A message as {@link LspMessageReader} reads it. */
export function encodeLspMessage(message: unknown): string {
  const body = JSON.stringify(message);
  return `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}
