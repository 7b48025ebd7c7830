import { constants } from 'node:fs';
import { chown, type FileHandle, lstat, mkdir, open } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { execa } from 'execa';
import { PwpError } from '../../../bridge/lib/index.ts';
import { ignoreMissing } from '../../lib/index.ts';
import { type AgentUser, rootUser } from '../agent-root.ts';
import { takeLastLines } from './command.ts';

const { O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;

/**
 * Opens a file or folder inside a sandbox from outside. No symbolic link is ever followed, even if a program changes
 * the tree meanwhile: every folder on the way is held open while the next name is looked up in it.
 * @param root the sandbox's root on this machine
 * @param path absolute, inside the sandbox
 * @returns null if the file does not exist. Errors: `unsafe-path` for `..` and for a link on the way.
 */
export async function openInside(root: string, path: string): Promise<FileHandle | null> {
  const names = splitInsidePath(path);
  let current = await open(root, O_RDONLY | O_DIRECTORY);
  for (const [index, name] of names.entries()) {
    await using folder = current;
    const next = await openInFolder(folder, name, index < names.length - 1 ? O_DIRECTORY : 0);
    if (!next) return null;
    current = next;
  }
  return current;
}

async function openInFolder(folder: FileHandle, name: string, flag: number): Promise<FileHandle | null> {
  const path = `/proc/self/fd/${folder.fd}/${name}`;
  try {
    // Nonblocking, because a pipe would wait for its writer.
    return await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | flag);
  } catch (error) {
    if (await isLink(path)) throw makeLinkError(name);
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ENXIO') return null;
    throw error;
  }
}

/** The last bytes of a regular file. Null if it does not exist. Errors: `unsafe-path`. */
export async function readTailInside(
  root: string,
  path: string,
  maxBytes: number,
): Promise<Uint8Array | null> {
  await using file = await openInside(root, path);
  const info = await file?.stat();
  if (!file || !info?.isFile()) return null;
  const length = Math.min(info.size, maxBytes);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, info.size - length);
  return buffer.subarray(0, bytesRead);
}

/** Of a file in a sandbox. */
export type Owner = Pick<AgentUser, 'uid' | 'gid'>;

/**
 * Makes a folder and those above it, in a sandbox in which nothing runs.
 * @param owner of those that are made
 * @returns its path on this machine. Errors: `unsafe-path` if a link or a file is on the way.
 */
export async function makeFolderInside(
  root: string,
  path: string,
  { uid, gid }: Owner = rootUser,
): Promise<string> {
  let current = root;
  for (const name of splitInsidePath(path)) {
    current = join(current, name);
    const info = await lstat(current).catch(ignoreMissing);
    if (info?.isSymbolicLink()) throw makeLinkError(name);
    if (info && !info.isDirectory()) throw new PwpError('unsafe-path', `${path}: ${name} is not a folder`);
    if (info) continue;
    await mkdir(current);
    await chown(current, uid, gid);
  }
  return current;
}

/** A regular file's bytes. Null if it does not exist. Errors: `unsafe-path`, `too-large`. */
export async function readInside(root: string, path: string, maxBytes: number): Promise<Uint8Array | null> {
  await using file = await openInside(root, path);
  if (!file || !(await file.stat()).isFile()) return null;
  // One byte more than allowed reveals a file that is too large, also one that grows meanwhile.
  const bytes = Buffer.alloc(Math.min(maxBytes, (await file.stat()).size) + 1);
  let length = 0;
  for (;;) {
    const { bytesRead } = await file.read(bytes, length, bytes.length - length);
    if (bytesRead === 0) return bytes.subarray(0, length);
    length += bytesRead;
    if (length > maxBytes) throw new PwpError('too-large', `${path} has more than ${maxBytes} bytes`);
  }
}

/** The parts of an absolute path. Errors: `unsafe-path`. */
export function splitInsidePath(path: string): string[] {
  const names = path.split('/').filter((name) => name !== '' && name !== '.');
  if (!path.startsWith('/') || names.includes('..') || path.includes('\0')) {
    throw new PwpError('unsafe-path', `${JSON.stringify(path)} is not an absolute path without ".."`);
  }
  return names;
}

async function isLink(path: string): Promise<boolean> {
  return (await lstat(path).catch(ignoreMissing))?.isSymbolicLink() ?? false;
}

function makeLinkError(name: string): PwpError {
  return new PwpError(
    'unsafe-path',
    `${JSON.stringify(name)} is a symbolic link, which is not followed from outside`,
  );
}

/**
 * Symbolic links as they are; a file with several names once for each of them. Not as pax: its headers are lines, and an
 * agent's name with a line in it would be read as another header.
 */
const tarArguments = ['--create', '--format=gnu', '--numeric-owner', '--hard-dereference', '--file=-'];

/**
 * A file, or what is in a folder, of a frozen sandbox as an uncompressed tar archive. It is read as it is packed, and the
 * program that packs it ends with the reader. Errors: `no-such-file`, `unsafe-path`, `command-failed`.
 * @param root the sandbox's root on this machine
 * @param path absolute, inside the sandbox
 */
export async function* archiveInside(
  root: string,
  path: string,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const [folder, name] = await locateInside(root, path);
  const over = new AbortController();
  const child = execa('tar', [...tarArguments, '--directory', folder, '--', name], {
    stdin: 'ignore',
    buffer: { stdout: false },
    env: { LC_ALL: 'C' },
    detached: true,
    reject: false,
    cancelSignal: AbortSignal.any([signal, over.signal]),
  });
  try {
    for await (const chunk of child.stdout) yield chunk as Buffer;
    const { exitCode, stderr } = await child;
    signal.throwIfAborted();
    if (exitCode !== 0)
      throw new PwpError('command-failed', `tar can't pack ${path}: ${takeLastLines(stderr, 5)}`);
  } finally {
    over.abort();
    await child;
  }
}

/** The folder on this machine, and what is packed in it. Nothing on the way is a link, and nothing changes: all is frozen. */
async function locateInside(root: string, path: string): Promise<[folder: string, name: string]> {
  const names = splitInsidePath(path);
  await using opened = await openInside(root, path);
  const info = await opened?.stat();
  const at = join(root, ...names);
  if (info?.isDirectory()) return [at, '.'];
  if (info?.isFile()) return [dirname(at), `./${basename(at)}`];
  throw new PwpError('no-such-file', `${path} is not a file or folder in the sandbox`);
}

export async function runWhileFrozen<T>(
  sandbox: { freeze(): Promise<AsyncDisposable> },
  work: () => Promise<T>,
): Promise<T> {
  const frozen = await sandbox.freeze();
  try {
    return await work();
  } finally {
    await frozen[Symbol.asyncDispose]();
  }
}
