import { basename, dirname, join } from 'node:path';
import { execa } from 'execa';
import { PwpError } from '../../../bridge/lib/index.ts';
import { namesOf, openInside } from './inside.ts';
import { lastLines } from './run.ts';

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
  const [folder, name] = await placeOf(root, path);
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
      throw new PwpError('command-failed', `tar can't pack ${path}: ${lastLines(stderr, 5)}`);
  } finally {
    over.abort();
    await child;
  }
}

/** The folder on this machine, and what is packed in it. Nothing on the way is a link, and nothing changes: all is frozen. */
async function placeOf(root: string, path: string): Promise<[folder: string, name: string]> {
  const names = namesOf(path);
  await using opened = await openInside(root, path);
  const info = await opened?.stat();
  const at = join(root, ...names);
  if (info?.isDirectory()) return [at, '.'];
  if (info?.isFile()) return [dirname(at), `./${basename(at)}`];
  throw new PwpError('no-such-file', `${path} is not a file or folder in the sandbox`);
}

export async function whileFrozen<T>(
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
