import { Cursor } from './cursor.ts';

/** The value of a key in one of a page's IndexedDB databases. */
export interface StoredText {
  readonly database: string;
  readonly text: string;
}

/** The kind of key under which Chromium keeps a database's number by its name. */
const databaseName = 201;
/** Each of VS Code's state databases has one object store; of a store, 1 is the index of its values. */
const [store, values] = [1, 1];
const stringKey = 1;

/** What is stored under a key of text in every database of a page. Throws a `RangeError` where a value is no text. */
export function storedTexts(entries: ReadonlyMap<string, Buffer>, key: string): StoredText[] {
  const pairs = [...entries].map(([raw, value]) => ({
    cursor: new Cursor(Buffer.from(raw, 'latin1')),
    value,
  }));
  const names = new Map<number, string>();
  const found: { database: number; value: Buffer }[] = [];
  for (const { cursor, value } of pairs) {
    const [database, objectStore, index] = prefixOf(cursor);
    if (database === 0 && cursor.left > 0 && cursor.byte() === databaseName) {
      // The origin comes first.
      stringOf(cursor);
      names.set(value.readUIntLE(0, Math.min(value.length, 6)), stringOf(cursor));
    } else if (database > 0 && objectStore === store && index === values && isKey(cursor, key))
      found.push({ database, value });
  }
  return found.map(({ database, value }) => ({ database: names.get(database) ?? '', text: textOf(value) }));
}

function prefixOf(cursor: Cursor): [number, number, number] {
  const sizes = cursor.byte();
  const number = (length: number) => cursor.take(length).readUIntLE(0, Math.min(length, 6));
  return [number((sizes >> 5) + 1), number(((sizes >> 2) & 7) + 1), number((sizes & 3) + 1)];
}

function stringOf(cursor: Cursor): string {
  const bytes = Buffer.from(cursor.take(2 * cursor.varint()));
  return bytes.swap16().toString('utf16le');
}

function isKey(cursor: Cursor, key: string): boolean {
  return cursor.left > 0 && cursor.byte() === stringKey && stringOf(cursor) === key;
}

/** A value is V8's serialization of a string, in an envelope of Blink's. */
function textOf(value: Buffer): string {
  const cursor = new Cursor(value);
  cursor.varint();
  skipEnvelope(cursor);
  for (;;) {
    const tag = String.fromCharCode(cursor.byte());
    if (tag === '"') return cursor.counted().toString('latin1');
    if (tag === 'c') return cursor.counted().toString('utf16le');
    // Only padding may come before.
    if (tag !== '\0') throw new RangeError('a stored value is no text');
  }
}

const version = 0xff;
const trailer = 0xfe;

/** Blink's version, where the trailer is, V8's version. */
function skipEnvelope(cursor: Cursor): void {
  for (let at = cursor.at, byte = cursor.byte(); ; at = cursor.at, byte = cursor.byte()) {
    if (byte === version) cursor.varint();
    else if (byte === trailer) cursor.take(12);
    else {
      cursor.at = at;
      return;
    }
  }
}
