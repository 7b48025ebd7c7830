import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { deadline, describeError, SingleFlight } from '../lib/index.ts';
import {
  ErrorCode,
  ide,
  interruptedData,
  type Method,
  type ParamsIn,
  type ResultOf,
  RpcError,
  workspaceMethods,
} from '../protocol/index.ts';
import { connectSocket, type Handlers, handshake, Peer } from '../rpc/index.ts';

/** An extension host that does not answer `hello` within this many milliseconds is skipped. */
const HELLO_MS = 2000;
/** More windows than anyone opens; the agent could fill the folder. */
const MAX_SOCKETS = 32;

interface ConnectedWindow {
  readonly path: string;
  readonly peer: Peer;
}

/** The connection to the newest IDE window that answers. Every window's extension host listens on its own socket. */
export class ExtensionRoute {
  /** Sockets from before this time belong to windows that are gone; milliseconds since 1970. */
  notBefore = 0;
  readonly #folder: string;
  readonly #onWindow: (window: Peer) => Promise<void>;
  #connected: ConnectedWindow | undefined;
  readonly #search = new SingleFlight((signal) => this.#newestWindow(signal));

  /** @param onWindow called for every window that a connection is made to; never rejects */
  constructor(folder: string, onWindow: (window: Peer) => Promise<void> = () => Promise.resolve()) {
    this.#folder = folder;
    this.#onWindow = onWindow;
  }

  /** Passes a request on. Errors: `Unavailable` when no window answers, and the extension's own. */
  async request<M extends Method>(method: M, params: ParamsIn<M>, signal: AbortSignal): Promise<ResultOf<M>> {
    const peer = await this.peer(signal);
    try {
      return await peer.request(method, params, signal);
    } catch (error) {
      if (!(error instanceof RpcError) || error.code !== ErrorCode.Closed) throw error;
      throw new RpcError(ErrorCode.Unavailable, `${method.name}: the IDE's window went away`, {
        cause: error,
        data: interruptedData,
      });
    }
  }

  /** Connects to the newest window, or keeps the connection when it is still the newest. */
  async peer(signal: AbortSignal): Promise<Peer> {
    const peer = await this.#search.get(signal);
    // The next request looks for a newer window.
    this.#search.forget(peer);
    return peer;
  }

  /** Ends the connection; the next request searches again. */
  async forget(): Promise<void> {
    const connected = this.#connected;
    this.#connected = undefined;
    await connected?.peer.close();
  }

  async #newestWindow(signal: AbortSignal): Promise<Peer> {
    let saw = 'no window has opened its socket';
    for (const path of await this.#sockets()) {
      if (path === this.#connected?.path) return this.#connected.peer;
      try {
        const peer = await connectWindow(path, signal);
        await this.forget();
        this.#connected = { path, peer };
        void peer.closed.then(() => {
          if (this.#connected?.peer === peer) this.#connected = undefined;
        });
        await this.#onWindow(peer);
        return peer;
      } catch (error) {
        signal.throwIfAborted();
        saw = describeError(error);
      }
    }
    throw new RpcError(ErrorCode.Unavailable, `the extension does not answer: ${saw}`);
  }

  /** Newest first. */
  async #sockets(): Promise<string[]> {
    const names = await readdir(this.#folder).catch(() => []);
    const found = await Promise.all(
      names.slice(0, MAX_SOCKETS).map((name) => this.#look(join(this.#folder, name))),
    );
    return found
      .filter(({ time }) => time >= this.notBefore)
      .sort((a, b) => b.time - a.time)
      .map(({ path }) => path);
  }

  async #look(path: string): Promise<{ path: string; time: number }> {
    const stats = await stat(path).catch(() => undefined);
    return { path, time: stats?.isSocket() ? stats.mtimeMs : -1 };
  }
}

async function connectWindow(path: string, signal: AbortSignal): Promise<Peer> {
  using limit = deadline('hello of the extension', HELLO_MS, signal);
  const peer = new Peer(await connectSocket(path, limit.signal));
  try {
    await handshake(peer, 'bridge', limit.signal);
    return peer;
  } catch (error) {
    await peer.close();
    throw error;
  }
}

/** Serves the window's own methods, by passing calls on. */
export function serveIdeMethods(handlers: Handlers, route: ExtensionRoute): void {
  for (const method of [workspaceMethods.takeIn, ...Object.values(ide)] as Method[]) {
    handlers.add(method, (params, signal) => route.request(method, params, signal));
  }
}
