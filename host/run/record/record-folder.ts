import { randomBytes } from 'node:crypto';
import { readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Sharp } from 'sharp';
import { describeError, PwpError } from '../../../bridge/lib/index.ts';
import { toJson } from '../../../bridge/text/index.ts';
import { readUntrusted } from '../../lib/index.ts';

/** The names inside a record's folder. */
export const recordFiles = {
  events: 'events.jsonl',
  trajectory: 'trajectory.json',
  result: 'result.json',
  frames: 'frames',
  video: 'video.mkv',
  exchanges: 'exchanges.jsonl',
  sent: 'sent',
  agentLog: 'agent.log',
  changes: 'changes.patch',
} as const;

/**
 * Marks a folder of records that prove tasks. They are not results: searches for records skip the folder, unless it was
 * named explicitly.
 */
export const proofsMark = '.proofs';

/** The maximum size of a picture that is read from a record, in bytes. */
const mostPictureBytes = 64 * 1024 * 1024;
/** The maximum size of a text that is read from a record as a whole, in bytes: JavaScript has no longer strings. */
export const mostTextBytes = 512 * 1024 * 1024;

/** Records are private to their user: they may contain what was on a screen or in a file. */
export const privateFile = 0o600;
export const privateFolder = 0o700;

/** Writes a whole file or nothing: a reader never sees half of it, even if this process is killed. */
export async function writeAtomic(path: string, content: string | Uint8Array): Promise<void> {
  const temporary = `${path}.${randomBytes(4).toString('hex')}.tmp`;
  try {
    await writeFile(temporary, content, { mode: privateFile });
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** JSON for people and programs: indented, ending in a newline. */
export function jsonText(value: unknown): string {
  return `${toJson(value, 2)}\n`;
}

/** A study's attempts are six folders deep; no link is followed. */
const deepestFolder = 12;

/**
 * The folders of all records in a folder, itself included, by name; proofs of tasks only if the folder is theirs. Errors:
 * `no-record` without one.
 */
export async function findRecords(folder: string): Promise<string[]> {
  const found = await findBelow(folder, deepestFolder);
  if (found.length > 0) return found;
  throw new PwpError('no-record', `${folder} contains no record`, {
    help: `A record has a ${recordFiles.events}.`,
  });
}

async function findBelow(folder: string, depth: number): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((cause: unknown) => {
    throw new PwpError('no-record', `can't read ${folder}`, { cause });
  });
  const has = (name: string) => entries.some((entry) => entry.isFile() && entry.name === name);
  if (has(recordFiles.events)) return [folder];
  if (depth === 0 || (depth < deepestFolder && has(proofsMark))) return [];
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const all: string[] = [];
  for (const name of folders.toSorted()) all.push(...(await findBelow(join(folder, name), depth - 1)));
  return all;
}

/** The maximum pixels of a decoded picture: more than the largest screen has. A small file may claim any number. */
const mostPixels = 40_000_000;

/**
 * The bytes of a picture of a record. Errors: `bad-record`.
 * @param path below the record's folder; links that lead out are not followed
 */
export async function readFrame(folder: string, path: string): Promise<Buffer> {
  return await readUntrusted(folder, path, mostPictureBytes).catch((cause: unknown) => {
    throw new PwpError('bad-record', `${join(folder, path)} can't be read: ${describeError(cause)}`, {
      cause,
    });
  });
}

/** The first bytes of picture formats. No other format is decoded: some are programs, and name further files. */
const pictureSignatures: readonly (readonly number[])[] = [
  [0x89, 0x50, 0x4e, 0x47],
  [0xff, 0xd8, 0xff],
  [0x52, 0x49, 0x46, 0x46],
  [0x47, 0x49, 0x46, 0x38],
];

/**
 * Decodes a picture of a record, which may be any file. Errors: `bad-picture`, also for one with too many pixels.
 * @param name for errors
 * @param use everything that is done with it; must reject only when all of that has ended
 */
export async function usePicture<T>(
  name: string,
  bytes: Uint8Array,
  use: (picture: () => Sharp) => readonly Promise<T>[],
): Promise<T[]> {
  const isPicture = pictureSignatures.some((beginning) => beginning.every((byte, at) => bytes[at] === byte));
  if (!isPicture) throw new PwpError('bad-picture', `${name} is not a picture in PNG, JPEG, WebP or GIF`);
  const { default: sharp } = await import('sharp');
  const ends = await Promise.allSettled(use(() => sharp(bytes, { limitInputPixels: mostPixels })));
  return ends.map((end) => {
    if (end.status === 'fulfilled') return end.value;
    const cause: unknown = end.reason;
    throw new PwpError('bad-picture', `${name} can't be read: ${describeError(cause)}`, { cause });
  });
}
