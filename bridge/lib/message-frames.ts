/** Splits a stream into messages that are framed as by language servers: headers with a length, then JSON. */
export class FrameReader {
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

/** A message as {@link FrameReader} reads it. */
export function encodeFrame(message: unknown): string {
  const body = JSON.stringify(message);
  return `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}
