import { mkdir, readFile } from 'node:fs/promises';
import { run } from '../run.ts';
import { createArguments, extractArguments, makeSockets, type SocketEntry } from '../tar.ts';

/**
 * Saves a folder, with everything that a file system stores about it, in one file: many small ones take the disk
 * several times longer, and the sandbox is frozen meanwhile. A second file lists its sockets, which an archive can't
 * contain.
 */
export async function keepTree(folder: string, target: string): Promise<void> {
  await Promise.all([
    run('tar', [...createArguments, '--file', target, '--directory', folder, '.']),
    run('find', [folder, '-type', 's', '-fprintf', socketsOf(target), String.raw`%P\0%m\0%U\0%G\0`]),
  ]);
}

/** Lays out again what {@link keepTree} has kept. The folder must not be there. */
export async function layTree(source: string, folder: string, signal: AbortSignal): Promise<void> {
  await mkdir(folder, { mode: 0o700 });
  await run('tar', [...extractArguments, '--file', source, '--directory', folder], { signal });
  await makeSockets(folder, socketsIn(await readFile(socketsOf(source), 'latin1')));
}

function socketsOf(archive: string): string {
  return `${archive}.sockets`;
}

function socketsIn(text: string): SocketEntry[] {
  const fields = text.split('\0').slice(0, -1);
  return Array.from({ length: fields.length / 4 }, (_, index) => {
    const [path = '', mode = '', uid = '', gid = ''] = fields.slice(index * 4, index * 4 + 4);
    return { path, mode: Number.parseInt(mode, 8), uid: Number(uid), gid: Number(gid) };
  });
}
