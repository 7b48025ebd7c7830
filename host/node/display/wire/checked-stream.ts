import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { PwpError } from '../../../../bridge/lib/index.ts';
import { badServer } from './errors.ts';
import type { DisplayLimits } from './limits.ts';
import { Packets } from './packets.ts';

/**
 * The stream that the X client reads and writes, with the server's socket behind it. What the server sends is checked
 * first, and what the client throws while it reads ends this connection, not the process. The socket is an ordinary
 * one: descriptors that a server passes along are closed by the kernel, where Node ends the process over one that it
 * receives on a socket made to pass them.
 */
export class CheckedStream extends EventEmitter {
  readonly #socket: Socket;
  readonly #packets: Packets;
  readonly #unreadBytes: number;
  #reason: Error | undefined;

  constructor(socket: Socket, limits: DisplayLimits) {
    super();
    this.#socket = socket;
    this.#packets = new Packets(limits);
    this.#unreadBytes = limits.unreadBytes;
    socket.on('error', (error) => (this.#reason ??= error));
    socket.on('data', (chunk: Buffer) => this.#onData(chunk));
    socket.once('close', () => this.emit('close'));
  }

  /** Why it ended, where the server did not just go away. */
  get reason(): Error | undefined {
    return this.#reason;
  }

  /** For the client, which asks whether it must wait for the connection. */
  readonly connecting = false;
  readonly readyState = 'open';

  get writableLength(): number {
    return this.#socket.writableLength;
  }

  get writableEnded(): boolean {
    return this.#socket.writableEnded;
  }

  get destroyed(): boolean {
    return this.#socket.destroyed;
  }

  /** Never makes the client wait: it would keep what it can't send, and without a bound. */
  write(bytes: Buffer, done?: () => void): boolean {
    this.#packets.sent(bytes);
    if (this.#socket.writableLength > this.#unreadBytes)
      this.fail(badServer(`it has not read the last ${this.#unreadBytes} bytes`));
    else if (!this.#socket.destroyed) this.#socket.write(bytes, done);
    return true;
  }

  end(): void {
    this.#socket.end();
  }

  /** Ends the connection for a reason. */
  fail(reason: Error): void {
    this.#reason ??= reason;
    this.#socket.destroy();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  #onData(chunk: Buffer): void {
    try {
      for (const bytes of this.#packets.take(chunk)) {
        if (this.#socket.destroyed) return;
        this.emit('data', bytes);
      }
    } catch (error) {
      this.fail(
        error instanceof PwpError ? error : badServer(`it sent what can't be read: ${String(error)}`),
      );
    }
  }
}
