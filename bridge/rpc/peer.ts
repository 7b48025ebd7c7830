import * as z from 'zod';
import { describeError } from '../lib/index.ts';
import {
  ErrorCode,
  type Event,
  hello,
  limits,
  type Method,
  type ParamsIn,
  type ParamsOut,
  PROTOCOL_VERSION,
  type ResultOf,
  RpcError,
} from '../protocol/index.ts';
import { clip, toJson } from '../text/index.ts';
import { ByteStreams } from './byte-streams.ts';
import { cancelEvent, Handlers } from './handlers.ts';
import { parseMessage, type RpcMessage } from './message.ts';
import { createProtocolError, isProtocolError, PeerLimits } from './peer-limits.ts';
import type { Transport } from './transport.ts';

/** UTF-16 code units of an error's message: the other side would refuse a longer one. */
const maxErrorText = 100_000;

/** The first problems of a value are enough. */
const maxIssues = 10;

interface Pending {
  readonly method: string;
  resolve(result: unknown): void;
  reject(error: RpcError): void;
}

/**
 * One end of a JSON-RPC 2.0 connection: sends requests and events, and serves what its handlers know.
 * Parameters and results are validated on both sides; an ending connection rejects every pending request.
 * Binary messages between those of JSON-RPC are the pieces of byte streams.
 */
export class Peer implements AsyncDisposable {
  /** Resolves when the connection is over, with the reason if it broke. */
  readonly closed: Promise<Error | undefined>;
  /** Bytes that belong to a request or an event, which names their stream by its id. */
  readonly streams: ByteStreams;
  readonly #transport: Transport;
  readonly #handlers: Handlers;
  readonly #pending = new Map<number, Pending>();
  readonly #serving = new Map<number | string, AbortController>();
  readonly #listeners = new Map<string, Set<(params: unknown) => void>>();
  /** Set if the peer is not trusted. */
  readonly #guard: PeerLimits | undefined;
  #nextId = 1;
  #over = false;

  /** @param serves the methods for the other side; from an untrusted one only answers and events are accepted */
  constructor(transport: Transport, serves: Handlers | { readonly untrusted: true } = new Handlers()) {
    this.#transport = transport;
    this.#handlers = serves instanceof Handlers ? serves : new Handlers();
    this.#guard = serves instanceof Handlers ? undefined : new PeerLimits();
    this.streams = new ByteStreams({
      send: (frame) => transport.send(frame),
      fail: (error) => void transport.close(error),
    });
    this.closed = new Promise((resolve) => {
      transport.onEnd((reason) => {
        this.#end(reason);
        resolve(reason);
      });
    });
    transport.onMessage((message) => {
      if (this.#guard) this.#onUntrusted(this.#guard, message);
      else if (typeof message === 'string') this.#onText(message);
      else this.streams.receive(message);
    });
  }

  /**
   * Asks the other side. Rejects with an {@link RpcError}: the other side's, or `Closed`, `Cancelled`,
   * `InvalidParams` and `TooLarge` (nothing was sent), `InternalError` (the answer does not fit the descriptor).
   * @param onLate receives a result that comes after the signal fired: the other side may have finished by then
   */
  async request<M extends Method>(
    method: M,
    params: ParamsIn<M>,
    signal?: AbortSignal,
    onLate?: (result: ResultOf<M>) => void,
  ): Promise<ResultOf<M>> {
    const checked = method.params.safeParse(params);
    if (!checked.success)
      throw new RpcError(ErrorCode.InvalidParams, explainBadValue(method.name, 'parameters', checked.error));
    const late =
      onLate &&
      ((answer: unknown) => {
        const result = method.result.safeParse(answer);
        if (result.success) onLate(result.data as ResultOf<M>);
      });
    const answer = await this.#send(method.name, checked.data, signal, late);
    const result = method.result.safeParse(answer);
    if (!result.success)
      throw new RpcError(ErrorCode.InternalError, explainBadValue(method.name, 'result', result.error));
    return result.data as ResultOf<M>;
  }

  /** Sends an event to the other side's listeners. Errors: `TooLarge`. */
  notify<E extends Event>(event: E, params: ParamsIn<E>): void {
    const text = toJson({ jsonrpc: '2.0', method: event.event, params: event.params.parse(params) });
    this.#transport.send(requireFittingLength(event.event, text));
  }

  /** Listens to an event; events that don't fit their descriptor are dropped. Dispose to stop. */
  on<E extends Event>(event: E, listener: (params: ParamsOut<E>) => void): Disposable {
    const receive = (params: unknown) => {
      const checked = event.params.safeParse(params);
      if (checked.success) listener(checked.data as ParamsOut<E>);
    };
    const set = this.#listeners.get(event.event) ?? new Set();
    this.#listeners.set(event.event, set.add(receive));
    return { [Symbol.dispose]: () => void set.delete(receive) };
  }

  async close(): Promise<void> {
    await this.#transport.close();
    await this.closed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #send(
    method: string,
    params: unknown,
    signal: AbortSignal | undefined,
    late: ((answer: unknown) => void) | undefined,
  ): Promise<unknown> {
    if (this.#over) return Promise.reject(createClosedError(method));
    if (signal?.aborted) return Promise.reject(createCancelledError(method, signal));
    if (this.#pending.size >= limits.pendingRequests) {
      return Promise.reject(
        new RpcError(ErrorCode.TooLarge, `${method}: ${this.#pending.size} requests are pending`),
      );
    }
    const id = this.#nextId++;
    const text = toJson({ jsonrpc: '2.0', id, method, params });
    return new Promise((resolve, reject) => {
      const message = requireFittingLength(method, text);
      const onAbort = () => {
        this.#transport.send(toJson({ jsonrpc: '2.0', method: cancelEvent.event, params: { id } }));
        settle(() => reject(createCancelledError(method, signal)));
        this.#giveUp(id);
        if (!late) return;
        const forget = () => void this.#pending.delete(id);
        this.#pending.set(id, {
          method,
          resolve: (answer) => {
            forget();
            late(answer);
          },
          reject: forget,
        });
      };
      const settle = (finish: () => void) => {
        this.#pending.delete(id);
        signal?.removeEventListener('abort', onAbort);
        finish();
      };
      this.#pending.set(id, {
        method,
        resolve: (result) => settle(() => resolve(result)),
        reject: (error) => settle(() => reject(error)),
      });
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#transport.send(message);
    });
  }

  #giveUp(id: number): void {
    try {
      this.#guard?.giveUp(id);
    } catch (error) {
      this.#break(error);
    }
  }

  #onUntrusted(guard: PeerLimits, received: string | Buffer): void {
    if (this.#over) return;
    try {
      if (typeof received !== 'string') throw createProtocolError('bytes of a stream, and none is open');
      guard.checkLength(received.length, this.#pending.size);
      const message = parseMessage(received);
      if (message.kind === 'request') throw createProtocolError(`a request, ${message.method}`);
      if (message.kind === 'event') {
        guard.unasked(received.length);
        this.#onEvent(message.method, message.params);
      } else guard.answered(message.id, this.#onAnswer(message));
    } catch (error) {
      this.#break(isProtocolError(error) ? error : createProtocolError(clip(describeError(error), 300)));
    }
  }

  /** Ends the connection because the other side broke the protocol. */
  #break(error: unknown): void {
    void this.#transport.close(error instanceof Error ? error : undefined);
  }

  #onText(text: string): void {
    let message: RpcMessage;
    try {
      message = parseMessage(text);
    } catch (error) {
      this.#answerError(null, ErrorCode.InvalidRequest, describeError(error));
      return;
    }
    if (message.kind === 'request') void this.#serve(message.id, message.method, message.params);
    else if (message.kind === 'event') this.#onEvent(message.method, message.params);
    else this.#onAnswer(message);
  }

  async #serve(id: number | string, method: string, params: unknown): Promise<void> {
    if (this.#serving.has(id) || this.#serving.size >= limits.pendingRequests) {
      this.#answerError(
        id,
        ErrorCode.InvalidRequest,
        `${method}: id ${id} is in use, or too many requests are pending`,
      );
      return;
    }
    const controller = new AbortController();
    this.#serving.set(id, controller);
    try {
      const result = await this.#handlers.call(method, params, controller.signal);
      const text = toJson({ jsonrpc: '2.0', id, result: result ?? null });
      this.#transport.send(requireFittingLength(method, text));
    } catch (error) {
      const rpc =
        error instanceof RpcError
          ? error
          : new RpcError(ErrorCode.InternalError, `${method}: ${describeError(error)}`);
      this.#answerError(id, rpc.code, rpc.message, rpc.data);
    } finally {
      this.#serving.delete(id);
    }
  }

  #onEvent(name: string, params: unknown): void {
    if (name === cancelEvent.event) {
      const checked = cancelEvent.params.safeParse(params);
      if (checked.success) this.#serving.get(checked.data.id)?.abort();
      return;
    }
    for (const listener of this.#listeners.get(name) ?? []) listener(params);
  }

  /** False if no request waits for it. */
  #onAnswer(message: Extract<RpcMessage, { kind: 'result' | 'error' }>): boolean {
    const pending = typeof message.id === 'number' ? this.#pending.get(message.id) : undefined;
    if (!pending) return false;
    if (message.kind === 'result') pending.resolve(message.result);
    else pending.reject(new RpcError(message.code, message.message, { data: message.data }));
    return true;
  }

  #answerError(id: number | string | null, code: number, message: string, data?: unknown): void {
    const error = { code, message: clip(message, maxErrorText), data };
    const text = toJson({ jsonrpc: '2.0', id, error });
    const whole = Buffer.byteLength(text) <= limits.messageBytes;
    this.#transport.send(whole ? text : toJson({ jsonrpc: '2.0', id, error: { ...error, data: undefined } }));
  }

  #end(reason: Error | undefined): void {
    this.#over = true;
    this.streams.end(reason);
    for (const controller of this.#serving.values()) controller.abort();
    for (const pending of [...this.#pending.values()])
      pending.reject(createClosedError(pending.method, reason));
  }
}

/** Refuses a message for which the other side would end the connection. Errors: `TooLarge`. */
function requireFittingLength(method: string, text: string): string {
  const bytes = Buffer.byteLength(text);
  if (bytes <= limits.messageBytes) return text;
  const why = `${bytes} bytes are more than one message may have, ${limits.messageBytes}`;
  throw new RpcError(ErrorCode.TooLarge, `${method}: ${why}`);
}

function createClosedError(method: string, cause?: Error): RpcError {
  return new RpcError(ErrorCode.Closed, `${method}: the connection is closed`, { cause });
}

function createCancelledError(method: string, signal: AbortSignal | undefined): RpcError {
  const cause: unknown = signal?.reason;
  return new RpcError(ErrorCode.Cancelled, `${method} was cancelled: ${describeError(cause)}`, { cause });
}

function explainBadValue(method: string, what: string, error: z.ZodError): string {
  return `${method}: bad ${what}: ${z.prettifyError({ issues: error.issues.slice(0, maxIssues) })}`;
}

/** Says hello first, so that a server of another version is refused before anything else is asked. */
export function handshake(peer: Peer, client: string, signal?: AbortSignal): Promise<ResultOf<typeof hello>> {
  return peer.request(hello, { protocol: PROTOCOL_VERSION, client }, signal);
}

/**
 * Handlers that already answer `hello`.
 * @param onClient receives the name that a caller of this version gives
 */
export function handshakeHandlers(
  server: 'bridge' | 'extension' | 'node',
  version: string,
  onClient: (name: string) => void = () => undefined,
): Handlers {
  return new Handlers().add(hello, ({ protocol, client }) => {
    if (protocol !== PROTOCOL_VERSION) {
      const message = `this ${server} speaks protocol ${PROTOCOL_VERSION}, the caller ${protocol}; bring both to one version`;
      throw new RpcError(ErrorCode.VersionMismatch, message);
    }
    onClient(client);
    return { protocol: PROTOCOL_VERSION, server, version };
  });
}
