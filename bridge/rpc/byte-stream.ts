import { Duplex } from 'node:stream';
import { describeError, PwpError } from '../lib/index.ts';
import { limits } from '../protocol/index.ts';
import { createProtocolError } from './peer-limits.ts';

/** The direction of a stream's bytes, as seen from one of its ends. */
export type Direction = 'both' | 'read' | 'write';

/** Sends the frames of a stream. */
interface FrameSender {
  data(bytes: Buffer): void;
  credit(bytes: number): void;
  end(): void;
  close(reason: string): void;
}

/**
 * One end of a byte stream on a connection. A side sends at most as many bytes as the other one has given it credit for:
 * one window ahead of the bytes read there. So neither end holds more than a window, however slow the reader is.
 * Destroying it cancels it on both sides, and so does the end of the connection.
 */
export class ByteStream extends Duplex {
  /** The id by which the side that opened it refers to it in a request. */
  readonly id: number;
  readonly #outlet: FrameSender;
  readonly #inbox = new ReceiveBuffer();
  /** Bytes that may be sent. */
  #credit: number;
  /** Bytes that the other side may send at most. */
  #window = 0;
  /** Bytes that the other side may still send. */
  #granted = 0;
  /** Bytes that were read since the other side was last given credit. */
  #read = 0;
  #otherEnded = false;
  #wanted = false;
  /** Continues with bytes that could not be sent for lack of credit. */
  #resume: (() => void) | undefined;

  /** @param credit bytes that may be sent at once */
  constructor(id: number, outlet: FrameSender, credit: number) {
    // Only the window is read ahead, and that is counted.
    super({ readableHighWaterMark: 1, writableHighWaterMark: limits.streamPieceBytes });
    this.id = id;
    this.#outlet = outlet;
    this.#credit = credit;
    // Users see that it is closed; an unhandled reason must not end the process.
    this.on('error', () => undefined);
  }

  /** Sets its direction on this side, after the other side was allowed to send `window` bytes. */
  begin(direction: Direction, window: number): void {
    this.#window = window;
    this.#granted = window;
    if (direction === 'read') this.end();
    // Without a reader the end of the other side would not be seen.
    if (direction === 'write') this.resume();
  }

  /** Errors: `protocol-error`. */
  receive(bytes: Buffer): void {
    if (this.#otherEnded) throw createProtocolError(`data of stream ${this.id} after its end`);
    if (bytes.length > this.#granted)
      throw createProtocolError(
        `${bytes.length} bytes of stream ${this.id}, where ${this.#granted} were allowed`,
      );
    this.#granted -= bytes.length;
    if (this.destroyed) return;
    this.#inbox.add(bytes);
    if (this.#wanted) this.#pass();
  }

  /** Errors: `protocol-error`. */
  receiveCredit(bytes: number): void {
    this.#credit += bytes;
    if (bytes === 0 || this.#credit > limits.streamWindowBytes)
      throw createProtocolError(`a credit of ${bytes} bytes for stream ${this.id}`);
    const resume = this.#resume;
    this.#resume = undefined;
    resume?.();
  }

  /** Errors: `protocol-error`. */
  receiveEnd(): void {
    if (this.#otherEnded) throw createProtocolError(`two ends of stream ${this.id}`);
    this.#otherEnded = true;
    if (this.#wanted) this.#pass();
  }

  /** The other side has closed it. Bytes that came before a normal end are still read; those of a broken one are not. */
  receiveClose(reason: string): void {
    const whole = this.#otherEnded && reason === '';
    if (whole && !this.readableEnded) this.once('end', () => this.destroy());
    else if (whole && this.writableFinished) this.destroy();
    else this.destroy(new PwpError('stream-closed', reason || 'the other side has closed the stream'));
  }

  override _read(): void {
    this.#wanted = true;
    this.#pass();
  }

  override _write(chunk: Buffer, _: BufferEncoding, done: (error?: Error) => void): void {
    this.#send(chunk, 0, done);
  }

  override _final(done: () => void): void {
    this.#outlet.end();
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#inbox.clear();
    this.#resume = undefined;
    this.#outlet.close(error ? describeError(error) : '');
    done(error);
  }

  /** Passes received bytes on as long as the reader wants them. */
  #pass(): void {
    const bytes = this.#inbox.take();
    if (bytes) {
      this.#wanted = false;
      this.#allowMore(bytes.length);
      // May ask for more at once.
      this.push(bytes);
    } else if (this.#otherEnded) {
      this.#wanted = false;
      this.push(null);
    }
  }

  /** Grants credit in halves of the window, so that not every piece is answered. */
  #allowMore(bytes: number): void {
    this.#read += bytes;
    if (this.#otherEnded || 2 * this.#read < this.#window) return;
    this.#granted += this.#read;
    this.#outlet.credit(this.#read);
    this.#read = 0;
  }

  #send(chunk: Buffer, from: number, done: (error?: Error) => void): void {
    let at = from;
    while (at < chunk.length && this.#credit > 0) {
      const piece = chunk.subarray(at, at + Math.min(limits.streamPieceBytes, this.#credit));
      this.#credit -= piece.length;
      at += piece.length;
      this.#outlet.data(piece);
    }
    if (at === chunk.length) done();
    else this.#resume = () => this.#send(chunk, at, done);
  }
}

/** Pieces shorter than this are copied together. */
const blockBytes = 16 * 1024;

/**
 * Bytes that have not been read yet. Small pieces share a block: a peer that sends single bytes must neither cost an
 * object for each nor keep the large messages alive that they came in.
 */
class ReceiveBuffer {
  readonly #full: Buffer[] = [];
  #block: Buffer | undefined;
  #used = 0;

  add(bytes: Buffer): void {
    if (bytes.length >= blockBytes) {
      this.#seal();
      this.#full.push(bytes);
      return;
    }
    if (this.#used + bytes.length > blockBytes) this.#seal();
    this.#block ??= Buffer.allocUnsafeSlow(blockBytes);
    bytes.copy(this.#block, this.#used);
    this.#used += bytes.length;
  }

  /** The oldest bytes, as many as are contiguous. */
  take(): Buffer | undefined {
    if (this.#full.length === 0) this.#seal();
    return this.#full.shift();
  }

  clear(): void {
    this.#full.length = 0;
    this.#block = undefined;
    this.#used = 0;
  }

  #seal(): void {
    if (this.#block && this.#used > 0) this.#full.push(this.#block.subarray(0, this.#used));
    this.#block = undefined;
    this.#used = 0;
  }
}
