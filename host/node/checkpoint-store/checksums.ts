import { type BigIntStats, closeSync, fsyncSync, lstatSync, openSync, readdirSync, readSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import * as z from 'zod';
import { isMissingFile, makeDamagedError, throwIfStopped } from './store-failures.ts';

/** File of a raw checkpoint with the facts about all its other files. */
export const checksumsName = 'sums.json';

const fileChecksum = z.object({
  size: z.string().describe('bytes'),
  stamp: z.string().describe('inode and times of change: a different one means that the file was written to'),
  crc32: z.number().nullable().describe('null until it was computed in the background'),
});
export const checksumsSchema = z.object({
  bootId: z.string().describe('of the kernel under which the stamps were taken'),
  bytes: z.number().describe('on disk'),
  files: z.record(z.string(), fileChecksum),
  others: z.array(z.string()).describe('folders, links, devices, pipes'),
});
export type Checksums = z.output<typeof checksumsSchema>;

/** The sums of a folder, without the checksums: takes milliseconds, regardless of its size. */
export function stampFiles(folder: string, bootId: string): Checksums {
  const files: Checksums['files'] = {};
  const others: string[] = [];
  let bytes = 0;
  for (const { path, info } of walkFolder(folder)) {
    if (path === checksumsName || info.isSocket()) continue;
    bytes += Number(info.blocks) * 512;
    if (info.isFile()) files[path] = { size: String(info.size), stamp: formatStamp(info), crc32: null };
    else others.push(path);
  }
  return { bootId, bytes, files, others };
}

/** Whether every file has its checksum, and so is on the disk for good. */
export function isFlushed(sums: Checksums): boolean {
  return Object.values(sums.files).every((file) => file.crc32 !== null);
}

/**
 * Files that nothing vouches for but their checksum: written to since the sums were made, or read from the disk after
 * a boot. Errors: `checkpoint-damaged` for what is missing, has another size, or has changed without a checksum to ask.
 */
export function findSuspectFiles(folder: string, sums: Checksums, bootId: string): string[] {
  for (const path of sums.others) statFile(folder, path);
  return Object.entries(sums.files).flatMap(([path, expected]) => {
    const info = statFile(folder, path);
    if (!info.isFile() || String(info.size) !== expected.size)
      throw makeDamagedError(`${path} has another size`);
    if (sums.bootId === bootId && formatStamp(info) === expected.stamp) return [];
    if (expected.crc32 === null) throw makeDamagedError(`${path} was changed`);
    return [path];
  });
}

/** Checks these files by their checksums. Errors: `checkpoint-damaged`. */
export function verifyFiles(folder: string, sums: Checksums, paths: readonly string[]): void {
  for (const path of paths)
    if (sums.files[path]?.crc32 !== computeCrc(encodePath(folder, path), false))
      throw makeDamagedError(`${path} has changed`);
}

/** Returns the same sums with checksums, after an fsync of every file. */
export function flushFiles(folder: string, sums: Checksums): Checksums {
  const files = Object.fromEntries(
    Object.entries(sums.files).map(([path, expected]) => {
      const crc = computeCrc(encodePath(folder, path), true);
      if (formatStamp(statFile(folder, path)) !== expected.stamp)
        throw makeDamagedError(`${path} was changed`);
      return [path, { ...expected, crc32: crc }];
    }),
  );
  return { ...sums, files };
}

/** The same checksums with the stamps of now, for files that have just been checked by them. */
export function restampFiles(folder: string, sums: Checksums, bootId: string): Checksums {
  const { files } = stampFiles(folder, bootId);
  const known = Object.entries(sums.files).map(([path, expected]) => {
    return [path, { ...expected, stamp: files[path]?.stamp ?? expected.stamp }];
  });
  return { ...sums, bootId, files: Object.fromEntries(known) as Checksums['files'] };
}

const readBuffer = Buffer.allocUnsafe(1 << 20);

function computeCrc(path: Buffer, flush: boolean): number {
  const file = openSync(path, 'r');
  try {
    let sum = 0;
    for (;;) {
      throwIfStopped();
      const read = readSync(file, readBuffer);
      if (read === 0) break;
      sum = crc32(readBuffer.subarray(0, read), sum);
    }
    if (flush) fsyncSync(file);
    return sum;
  } finally {
    closeSync(file);
  }
}

function formatStamp(info: { ino: bigint; mtimeNs: bigint; ctimeNs: bigint }): string {
  return `${info.ino} ${info.mtimeNs} ${info.ctimeNs}`;
}

function statFile(folder: string, path: string) {
  try {
    return lstatSync(encodePath(folder, path), { bigint: true });
  } catch (error) {
    throw isMissingFile(error) ? makeDamagedError(`${path} is missing`) : error;
  }
}

export interface RawEntry {
  /** Below the folder that was walked, `.` for itself; as {@link encodePath} reads it. */
  readonly path: string;
  readonly info: BigIntStats;
}

/**
 * Everything in a folder and the folder itself, each folder before what is in it, in the order of names. In one go: the
 * thousands of small asynchronous calls would take many times longer.
 */
export function walkFolder(folder: string): RawEntry[] {
  const entries: RawEntry[] = [];
  const visit = (path: string) => {
    const full = encodePath(folder, path);
    const info = lstatSync(full, { bigint: true });
    entries.push({ path, info });
    if (info.isDirectory())
      for (const name of readdirSync(full, 'latin1').sort()) visit(path === '.' ? name : `${path}/${name}`);
  };
  visit('.');
  return entries;
}

/** The place of a path that {@link walkFolder} gave. Names inside a sandbox are any bytes: one character for each. */
function encodePath(folder: string, path: string): Buffer {
  return Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(path, 'latin1')]);
}
