import { Duplex } from 'node:stream';
import { limits, tunnel } from '../../../../bridge/protocol/index.ts';
import type { Peer } from '../../../../bridge/rpc/index.ts';

/** One connection that is carried over another. Holds at most a window of bytes that nobody has read. */
export class Channel extends Duplex {
  readonly #peer: Peer;
  readonly #number: number;
  /** Bytes that may be sent. */
  #credit: number = limits.tunnelWindowBytes;
  /** Bytes that the other side may send. */
  #granted: number = limits.tunnelWindowBytes;
  #received: Buffer[] = [];
  #ended = false;
  #wanted = false;
  /** Goes on with what could not be sent for want of credit. */
  #resume: (() => void) | undefined;

  constructor(peer: Peer, number: number) {
    super({ highWaterMark: limits.tunnelPieceBytes });
    this.#peer = peer;
    this.#number = number;
    // Whoever uses it hears of its close; nobody has to hear of the reason.
    this.on('error', () => undefined);
  }

  /** Bytes that have come for it. */
  receive(bytes: Buffer): void {
    this.#granted -= bytes.length;
    if (this.#granted < 0) {
      this.destroy(new Error('more came than was allowed'));
      return;
    }
    this.#received.push(bytes);
    if (this.#wanted) this.#pass();
  }

  receiveEnd(): void {
    this.#ended = true;
    if (this.#wanted) this.#pass();
  }

  /** The other side is through with it. What came before its end is still read; one that broke off is not. */
  receiveClose(): void {
    if (!this.#ended || this.readableEnded) this.destroy();
    else this.once('end', () => this.destroy());
  }

  receiveCredit(bytes: number): void {
    this.#credit += bytes;
    const resume = this.#resume;
    this.#resume = undefined;
    resume?.();
  }

  override _read(): void {
    this.#wanted = true;
    this.#pass();
  }

  override _write(chunk: Buffer, _: BufferEncoding, done: () => void): void {
    this.#send(chunk, 0, done);
  }

  override _final(done: () => void): void {
    this.#peer.notify(tunnel.end, { channel: this.#number });
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#received = [];
    this.#resume = undefined;
    this.#peer.notify(tunnel.close, { channel: this.#number });
    done(error);
  }

  /** Hands on what has come as long as it is wanted. */
  #pass(): void {
    const bytes = this.#received.shift();
    if (bytes) {
      this.#granted += bytes.length;
      this.#peer.notify(tunnel.credit, { channel: this.#number, bytes: bytes.length });
      this.#wanted = false;
      // May ask for more at once.
      this.push(bytes);
    } else if (this.#ended) {
      this.#wanted = false;
      this.push(null);
    }
  }

  #send(chunk: Buffer, from: number, done: () => void): void {
    let at = from;
    while (at < chunk.length && this.#credit > 0) {
      const piece = chunk.subarray(at, at + Math.min(limits.tunnelPieceBytes, this.#credit));
      this.#credit -= piece.length;
      at += piece.length;
      this.#peer.notify(tunnel.data, { channel: this.#number, base64: piece.toString('base64') });
    }
    if (at === chunk.length) done();
    else this.#resume = () => this.#send(chunk, at, done);
  }
}
