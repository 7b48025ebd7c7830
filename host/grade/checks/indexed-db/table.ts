import { Cursor } from './cursor.ts';
import type { Write } from './log.ts';
import { unsnappy } from './snappy.ts';

const footerBytes = 48;
const magic = 0xdb4775248b80fb57n;

/** All that one of LevelDB's tables holds. Throws a `RangeError` for a damaged one. */
export function* readTable(file: Buffer): Generator<Write> {
  const footer = new Cursor(file, file.length - footerBytes);
  if (file.length < footerBytes || file.readBigUInt64LE(file.length - 8) !== magic)
    throw new RangeError('a table is damaged');
  // First comes the place of what else is known of the table.
  handleOf(footer);
  for (const { value: handle } of entries(blockAt(file, handleOf(footer))))
    for (const { key, value } of entries(blockAt(file, handleOf(new Cursor(handle)))))
      yield writeOf(key, value);
}

interface Handle {
  readonly offset: number;
  readonly size: number;
}

function handleOf(cursor: Cursor): Handle {
  return { offset: cursor.varint(), size: cursor.varint() };
}

function blockAt(file: Buffer, { offset, size }: Handle): Buffer {
  const cursor = new Cursor(file, offset);
  const block = cursor.take(size);
  return cursor.byte() === 1 ? unsnappy(block) : block;
}

/** Of each key only what differs from the one before is there. */
function* entries(block: Buffer): Generator<{ key: Buffer; value: Buffer }> {
  const restarts = block.readUInt32LE(block.length - 4);
  const cursor = new Cursor(block.subarray(0, block.length - 4 - 4 * restarts));
  let key = Buffer.alloc(0);
  while (cursor.left > 0) {
    const shared = cursor.varint();
    const [fresh, length] = [cursor.varint(), cursor.varint()];
    key = Buffer.concat([key.subarray(0, shared), cursor.take(fresh)]);
    yield { key, value: cursor.take(length) };
  }
}

/** The last eight bytes of a table's key are the number of the change and its kind. */
function writeOf(key: Buffer, value: Buffer): Write {
  const tail = key.readBigUInt64LE(key.length - 8);
  return {
    key: key.subarray(0, -8),
    value: (tail & 0xffn) === 1n ? value : null,
    sequence: tail >> 8n,
  };
}
