import { badServer } from './errors.ts';
import { checkGreeting, greetingHeadBytes, greetingLength } from './greeting.ts';
import type { DisplayLimits } from './limits.ts';
import { Requests } from './requests.ts';

const packetBytes = 32;
const replyType = 1;
const errorType = 0;
/** An event with a length of its own; this client requests none of these. */
const genericEvent = 35;

/**
 * Cuts what an X server sends into its greeting and packets and checks each before anything else reads it. What has
 * come of a packet is in one buffer of the packet's size, however small the pieces are that it comes in.
 */
export class Packets {
  readonly #limits: DisplayLimits;
  readonly #requests = new Requests();
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
    if (!this.#greeted) return greetingLength(bytes, this.#limits);
    const type = bytes.readUInt8(0);
    if (type === replyType) {
      this.#requests.checkReply(bytes, this.#limits.replyBytes);
      return packetBytes + bytes.readUInt32LE(4) * 4;
    }
    if ((type & 0x7f) === genericEvent) throw badServer('an event that was not requested');
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
      throw badServer(`more than ${this.#limits.packetsPerSecond} packets in a second`);
  }
}
