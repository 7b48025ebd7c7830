import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { PwpError } from '../../../../bridge/lib/index.ts';
import {
  checkGreeting,
  type DisplayLimits,
  displayProtocolError,
  greetingHeadBytes,
  readGreetingLength,
} from './greeting.ts';

/**
 * The stream that the X client reads and writes, with the server's socket behind it. What the server sends is checked
 * first, and what the client throws while it reads ends this connection, not the process. The socket is an ordinary
 * one: descriptors that a server passes along are closed by the kernel, where Node ends the process over one that it
 * receives on a socket made to pass them.
 */
export class CheckedStream extends EventEmitter {
  readonly #socket: Socket;
  readonly #packets: PacketReader;
  readonly #unreadBytes: number;
  #reason: Error | undefined;

  constructor(socket: Socket, limits: DisplayLimits) {
    super();
    this.#socket = socket;
    this.#packets = new PacketReader(limits);
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
      this.fail(displayProtocolError(`it has not read the last ${this.#unreadBytes} bytes`));
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
        error instanceof PwpError
          ? error
          : displayProtocolError(`it sent what can't be read: ${String(error)}`),
      );
    }
  }
}

const packetBytes = 32;
const replyType = 1;
const errorType = 0;
/** An event with a length of its own; this client requests none of these. */
const genericEvent = 35;

/**
 * Cuts what an X server sends into its greeting and packets and checks each before anything else reads it. What has
 * come of a packet is in one buffer of the packet's size, however small the pieces are that it comes in.
 */
export class PacketReader {
  readonly #limits: DisplayLimits;
  readonly #requests = new PendingRequests();
  readonly #now: () => number;
  #partial = Buffer.alloc(greetingHeadBytes);
  #filled = 0;
  #greeted = false;
  #second = { began: -Infinity, packets: 0 };

  /** @param now milliseconds of a clock that never goes back */
  constructor(limits: DisplayLimits, now = () => performance.now()) {
    this.#limits = limits;
    this.#now = now;
  }

  /** Notes what is sent to the server. */
  sent(bytes: Buffer): void {
    // What comes before the greeting is this side's own, and no request.
    if (this.#greeted) this.#requests.sent(bytes);
  }

  /** Takes what has come; returns what is whole now: the greeting, then packets. Errors: `display-lost`. */
  *take(chunk: Buffer): Generator<Buffer> {
    for (let at = 0; at < chunk.length;) {
      const count = Math.min(this.#partial.length - this.#filled, chunk.length - at);
      chunk.copy(this.#partial, this.#filled, at, at + count);
      this.#filled += count;
      at += count;
      if (this.#filled < this.#partial.length) return;
      const whole = this.#partial;
      const length = this.#lengthOf(whole);
      this.#partial = Buffer.alloc(length > whole.length ? length : packetBytes);
      this.#filled = length > whole.length ? whole.copy(this.#partial) : 0;
      if (length > whole.length) continue;
      this.#finish(whole);
      yield whole;
    }
  }

  /** Length of the greeting or packet with this beginning, in bytes. */
  #lengthOf(bytes: Buffer): number {
    if (!this.#greeted) return readGreetingLength(bytes, this.#limits);
    const type = bytes.readUInt8(0);
    if (type === replyType) {
      this.#requests.checkReply(bytes, this.#limits.replyBytes);
      return packetBytes + bytes.readUInt32LE(4) * 4;
    }
    if ((type & 0x7f) === genericEvent) throw displayProtocolError('an event that was not requested');
    return packetBytes;
  }

  #finish(whole: Buffer): void {
    if (!this.#greeted) {
      checkGreeting(whole, this.#limits);
      this.#greeted = true;
      return;
    }
    this.#count();
    const type = whole.readUInt8(0);
    if (type === replyType || type === errorType) this.#requests.answered(whole.readUInt16LE(2));
  }

  #count(): void {
    const now = this.#now();
    if (now - this.#second.began >= 1000) this.#second = { began: now, packets: 0 };
    this.#second.packets += 1;
    if (this.#second.packets > this.#limits.packetsPerSecond)
      throw displayProtocolError(`more than ${this.#limits.packetsPerSecond} packets in a second`);
  }
}

/** Core requests that are used, by opcode, with the bytes that a reply of theirs has beyond its first 32 at most. */
const maxReplyBytes: ReadonlyMap<number, number> = new Map([
  [15, 0xffff * 4], // QueryTree
  [16, 0], // InternAtom
  [17, 0xffff + 3], // GetAtomName
  [20, 4096], // GetProperty: never more than 256 words are asked for
  [21, 0xffff * 4], // ListProperties
  [38, 0], // QueryPointer
  [43, 0], // GetInputFocus
  [44, 8], // QueryKeymap
  [98, 0], // QueryExtension
  [101, 248 * 255 * 4], // GetKeyboardMapping
  [119, 8 * 255 + 3], // GetModifierMapping
]);
const keyboardMapping = 101;
const firstOfExtensions = 128;
const sequences = 0x1_0000;

/** More than this may not wait for a sign of life; the client itself asks for one every 60,000 requests. */
const maxPending = 0x1_0000;

/** The requests of a connection that may still be answered, in their order. A server can only answer what was asked. */
class PendingRequests {
  /** For each its opcode, above the low 16 bits of its number. */
  #pending: number[] = [];
  #sequence = 0;

  /** Notes what is sent: whole requests, one after the other. Errors: `display-lost` if none of them is ever answered. */
  sent(bytes: Buffer): void {
    for (let at = 0; at < bytes.length;) {
      const length = bytes.readUInt16LE(at + 2) * 4;
      if (length === 0 || at + length > bytes.length) throw new Error('not a whole request');
      this.#sequence = (this.#sequence + 1) % sequences;
      this.#pending.push(bytes.readUInt8(at) * sequences + this.#sequence);
      at += length;
    }
    if (this.#pending.length > maxPending)
      throw displayProtocolError(`it left ${maxPending} requests unanswered`);
  }

  /**
   * Checks the head of a reply.
   * @param longest bytes of one to an extension's request
   * Errors: `display-lost` if nothing like it was asked for.
   */
  checkReply(head: Buffer, longest: number): void {
    const opcode = Math.floor((this.#pending[this.#indexOf(head.readUInt16LE(2))] ?? 0) / sequences);
    const more = head.readUInt32LE(4) * 4;
    const most = opcode >= firstOfExtensions ? longest : maxReplyBytes.get(opcode);
    if (most === undefined) throw displayProtocolError(`a reply to request ${opcode}, which has none`);
    if (more > most) throw displayProtocolError(`a reply of ${more + 32} bytes to request ${opcode}`);
    // A row of no keysyms could be read forever.
    if (opcode === keyboardMapping && head.readUInt8(1) === 0)
      throw displayProtocolError('keys without keysyms');
  }

  /** A reply or an error has come: what was asked before it is over too. Errors: `display-lost`. */
  answered(sequence: number): void {
    this.#pending = this.#pending.slice(this.#indexOf(sequence) + 1);
  }

  #indexOf(sequence: number): number {
    const index = this.#pending.findIndex((each) => each % sequences === sequence);
    if (index < 0) throw displayProtocolError(`an answer to request number ${sequence}, which was not made`);
    return index;
  }
}
