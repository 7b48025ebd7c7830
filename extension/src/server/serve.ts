import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { PwpError } from '../../../bridge/lib/index.ts';
import { Peer, listenSocket, type Handlers, type SocketServer } from '../../../bridge/rpc/index.ts';
import { prepareFolder } from './folder.ts';
import { socketSuffix, sweepDeadSockets } from './sweep.ts';

/** Maximum bytes of a Unix socket's path, without the terminating zero (`sun_path` of unix(7)). */
const maxPathBytes = process.platform === 'darwin' ? 103 : 107;

/**
 * Serves this window's own socket in `folder`, and removes sockets that dead windows left there.
 * Errors: `unsafe-folder`, `path-too-long`.
 * @param handlers makes those of one connection
 */
export async function serveWindow(
  folder: string,
  uid: number,
  handlers: () => Handlers,
): Promise<SocketServer> {
  const path = join(folder, socketName());
  refuseLongPath(path);
  await prepareFolder(folder, uid);
  const server = await listenSocket(path, (transport) => void new Peer(transport, handlers()));
  await sweepDeadSockets(folder);
  return server;
}

/** The process id is for people; the random part distinguishes windows with the same one, as after a reload. */
function socketName(): string {
  return `${process.pid}-${randomBytes(4).toString('hex')}${socketSuffix}`;
}

function refuseLongPath(path: string): void {
  const bytes = Buffer.byteLength(path);
  if (bytes <= maxPathBytes) return;
  const message = `${path} has ${bytes} bytes; a Unix socket's path may have ${maxPathBytes}`;
  throw new PwpError('path-too-long', message, { help: 'Set pwp.socketDirectory to a shorter path.' });
}
