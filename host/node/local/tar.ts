import { chmodSync, chownSync, closeSync, linkSync, mkdirSync, openSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { dirname } from 'node:path';

/*
 * GNU tar carries what a file system has and this language can't reach: extended attributes (an overlay's opaque
 * folders), whiteouts (character devices 0:0), holes, hard links, nanoseconds. All but sockets.
 */
const attributes = ['--numeric-owner', '--xattrs', '--xattrs-include=*'];

export const createArguments = ['--create', '--format=pax', ...attributes, '--sparse'];
export const extractArguments = ['--extract', ...attributes, '--preserve-permissions', '--same-owner'];

/** A socket that no process listens on any more. */
export interface SocketEntry {
  /** Below the folder; each character is one byte. */
  readonly path: string;
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
}

/** Makes sockets that no process listens on. A socket's path is limited in length: bind to a short one, then link. */
export async function makeSockets(folder: string, sockets: readonly SocketEntry[]): Promise<void> {
  if (sockets.length === 0) return;
  const scratch = `${folder}.sockets`;
  mkdirSync(scratch, { mode: 0o700 });
  const open = openSync(scratch, 'r');
  try {
    for (const socket of sockets) await makeSocket(folder, socket, `/proc/self/fd/${open}/s`);
  } finally {
    closeSync(open);
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function makeSocket(folder: string, { path, mode, uid, gid }: SocketEntry, at: string): Promise<void> {
  const server = createServer();
  server.listen(at);
  await once(server, 'listening');
  const target = Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(path, 'latin1')]);
  mkdirSync(Buffer.from(dirname(target.toString('latin1')), 'latin1'), { recursive: true });
  linkSync(at, target);
  server.close();
  await once(server, 'close');
  chownSync(target, uid, gid);
  chmodSync(target, mode);
}
