import { chown, readFile, rm } from 'node:fs/promises';
import { execa } from 'execa';
import { PwpError } from '../../../../bridge/lib/index.ts';
import { listenSocket, listenWebSocket, type Transport } from '../../../../bridge/rpc/index.ts';

import { bootId } from '../../../lib/index.ts';

type Accept = (transport: Transport) => void;

/**
 * Whether the host that started this container runs on another kernel: it has reported another boot than this one's.
 */
export async function isOtherKernel(hostBootId: string | undefined): Promise<boolean> {
  if (hostBootId === undefined) return false;
  return (await bootId()) !== hostBootId;
}

/** Listens as the container's environment says: on a Unix socket or, with a token, on a port. Errors: `usage`. */
export async function listenAsConfigured(env: NodeJS.ProcessEnv, accept: Accept): Promise<AsyncDisposable> {
  const { PWP_SOCKET: socket, PWP_SOCKET_UID: uid = '0', PWP_SOCKET_GID: gid = '0' } = env;
  const { PWP_PORT: port, PWP_TOKEN_FILE: tokenFile } = env;
  if (socket) {
    const server = await listenSocket(socket, accept);
    await chown(socket, Number(uid), Number(gid));
    return server;
  }
  if (!port || !tokenFile)
    throw new PwpError('usage', 'neither PWP_SOCKET nor PWP_PORT and PWP_TOKEN_FILE are set');
  const token = await readFile(tokenFile, 'utf8');
  await rm(tokenFile);
  await removeDefaultRoute();
  // All addresses of the container, which are its loopback and the one that the engine forwards the port to.
  return listenWebSocket({ host: '0.0.0.0', port: Number(port), token }, accept);
}

/** The port receives connections from the network next to it; nothing may go out from here. */
async function removeDefaultRoute(): Promise<void> {
  for (const family of ['-4', '-6']) {
    const { stdout } = await execa('ip', [family, 'route', 'show', 'default']);
    if (stdout !== '') await execa('ip', [family, 'route', 'del', 'default']);
  }
}
