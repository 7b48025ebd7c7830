import type { Server, Socket } from 'node:net';
import { guarded } from '../../../bridge/lib/index.ts';
import { idleMs, maxConnections, type Egress } from './egress.ts';

/** Hands the connections that come on a socket inside a sandbox to its exit. Owns both. */
export class EgressListener implements AsyncDisposable {
  #listener: Server;
  readonly #exit: Egress;
  readonly #clients = new Set<Socket>();

  constructor(listener: Server, exit: Egress) {
    this.#exit = exit;
    this.#listener = this.#attend(listener);
  }

  /** Breaks every connection off at once; new ones are accepted as before. */
  hangUp(): void {
    for (const client of this.#clients) client.resetAndDestroy();
  }

  /** Continues with another listener, after the one before is closed. */
  async reopen(listen: () => Promise<Server>): Promise<void> {
    await this.#shut();
    this.#listener = this.#attend(await listen());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const shut = this.#shut();
    await this.#exit[Symbol.asyncDispose]();
    await shut;
  }

  async #shut(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#listener.close(() => resolve()));
    for (const client of this.#clients) client.destroy();
    await closed;
  }

  #attend(listener: Server): Server {
    listener.maxConnections = maxConnections;
    const accept = (socket: Socket) => this.#accept(socket);
    listener.on(
      'connection',
      guarded(accept, (_, socket) => socket.destroy()),
    );
    // A connection that can't be accepted is lost, and no other.
    listener.on('error', () => undefined);
    listener.on('drop', () => this.#exit.refusals.add({ host: '', port: 0 }, 'too-many-connections'));
    return listener;
  }

  #accept(socket: Socket): void {
    this.#clients.add(socket);
    socket.once('close', () => this.#clients.delete(socket));
    socket.on('error', () => socket.destroy());
    socket.setTimeout(idleMs, () => socket.destroy());
    this.#exit.accept(socket);
  }
}
