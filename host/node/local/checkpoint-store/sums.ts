import { closeSync, fsyncSync, lstatSync, openSync, readSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import * as z from 'zod';
import { damaged, isMissing } from './errors.ts';
import { throwIfStopped } from './job-stop.ts';
import { bytesOf, walk } from './walk.ts';

/** File of a raw checkpoint with the facts about all its other files. */
export const sumsName = 'sums.json';

const fileSum = z.object({
  size: z.string().describe('bytes'),
  stamp: z.string().describe('inode and times of change: a different one means that the file was written to'),
  crc32: z.number().nullable().describe('null until it was computed in the background'),
});
export const sumsSchema = z.object({
  bootId: z.string().describe('of the kernel under which the stamps were taken'),
  bytes: z.number().describe('on disk'),
  files: z.record(z.string(), fileSum),
  others: z.array(z.string()).describe('folders, links, devices, pipes'),
});
export type Sums = z.output<typeof sumsSchema>;

/** The sums of a folder, without the checksums: takes milliseconds, regardless of its size. */
export function stampsOf(folder: string, bootId: string): Sums {
  const files: Sums['files'] = {};
  const others: string[] = [];
  let bytes = 0;
  for (const { path, info } of walk(folder)) {
    if (path === sumsName || info.isSocket()) continue;
    bytes += Number(info.blocks) * 512;
    if (info.isFile()) files[path] = { size: String(info.size), stamp: stampOf(info), crc32: null };
    else others.push(path);
  }
  return { bootId, bytes, files, others };
}

/** Whether every file has its checksum, and so is on the disk for good. */
export function isFlushed(sums: Sums): boolean {
  return Object.values(sums.files).every((file) => file.crc32 !== null);
}

/**
 * Files that nothing vouches for but their checksum: written to since the sums were made, or read from the disk after
 * a boot. Errors: `checkpoint-damaged` for what is missing, has another size, or has changed without a checksum to ask.
 */
export function suspects(folder: string, sums: Sums, bootId: string): string[] {
  for (const path of sums.others) infoOf(folder, path);
  return Object.entries(sums.files).flatMap(([path, expected]) => {
    const info = infoOf(folder, path);
    if (!info.isFile() || String(info.size) !== expected.size) throw damaged(`${path} has another size`);
    if (sums.bootId === bootId && stampOf(info) === expected.stamp) return [];
    if (expected.crc32 === null) throw damaged(`${path} was changed`);
    return [path];
  });
}

/** Checks these files by their checksums. Errors: `checkpoint-damaged`. */
export function checkFiles(folder: string, sums: Sums, paths: readonly string[]): void {
  for (const path of paths)
    if (sums.files[path]?.crc32 !== crcOf(bytesOf(folder, path), false)) throw damaged(`${path} has changed`);
}

/** Returns the same sums with checksums, after an fsync of every file. */
export function flushFiles(folder: string, sums: Sums): Sums {
  const files = Object.fromEntries(
    Object.entries(sums.files).map(([path, expected]) => {
      const crc = crcOf(bytesOf(folder, path), true);
      if (stampOf(infoOf(folder, path)) !== expected.stamp) throw damaged(`${path} was changed`);
      return [path, { ...expected, crc32: crc }];
    }),
  );
  return { ...sums, files };
}

/** The same checksums with the stamps of now, for files that have just been checked by them. */
export function restamped(folder: string, sums: Sums, bootId: string): Sums {
  const { files } = stampsOf(folder, bootId);
  const known = Object.entries(sums.files).map(([path, expected]) => {
    return [path, { ...expected, stamp: files[path]?.stamp ?? expected.stamp }];
  });
  return { ...sums, bootId, files: Object.fromEntries(known) as Sums['files'] };
}

const buffer = Buffer.allocUnsafe(1 << 20);

function crcOf(path: Buffer, flush: boolean): number {
  const file = openSync(path, 'r');
  try {
    let sum = 0;
    for (;;) {
      throwIfStopped();
      const read = readSync(file, buffer);
      if (read === 0) break;
      sum = crc32(buffer.subarray(0, read), sum);
    }
    if (flush) fsyncSync(file);
    return sum;
  } finally {
    closeSync(file);
  }
}

function stampOf(info: { ino: bigint; mtimeNs: bigint; ctimeNs: bigint }): string {
  return `${info.ino} ${info.mtimeNs} ${info.ctimeNs}`;
}

function infoOf(folder: string, path: string) {
  try {
    return lstatSync(bytesOf(folder, path), { bigint: true });
  } catch (error) {
    throw isMissing(error) ? damaged(`${path} is missing`) : error;
  }
}
