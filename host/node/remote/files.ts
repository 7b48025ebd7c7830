import { mkdtemp, open, rm, stat, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PwpError } from '../../../bridge/lib/index.ts';
import { checkpointMethods, limits } from '../../../bridge/protocol/index.ts';
import type { Peer } from '../../../bridge/rpc/index.ts';
import { ask } from './ask.ts';

/** Files on the node that cross the connection in pieces, each in a folder of its own until it is closed. */
export class WireFiles implements AsyncDisposable {
  readonly #folders = new Map<number, string>();
  #next = 1;

  /** A file that is not there yet. */
  async create(): Promise<number> {
    const file = this.#next++;
    this.#folders.set(file, await mkdtemp(join(tmpdir(), 'pwp-file-')));
    return file;
  }

  /** Errors: `no-such-file`. */
  path(file: number): string {
    const folder = this.#folders.get(file);
    if (folder === undefined) throw new PwpError('no-such-file', `there is no file ${file}`);
    return join(folder, 'file');
  }

  async size(file: number): Promise<number> {
    return (await stat(this.path(file))).size;
  }

  /** A piece as long as one message may be; empty at the end. */
  async read(file: number, offset: number): Promise<Buffer> {
    await using handle = await open(this.path(file));
    const { buffer, bytesRead } = await handle.read(
      Buffer.alloc(limits.uploadBytes),
      0,
      limits.uploadBytes,
      offset,
    );
    return buffer.subarray(0, bytesRead);
  }

  async append(file: number, piece: Buffer): Promise<void> {
    await using handle = await open(this.path(file), 'a', 0o600);
    await handle.appendFile(piece);
  }

  async close(file: number): Promise<void> {
    const folder = this.#folders.get(file);
    this.#folders.delete(file);
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#folders.keys()].map((file) => this.close(file)));
  }
}

/** Copies a file of the node to this machine. */
export async function download(
  peer: Peer,
  file: number,
  target: FileHandle,
  signal: AbortSignal,
): Promise<void> {
  for (let offset = 0; ;) {
    const { base64 } = await ask(peer, checkpointMethods.readFile, { file, offset }, signal);
    const piece = Buffer.from(base64, 'base64');
    if (piece.length === 0) return;
    await target.appendFile(piece);
    offset += piece.length;
  }
}

/** Copies a file of this machine to the node. */
export async function upload(
  peer: Peer,
  file: number,
  source: FileHandle,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    const { buffer, bytesRead } = await source.read(Buffer.alloc(limits.uploadBytes), 0, limits.uploadBytes);
    if (bytesRead === 0) return;
    const base64 = buffer.toString('base64', 0, bytesRead);
    await ask(peer, checkpointMethods.writeFile, { file, base64 }, signal);
  }
}
