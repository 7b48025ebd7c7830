import type { Server, Socket } from 'node:net';
import { idleMs, maxConnections, type Exit } from './exit.ts';

/** Hands the connections that come on a socket inside a sandbox to its exit. Owns both. */
export class Door implements AsyncDisposable {
  readonly #listener: Server;
  readonly #exit: Exit;
  readonly #clients = new Set<Socket>();

  constructor(listener: Server, exit: Exit) {
    this.#listener = listener;
    this.#exit = exit;
    listener.maxConnections = maxConnections;
    listener.on('connection', (socket) => this.#accept(socket));
    listener.on('drop', () => exit.refusals.add({ host: '', port: 0 }, 'too-many-connections'));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#listener.close(() => resolve()));
    for (const client of this.#clients) client.destroy();
    await this.#exit[Symbol.asyncDispose]();
    await closed;
  }

  #accept(socket: Socket): void {
    this.#clients.add(socket);
    socket.once('close', () => this.#clients.delete(socket));
    socket.on('error', () => socket.destroy());
    socket.setTimeout(idleMs, () => socket.destroy());
    this.#exit.accept(socket);
  }
}
