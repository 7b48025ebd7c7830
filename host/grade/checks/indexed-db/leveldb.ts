import type { AgentFiles } from '../agent-files.ts';
import { Cursor } from './cursor.ts';
import { readBatch, readLog, type Write } from './log.ts';
import { readTable } from './table.ts';

/** Of one file, in bytes: VS Code's whole state is less than a hundredth of it. */
const maxFileBytes = 64 * 1024 * 1024;
const maxTables = 200;
/** A log may be newer than what is written down of it by a few numbers. */
const furtherLogs = 20;

/** What a LevelDB database holds, by key as Latin 1; null where there is no database, a text where it can't be read. */
export async function readLevelDb(
  files: AgentFiles,
  folder: string,
): Promise<ReadonlyMap<string, Buffer> | string | null> {
  const current = await files.read(`${folder}/CURRENT`);
  if (current.kind === 'missing') return null;
  if (current.kind === 'unreadable') return current.why;
  try {
    return await readAll(files, folder, current.bytes.toString('latin1').trim());
  } catch (error) {
    return `${folder} is damaged: ${error instanceof Error ? error.message : 'unknown error'}`;
  }
}

async function readAll(files: AgentFiles, folder: string, manifest: string): Promise<Map<string, Buffer>> {
  if (!/^MANIFEST-\d+$/.test(manifest)) throw new RangeError('CURRENT names no manifest');
  const { tables, firstLog, nextFile } = liveFiles(await need(files, `${folder}/${manifest}`));
  if (tables.size > maxTables) throw new RangeError(`it has ${tables.size} tables`);
  const newest = new Map<string, Write>();
  for (const number of tables)
    keepNewest(newest, readTable(await need(files, `${folder}/${fileName(number)}.ldb`)));
  for (let number = firstLog; number < nextFile + furtherLogs; number++) {
    const log = await files.read(`${folder}/${fileName(number)}.log`, maxFileBytes);
    if (log.kind === 'unreadable') throw new RangeError(log.why);
    if (log.kind === 'read') for (const record of readLog(log.bytes)) keepNewest(newest, readBatch(record));
  }
  const pairs = [...newest].flatMap(([key, { value }]) => (value === null ? [] : [[key, value] as const]));
  return new Map(pairs);
}

function keepNewest(newest: Map<string, Write>, writes: Iterable<Write>): void {
  for (const write of writes) {
    const key = write.key.toString('latin1');
    const known = newest.get(key);
    if (!known || known.sequence <= write.sequence) newest.set(key, write);
  }
}

async function need(files: AgentFiles, path: string): Promise<Buffer> {
  const read = await files.read(path, maxFileBytes);
  if (read.kind === 'read') return read.bytes;
  throw new RangeError(read.why);
}

function fileName(number: number): string {
  return String(number).padStart(6, '0');
}

/** Which files count, by what LevelDB wrote down of each change of them. */
function liveFiles(manifest: Buffer): { tables: Set<number>; firstLog: number; nextFile: number } {
  const found = { tables: new Set<number>(), firstLog: 0, nextFile: 0 };
  for (const record of readLog(manifest)) {
    const cursor = new Cursor(record);
    while (cursor.left > 0) readEdit(cursor.varint(), cursor, found);
  }
  if (found.nextFile === 0) throw new RangeError('its manifest is empty');
  // A loop over numbers that somebody made up would not end.
  if (found.nextFile - found.firstLog > 10_000) throw new RangeError('its numbers make no sense');
  return found;
}

function readEdit(
  tag: number,
  cursor: Cursor,
  found: { tables: Set<number>; firstLog: number; nextFile: number },
): void {
  if (tag === 1) cursor.counted();
  else if (tag === 2) found.firstLog = cursor.varint();
  else if (tag === 3) found.nextFile = cursor.varint();
  else if (tag === 4 || tag === 9) cursor.varint();
  else if (tag === 5) readPointer(cursor);
  else if (tag === 6) found.tables.delete(ofLevel(cursor));
  else if (tag === 7) {
    found.tables.add(ofLevel(cursor));
    cursor.varint();
    cursor.counted();
    cursor.counted();
  } else throw new RangeError(`its manifest has an unknown field ${tag}`);
}

function readPointer(cursor: Cursor): void {
  cursor.varint();
  cursor.counted();
}

function ofLevel(cursor: Cursor): number {
  cursor.varint();
  return cursor.varint();
}
