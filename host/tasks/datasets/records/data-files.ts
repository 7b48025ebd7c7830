import { AsyncLocalStorage } from 'node:async_hooks';
import { realpath, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { createGunzip } from 'node:zlib';
import { describeError, PwpError } from '../../../../bridge/lib/index.ts';
import { pathExists, readUntrusted, resolveUntrusted } from '../../../lib/index.ts';
import type { ArchiveEntry, Task } from '../../format/index.ts';
import { badData, type Dataset, type DatasetAbout, noData } from './dataset.ts';

/**
 * Finds a file or folder of a dataset: the path itself, if it names one of these, or the first of them that lies below it.
 * @param names paths relative to the folder, the usual one first, e.g. `['HumanEval.jsonl.gz', 'HumanEval.jsonl']`
 * @returns its absolute path. Errors: `no-data`.
 */
export async function findData(about: DatasetAbout, path: string, names: readonly string[]): Promise<string> {
  const absolute = resolve(path);
  const info = await stat(absolute).catch(() => undefined);
  if (!info) throw noData(about, absolute);
  if (info.isFile()) return absolute;
  for (const name of names) if (await pathExists(join(absolute, name))) return join(absolute, name);
  throw noData(about, names.map((name) => join(absolute, name)).join(' or '));
}

/** What `--data` names. */
interface DataPlace {
  /** Nothing outside of this folder is read. */
  readonly root: string;
  /** The file itself, which may be a link; null for a folder. */
  readonly file: string | null;
}

/** The place of the dataset that is being read: it has many readers, and none of them needs it as a parameter. */
const currentPlace = new AsyncLocalStorage<DataPlace>();

/** A dataset that reads nothing outside of the path that its user named, regardless of its records and links. */
export function confineDataset(dataset: Dataset): Dataset {
  return {
    ...dataset,
    open: async (path) => {
      const place = await findPlace(path);
      const opened = await currentPlace.run(place, () => dataset.open(path));
      const load = async (id: string) => confineTask(place, await opened.load(id));
      return { ...opened, load: (id) => currentPlace.run(place, () => load(id)) };
    },
  };
}

async function findPlace(path: string): Promise<DataPlace> {
  const absolute = resolve(path);
  const info = await stat(absolute).catch(() => null);
  return info === null || info.isDirectory()
    ? { root: absolute, file: null }
    : { root: dirname(absolute), file: absolute };
}

/** Some of its files are read when they are asked for. */
function confineTask(place: DataPlace, task: Task): Task {
  const within = <T>(work: () => Promise<T>) => currentPlace.run(place, work);
  const { make } = task;
  return {
    ...task,
    ...(make && { make: (run, image) => within(async () => confineTask(place, await make(run, image))) }),
    seeds: (...given) => within(() => task.seeds(...given)),
    workspace: (workspace) => within(() => task.workspace(workspace)),
    testSeeds: (copied) => within(() => task.testSeeds(copied)),
    leaks: () => within(() => task.leaks()),
    agentCodeUses: (workspace) => within(() => task.agentCodeUses(workspace)),
    solutions: () => within(() => task.solutions()),
    falseSolutions: () => within(() => task.falseSolutions()),
  };
}

/** The real path of a file of a dataset. Errors: `bad-data` for one that leads out; those of the file system. */
export async function resolveDataPath(file: string): Promise<string> {
  const absolute = resolve(file);
  const place = currentPlace.getStore();
  if (place?.file === absolute) return await realpath(absolute);
  return await withBadData(file, () => resolveUntrusted(place?.root ?? dirname(absolute), absolute));
}

/**
 * The content of a file of a dataset. Errors: `bad-data` for something that is not a file; those of the file system.
 */
export async function readData(file: string, most?: number): Promise<Buffer> {
  const real = await resolveDataPath(file);
  return await withBadData(file, () => readUntrusted(dirname(real), real, most));
}

/** The folder in which its files must be: for what lists one. */
export function findDataRoot(path: string): string {
  return currentPlace.getStore()?.root ?? resolve(path);
}

async function withBadData<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof PwpError) throw badData(file, cause.message, cause);
    throw cause;
  }
}

/** Bytes of one file: as it is, and unpacked, which is a text that JavaScript must be able to hold. */
const mostDataBytes = 2 * 1024 * 1024 * 1024 - 1;
const mostUnpackedBytes = 512 * 1024 * 1024;
/** A file that unpacks to more than this, and to this many times its size, is made to fill its reader's memory. */
const suspiciousGrowth = { bytes: 32 * 1024 * 1024, times: 200 } as const;

/** The bytes of a file; those of a `.gz` unpacked. Errors: `bad-data`. */
export async function readDataBytes(file: string): Promise<Buffer> {
  try {
    const bytes = await readData(file, mostDataBytes);
    return file.endsWith('.gz') ? await gunzipBounded(bytes) : bytes;
  } catch (cause) {
    if (cause instanceof PwpError && cause.code === 'bad-data') throw cause;
    throw badData(file, `can't be read: ${describeError(cause)}`, cause);
  }
}

/** Ends as soon as it is too much. */
async function gunzipBounded(bytes: Buffer): Promise<Buffer> {
  const stream = createGunzip();
  stream.end(bytes);
  const chunks: Buffer[] = [];
  let sum = 0;
  for await (const chunk of stream) {
    chunks.push(chunk as Buffer);
    sum += (chunk as Buffer).length;
    assertUnpackedFits(bytes.length, sum);
  }
  return Buffer.concat(chunks, sum);
}

/**
 * Refuses what unpacks to more than any file of records has. Errors: `too-large`.
 * @param packed bytes of it
 * @param whole bytes that it unpacks to
 */
export function assertUnpackedFits(packed: number, whole: number): void {
  const isBomb = whole > suspiciousGrowth.bytes && whole > suspiciousGrowth.times * packed;
  if (whole <= mostUnpackedBytes && !isBomb) return;
  const found = isBomb
    ? `${packed} bytes that unpack to more than ${suspiciousGrowth.times} times as many`
    : 'more';
  throw new PwpError('too-large', `expected at most ${mostUnpackedBytes} bytes, found ${found}`);
}

/** The text of a file in UTF-8, with the line ends of Unix and without a byte order mark. Errors: `bad-data`. */
export async function readDataText(file: string): Promise<string> {
  const bytes = await readDataBytes(file);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).replaceAll('\r\n', '\n');
  } catch (cause) {
    throw badData(file, 'expected text in UTF-8, found other bytes', cause);
  }
}

/**
 * A picture as a file of a workspace.
 * @param path in the workspace
 * @param file the picture. Errors: `bad-data` if it is not a PNG.
 */
export async function readPngEntry(path: string, file: string): Promise<ArchiveEntry> {
  const content = await readDataBytes(file);
  if (content.subarray(1, 4).toString('latin1') !== 'PNG') throw badData(file, 'expected a picture in PNG');
  return { kind: 'file', path, content, executable: false };
}
