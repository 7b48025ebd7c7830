import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { PwpError } from '../../bridge/lib/index.ts';

/** A file of this machine that sandboxes get while it is read: it is never in memory as a whole. */
export interface LargeFile {
  /** Below /workspace. */
  readonly path: string;
  /** Where it is on this machine: an absolute path. */
  readonly from: string;
  readonly bytes: number;
  /** Hash of its content, as hexadecimal digits. */
  readonly sha256: string;
}

const chunkBytes = 1024 * 1024;

const hashes = new Map<string, Promise<string>>();

/**
 * Reads the file once in a process, however many tasks have it. Errors: those of the file system.
 * @param path below /workspace
 * @param from where it is on this machine
 */
export async function largeFile(path: string, from: string): Promise<LargeFile> {
  const { size: bytes, mtimeMs } = await stat(from);
  return { path, from, bytes, sha256: await hashOnce(from, `${from} ${bytes} ${mtimeMs}`) };
}

function hashOnce(from: string, key: string): Promise<string> {
  const known = hashes.get(key);
  if (known) return known;
  const made = hashOf(from);
  hashes.set(key, made);
  made.catch(() => hashes.delete(key));
  return made;
}

async function hashOf(from: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(from, { highWaterMark: chunkBytes }))
    hash.update(chunk as Buffer);
  return hash.digest('hex');
}

/** The content, piece by piece. Errors: `bad-data` at its end if it is not what was described. */
export async function* contentOf({ from, bytes, sha256 }: LargeFile): AsyncGenerator<Buffer, void, void> {
  const hash = createHash('sha256');
  await using file = await open(from);
  for (let at = 0; at < bytes;) {
    const { buffer, bytesRead } = await file.read({
      buffer: Buffer.allocUnsafe(Math.min(chunkBytes, bytes - at)),
      position: at,
    });
    if (bytesRead === 0) break;
    const chunk = buffer.subarray(0, bytesRead);
    hash.update(chunk);
    yield chunk;
    at += bytesRead;
  }
  if (hash.digest('hex') !== sha256)
    throw new PwpError('bad-data', `${from} has changed since it was read first`, {
      help: 'Run the command again, and leave the file alone meanwhile.',
    });
}
