import { Cursor } from './cursor.ts';

/** More than a block of a table or a value ever is, in bytes. */
const maxBytes = 64 * 1024 * 1024;

/** Unpacks a block in Snappy's format. Throws a `RangeError` for a damaged one. */
export function unsnappy(packed: Buffer): Buffer {
  const source = new Cursor(packed);
  const length = source.varint();
  if (length > maxBytes) throw new RangeError('a block is too large');
  const target = Buffer.alloc(length);
  let at = 0;
  while (source.left > 0) {
    const tag = source.byte();
    if ((tag & 3) === 0) {
      const literal = source.take(literalLength(tag >> 2, source));
      if (at + literal.length > length) throw new RangeError('a block is damaged');
      at += literal.copy(target, at);
      continue;
    }
    const { count, offset } = copyOf(tag, source);
    if (offset === 0 || offset > at || at + count > length) throw new RangeError('a block is damaged');
    // One by one: what is copied may be what was just written.
    for (let index = 0; index < count; index++, at++) target[at] = target[at - offset] ?? 0;
  }
  if (at !== length) throw new RangeError('a block is damaged');
  return target;
}

function literalLength(size: number, source: Cursor): number {
  return size < 60 ? size + 1 : littleEndian(source.take(size - 59)) + 1;
}

function copyOf(tag: number, source: Cursor): { count: number; offset: number } {
  if ((tag & 3) === 1) return { count: ((tag >> 2) & 7) + 4, offset: ((tag >> 5) << 8) | source.byte() };
  return { count: (tag >> 2) + 1, offset: littleEndian(source.take((tag & 3) === 2 ? 2 : 4)) };
}

function littleEndian(bytes: Buffer): number {
  return bytes.readUIntLE(0, bytes.length);
}
