import { SingleFlight } from '../lib/index.ts';
import {
  agentSide,
  ErrorCode,
  interruptedData,
  type Method,
  type ParamsIn,
  type ResultOf,
  RpcError,
} from '../protocol/index.ts';
import { connectSocket, type Handlers, handshake, Peer } from '../rpc/index.ts';

/** The connection of the desktop's side to the agent's: made when it is needed, and again after it was lost. */
export class AgentSideConnection {
  readonly #socket: string;
  readonly #handlers: Handlers;
  readonly #onConnected: (peer: Peer) => Promise<void>;
  readonly #connection = new SingleFlight((signal) => this.#connect(signal));
  #files: readonly string[] = [];

  /**
   * @param handlers the methods that the agent's side may call
   * @param onConnected called for every connection; never rejects
   */
  constructor(socket: string, handlers: Handlers, onConnected: (peer: Peer) => Promise<void>) {
    this.#socket = socket;
    this.#handlers = handlers;
    this.#onConnected = onConnected;
  }

  /** Files that the window shows when it opens, as absolute paths. */
  get files(): readonly string[] {
    return this.#files;
  }

  /** Rejects if the agent's side does not listen. */
  peer(signal: AbortSignal): Promise<Peer> {
    return this.#connection.get(signal);
  }

  /** Passes a request on. Errors: `Unavailable` if the agent's side is gone, and its own. */
  async request<M extends Method>(method: M, params: ParamsIn<M>, signal: AbortSignal): Promise<ResultOf<M>> {
    const peer = await this.#connection.get(signal).catch((cause: unknown) => {
      signal.throwIfAborted();
      throw createLostError(method, cause);
    });
    try {
      return await peer.request(method, params, signal);
    } catch (error) {
      if (!(error instanceof RpcError) || error.code !== ErrorCode.Closed) throw error;
      throw createLostError(method, error, interruptedData);
    }
  }

  async #connect(signal: AbortSignal): Promise<Peer> {
    const peer = new Peer(await connectSocket(this.#socket, signal), this.#handlers);
    try {
      await handshake(peer, 'bridge', signal);
      this.#files = (await peer.request(agentSide.attach, {}, signal)).open;
    } catch (error) {
      await peer.close();
      throw error;
    }
    void peer.closed.then(() => this.#connection.forget(peer));
    void this.#onConnected(peer);
    return peer;
  }
}

function createLostError({ name }: Method, cause: unknown, data?: typeof interruptedData): RpcError {
  const text = `${name}: the agent's side of the bridge does not answer`;
  return new RpcError(ErrorCode.Unavailable, text, { cause, ...(data && { data }) });
}
