import { Cursor } from './cursor.ts';

const blockBytes = 32 * 1024;
const headerBytes = 7;
const types = { whole: 1, first: 2, middle: 3, last: 4 } as const;

/** The records of one of LevelDB's logs. A last one that was cut short does not count, as for LevelDB. */
export function* readLog(file: Buffer): Generator<Buffer> {
  let parts: Buffer[] = [];
  for (let at = 0; at + headerBytes <= file.length;) {
    const left = blockBytes - (at % blockBytes);
    if (left < headerBytes) {
      at += left;
      continue;
    }
    const length = file.readUInt16LE(at + 4);
    const type = file.readUInt8(at + 6);
    const end = at + headerBytes + length;
    if (type === 0 || end > file.length) return;
    const part = file.subarray(at + headerBytes, end);
    parts = type === types.whole || type === types.first ? [part] : [...parts, part];
    if (type === types.whole || type === types.last) yield Buffer.concat(parts);
    at = end;
  }
}

/** One change of a key. */
export interface Write {
  readonly key: Buffer;
  /** Null where the key was removed. */
  readonly value: Buffer | null;
  /** Later changes have higher numbers. */
  readonly sequence: bigint;
}

/** The changes of one record of a log of changes. */
export function* readBatch(record: Buffer): Generator<Write> {
  const cursor = new Cursor(record);
  const first = cursor.take(8).readBigUInt64LE();
  const count = cursor.take(4).readUInt32LE();
  for (let index = 0; index < count; index++) {
    const put = cursor.byte() === 1;
    const key = cursor.counted();
    yield { key, value: put ? cursor.counted() : null, sequence: first + BigInt(index) };
  }
}
