import { badServer } from './errors.ts';

/** Core requests that are used, by opcode, with the bytes that a reply of theirs has beyond its first 32 at most. */
const replies: ReadonlyMap<number, number> = new Map([
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
const mostPending = 0x1_0000;

/** The requests of a connection that may still be answered, in their order. A server can only answer what was asked. */
export class Requests {
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
    if (this.#pending.length > mostPending) throw badServer(`it left ${mostPending} requests unanswered`);
  }

  /**
   * Checks the head of a reply.
   * @param longest bytes of one to an extension's request
   * Errors: `display-lost` if nothing like it was asked for.
   */
  checkReply(head: Buffer, longest: number): void {
    const opcode = Math.floor((this.#pending[this.#indexOf(head.readUInt16LE(2))] ?? 0) / sequences);
    const more = head.readUInt32LE(4) * 4;
    const most = opcode >= firstOfExtensions ? longest : replies.get(opcode);
    if (most === undefined) throw badServer(`a reply to request ${opcode}, which has none`);
    if (more > most) throw badServer(`a reply of ${more + 32} bytes to request ${opcode}`);
    // A row of no keysyms could be read forever.
    if (opcode === keyboardMapping && head.readUInt8(1) === 0) throw badServer('keys without keysyms');
  }

  /** A reply or an error has come: what was asked before it is over too. Errors: `display-lost`. */
  answered(sequence: number): void {
    this.#pending = this.#pending.slice(this.#indexOf(sequence) + 1);
  }

  #indexOf(sequence: number): number {
    const index = this.#pending.findIndex((each) => each % sequences === sequence);
    if (index < 0) throw badServer(`an answer to request number ${sequence}, which was not made`);
    return index;
  }
}
