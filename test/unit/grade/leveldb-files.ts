import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A change as LevelDB writes it down; null removes the key. */
export type Change = readonly [key: Buffer, value: Buffer | null];

/** Writes a LevelDB folder whose changes are all in its log, as Chromium's are until there are megabytes of them. */
export async function writeLevelDb(folder: string, changes: readonly Change[]): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'CURRENT'), 'MANIFEST-000001\n');
  // First log 3, next file 4.
  await writeFile(join(folder, 'MANIFEST-000001'), logOf([Buffer.from([2, 3, 3, 4])]));
  await writeFile(join(folder, '000003.log'), logOf([batchOf(changes)]));
}

/** The records of a log, each cut where a block of 32 KiB ends. */
export function logOf(records: readonly Buffer[]): Buffer {
  let file = Buffer.alloc(0);
  for (const record of records) {
    for (let at = 0, first = true; first || at < record.length; first = false) {
      const room = 32_768 - (file.length % 32_768);
      if (room < 7) file = Buffer.concat([file, Buffer.alloc(room)]);
      const part = record.subarray(at, at + (room < 7 ? 32_768 : room) - 7);
      at += part.length;
      const header = Buffer.alloc(7);
      header.writeUInt16LE(part.length, 4);
      header.writeUInt8(first ? (at >= record.length ? 1 : 2) : at >= record.length ? 4 : 3, 6);
      file = Buffer.concat([file, header, part]);
    }
  }
  return file;
}

export function batchOf(changes: readonly Change[], sequence = 1n): Buffer {
  const head = Buffer.alloc(12);
  head.writeBigUInt64LE(sequence);
  head.writeUInt32LE(changes.length, 8);
  const body = changes.flatMap(([key, value]) =>
    value === null ? [Buffer.from([0]), counted(key)] : [Buffer.from([1]), counted(key), counted(value)],
  );
  return Buffer.concat([head, ...body]);
}

/** The number that Chromium gives a database, by its name. */
export function databaseName(name: string, number: number): Change {
  const key = [Buffer.from([0, 0, 0, 0, 201]), characters('http_127.0.0.1_8080@1'), characters(name)];
  return [Buffer.concat(key), Buffer.from([number])];
}

/** A text that a page has stored in the one object store of a database. */
export function stored(database: number, key: string, text: string): Change {
  const envelope = [1, 0xff, 0x15, 0xfe, ...Array<number>(12).fill(0), 0xff, 0x10, 0x22];
  return [
    storedKey(database, key),
    Buffer.concat([Buffer.from(envelope), counted(Buffer.from(text, 'latin1'))]),
  ];
}

export function storedKey(database: number, key: string): Buffer {
  return Buffer.concat([Buffer.from([0, database, 1, 1, 1]), characters(key)]);
}

function characters(text: string): Buffer {
  return Buffer.concat([varint(text.length), Buffer.from(text, 'utf16le').swap16()]);
}

function counted(bytes: Buffer): Buffer {
  return Buffer.concat([varint(bytes.length), bytes]);
}

function varint(value: number): Buffer {
  const bytes = [];
  for (let left = value; ; left = Math.floor(left / 128)) {
    bytes.push(left < 128 ? left : (left % 128) | 128);
    if (left < 128) return Buffer.from(bytes);
  }
}
