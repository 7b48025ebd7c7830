import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Server, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { deadline, describeError, guardListener, PwpError } from '../../../bridge/lib/index.ts';
import type { Refusal, RefusalReason } from '../../../bridge/protocol/index.ts';
import { clip } from '../../../bridge/text/index.ts';
import type { EgressTarget } from './egress-policy.ts';

/** Connections of one sandbox at a time. */
export const maxEgressConnections = 128;
/** Silence after which a connection is ended, in milliseconds. */
export const egressIdleMs = 300_000;

/** The part that answers the connections of one sandbox's programs. Disposing it ends them. */
export interface Egress extends AsyncDisposable {
  readonly refusals: RefusalLog;
  /** Takes a connection over. */
  accept(client: Duplex): void;
}

/** A program that tries forever must not fill memory and records: further refusals are not reported. */
const maxRefusals = 1000;

/** The refusals so far, kept for later listeners. */
export class RefusalLog {
  readonly #kept: Refusal[] = [];
  readonly #listeners = new Set<(refusal: Refusal) => void>();

  add({ host, port }: EgressTarget, why: RefusalReason): void {
    if (this.#kept.length >= maxRefusals) return;
    const refusal = { host: clip(host, 300), port, why, at: new Date().toISOString() };
    this.#kept.push(refusal);
    for (const listener of this.#listeners) listener(refusal);
  }

  /** Reports those so far at once, then each as it happens. */
  on(listener: (refusal: Refusal) => void): Disposable {
    this.#kept.forEach((refusal) => listener(refusal));
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }
}

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
    listener.maxConnections = maxEgressConnections;
    const accept = (socket: Socket) => this.#accept(socket);
    listener.on(
      'connection',
      guardListener(accept, (_, socket) => socket.destroy()),
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
    socket.setTimeout(egressIdleMs, () => socket.destroy());
    this.#exit.accept(socket);
  }
}

/** A short-lived program that takes the port, hands it over and is ended. In milliseconds. */
const listenMs = 15_000;

/**
 * Listens on 127.0.0.1 of another network namespace, and accepts in this process: a socket belongs to the namespace it
 * was created in, whichever process holds it. So nothing of the proxy runs inside, and it ends with this process.
 * @param netns file that the namespace is mounted on
 */
export async function listenInNamespace(netns: string, port: number, signal: AbortSignal): Promise<Server> {
  using limit = deadline("the sandbox's way out", listenMs, signal);
  const script = `const s = require('node:net').createServer(); s.listen(${port}, '127.0.0.1', 512, () => process.send('listening', s));`;
  const child = spawn(
    'nsenter',
    [`--net=${netns}`, '--', process.execPath, '--disable-sigusr1', '-e', script],
    {
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      env: { PATH: process.env['PATH'] },
      detached: true,
    },
  );
  try {
    return await receiveServer(child, limit.signal);
  } catch (cause) {
    signal.throwIfAborted();
    throw new PwpError('network-failed', `can't listen for the sandbox: ${describeError(cause)}`, { cause });
  } finally {
    child.kill('SIGKILL');
  }
}

async function receiveServer(child: ChildProcess, signal: AbortSignal): Promise<Server> {
  const ended = once(child, 'exit', { signal }).then(([code]) => {
    throw new Error(`nsenter ended with exit code ${String(code)}`);
  });
  const [, server] = (await Promise.race([once(child, 'message', { signal }), ended])) as unknown[];
  ended.catch(() => undefined);
  if (server instanceof Server) return server;
  throw new Error('no socket came over');
}
