/** Reads one field after another; throws a `RangeError` where the bytes end before the field does. */
export class Cursor {
  readonly #bytes: Buffer;
  at: number;

  constructor(bytes: Buffer, at = 0) {
    this.#bytes = bytes;
    this.at = at;
  }

  get left(): number {
    return this.#bytes.length - this.at;
  }

  byte(): number {
    return this.take(1).readUInt8();
  }

  take(length: number): Buffer {
    if (length < 0 || length > this.left) throw new RangeError('the bytes end too early');
    this.at += length;
    return this.#bytes.subarray(this.at - length, this.at);
  }

  /** A number of seven bits a byte, the lowest first. */
  varint(): number {
    let value = 0;
    for (let shift = 0; shift < 53; shift += 7) {
      const byte = this.byte();
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
    throw new RangeError('a number is too long');
  }

  /** Bytes after their count. */
  counted(): Buffer {
    return this.take(this.varint());
  }
}
