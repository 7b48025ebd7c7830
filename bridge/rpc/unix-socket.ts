import { once } from 'node:events';
import { chmod, lstat, unlink } from 'node:fs/promises';
import { connect as connectNet } from 'node:net';
import { WebSocket, WebSocketServer } from 'ws';
import { createHttpServer, PwpError } from '../lib/index.ts';
import type { Transport } from './transport.ts';
import { clientOptions, openTransport, WebSocketTransport, wireOptions } from './websocket.ts';

/**
 * Connects to a server's Unix socket.
 * @param path absolute path of the socket; a symbolic link is refused, since the folder may belong to a sandbox
 */
export async function connectSocket(path: string, signal: AbortSignal): Promise<Transport> {
  await requireSocketFile(path);
  return openTransport(new WebSocket(`ws+unix://${path}:/`, clientOptions), path, signal);
}

/** A listening Unix socket; disposing it ends its connections and removes the socket file. */
export interface SocketServer extends AsyncDisposable {
  readonly path: string;
}

/**
 * Listens on a Unix socket that only its owner may open. A socket file that a dead server left is replaced;
 * one that answers is an `address-in-use` error.
 */
export async function listenSocket(
  path: string,
  accept: (transport: Transport) => void,
): Promise<SocketServer> {
  await removeDeadSocket(path);
  const server = new WebSocketServer({ noServer: true, ...wireOptions });
  const http = createHttpServer({
    request: (_, response) => response.writeHead(426, { connection: 'close' }).end(),
    upgrade: (request, socket, head) =>
      server.handleUpgrade(request, socket, head, (open) => accept(new WebSocketTransport(open))),
  });
  http.listen(path);
  await once(http, 'listening');
  await chmod(path, 0o600);
  return {
    path,
    async [Symbol.asyncDispose]() {
      for (const client of server.clients) client.terminate();
      server.close();
      http.close();
      http.closeAllConnections();
      if (http.listening) await once(http, 'close');
    },
  };
}

async function requireSocketFile(path: string): Promise<void> {
  let stats;
  try {
    stats = await lstat(path);
  } catch (cause) {
    throw new PwpError('connect-failed', `there is no socket at ${path}`, { cause });
  }
  if (!stats.isSocket()) throw new PwpError('connect-failed', `${path} is not a socket`);
}

async function removeDeadSocket(path: string): Promise<void> {
  if (await acceptsConnections(path))
    throw new PwpError('address-in-use', `another server listens on ${path}`);
  await unlink(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
}

function acceptsConnections(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connectNet(path);
    probe.once('connect', () => {
      probe.destroy();
      resolve(true);
    });
    probe.once('error', () => resolve(false));
  });
}
