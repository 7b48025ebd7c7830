import * as z from 'zod';
import { type Cancellable, PwpError, raceSignal } from '../../../bridge/lib/index.ts';
import {
  type Call,
  type CallGroup,
  ErrorCode,
  type ParamsIn,
  remoteObjects,
  type ResultOf,
  rootObject,
  RpcError,
} from '../../../bridge/protocol/index.ts';
import type { ByteStream, Direction, Peer } from '../../../bridge/rpc/index.ts';
import { readAnswer, sendBytes, splitBytes } from './byte-transfers.ts';
import { fromWireError, isCall, putBytes, requireFitting, takeBytes } from './wire-values.ts';

interface CallerOptions<R> extends Cancellable {
  /** Receives a result that comes after the signal fired: the other side may have finished by then. */
  readonly onLate?: (result: R) => void;
}

type ReadBytes<T> = (bytes: AsyncIterable<Uint8Array>) => Promise<T>;
type Returned<R, M> = M extends null ? R : R & Remote<M> & AsyncDisposable;

/** An object at the other end of a connection: its methods, called as if it were here. */
export type Remote<G> = {
  readonly [N in keyof G]: G[N] extends Call<infer K, infer A, infer O, infer R, infer M>
    ? K extends 'reports'
      ? (listener: (value: R) => void) => Disposable
      : K extends 'reads'
        ? <T>(...args: [...A, read: ReadBytes<T>, options?: O & Cancellable]) => Promise<T>
        : (...args: [...A, options?: O & CallerOptions<R>]) => Promise<Returned<R, M>>
    : Remote<G[N]>;
};

/** A method of one object. */
interface Callee {
  readonly call: Call;
  readonly of: number;
  readonly method: string;
}

type CallParams = ParamsIn<typeof remoteObjects.call>;
type CallAnswer = ResultOf<typeof remoteObjects.call>;

/** The objects at the other end of a connection. Their errors are those of the methods there, and `node-lost`. */
export class RemoteObjects {
  readonly #peer: Peer;
  readonly #listeners = new Map<number, (value: unknown) => void>();
  #last = rootObject;

  constructor(peer: Peer) {
    this.#peer = peer;
    peer.on(remoteObjects.report, ({ of, value }) => this.#listeners.get(of)?.(value));
  }

  /** The object that the other side serves first. */
  root<G extends CallGroup>(calls: G): Remote<G> {
    return this.#bind(calls, rootObject, '') as Remote<G>;
  }

  #bind(calls: CallGroup, of: number, path: string): Record<string, unknown> {
    const bind = (method: string, entry: Call | CallGroup) => {
      if (!isCall(entry)) return this.#bind(entry, of, `${method}.`);
      const callee = { call: entry, of, method };
      return entry.kind === 'reports'
        ? (listener: (value: unknown) => void) => this.#listen(callee, listener)
        : (...given: readonly unknown[]) => this.#ask(callee, given);
    };
    const entries = Object.entries(calls).map(([name, entry]) => [name, bind(path + name, entry)]);
    return Object.fromEntries(entries) as Record<string, unknown>;
  }

  async #ask({ call, of, method }: Callee, given: readonly unknown[]): Promise<unknown> {
    const [read, last] = call.kind === 'reads' ? given.slice(call.arity) : [undefined, given[call.arity]];
    const { signal, onLate, ...options } = (last ?? {}) as CallerOptions<unknown>;
    const as = call.methods ? (this.#last += 1) : undefined;
    const params = {
      ...{ of, method, as },
      args: requireFitting(
        z.safeEncode(call.args, given.slice(0, call.arity)),
        `${method}: bad arguments`,
      ) as unknown[],
      options: requireFitting(z.safeEncode(call.options, options), `${method}: bad options`),
    };
    const decode = (result: unknown) =>
      requireFitting(z.safeDecode(call.result, result), `${method}: bad result`, ErrorCode.InternalError);
    try {
      switch (call.kind) {
        case 'reads':
          return (await this.#withStream('read', params, read as ReadBytes<unknown>, signal))[1];
        case 'answers':
          return decode(await this.#askForBytes(params, signal));
        case 'sends':
          return this.#adopt(call, decode(await this.#askWithBytes(params, signal)), as);
        default: {
          const late = onLate && ((answer: CallAnswer) => passOn(call, answer.result, onLate));
          return this.#adopt(call, decode((await this.#request(params, signal, late)).result), as);
        }
      }
    } catch (error) {
      // It may be there by now, or come at this very moment.
      if (as !== undefined) void this.#release(as).catch(() => undefined);
      throw error;
    }
  }

  #adopt({ methods }: Call, properties: unknown, as = rootObject): unknown {
    if (!methods) return properties;
    let released: Promise<void> | undefined;
    return {
      ...(properties as object),
      ...this.#bind(methods, as, ''),
      [Symbol.asyncDispose]: () => (released ??= this.#release(as)),
    };
  }

  async #askForBytes(params: CallParams, signal?: AbortSignal): Promise<unknown> {
    const [{ result, parts = [] }, bytes] = await this.#withStream('read', params, readAnswer, signal);
    return putBytes(result, parts, splitBytes(bytes, parts));
  }

  async #askWithBytes(params: CallParams, signal?: AbortSignal): Promise<unknown> {
    const { plain, parts, contents } = takeBytes(params.args);
    if (parts.length === 0) return (await this.#request(params, signal)).result;
    const sent = { ...params, args: plain as unknown[], parts };
    const carry = (stream: ByteStream) => sendBytes(stream, contents);
    return (await this.#withStream('write', sent, carry, signal))[0].result;
  }

  /**
   * Calls, and reads or writes the call's stream meanwhile; the stream is over when this settles. Rejects with what
   * failed first, the answer or this side's part.
   */
  async #withStream<T>(
    direction: Direction,
    params: CallParams,
    carry: (stream: ByteStream) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<[CallAnswer, T]> {
    using open = new DisposableStack();
    let failure: unknown;
    try {
      const stream = open.adopt(this.#peer.streams.open(direction), (one) => void one.destroy());
      const carried = carry(stream);
      // The other side's part then fails as well, and its error would only name the closed stream.
      carried.catch((error: unknown) => (failure = isRemoteFailure(error) ? undefined : error));
      const answer = await this.#request({ ...params, stream: stream.id }, signal);
      return [answer, await (signal ? raceSignal(carried, signal) : carried)];
    } catch (error) {
      throw failure ?? fromWireError(error, signal);
    }
  }

  async #request(
    params: CallParams,
    signal?: AbortSignal,
    onLate?: (answer: CallAnswer) => void,
  ): Promise<CallAnswer> {
    try {
      return await this.#peer.request(remoteObjects.call, params, signal, onLate);
    } catch (error) {
      throw fromWireError(error, signal);
    }
  }

  #listen({ call, of, method }: Callee, listener: (value: unknown) => void): Disposable {
    const as = (this.#last += 1);
    this.#listeners.set(as, (value) => passOn(call, value, listener));
    // If the node is lost, there is nothing to report.
    void this.#request({ of, method, as, args: [], options: {} }).catch(() => undefined);
    return {
      [Symbol.dispose]: () => {
        this.#listeners.delete(as);
        void this.#release(as).catch(() => undefined);
      },
    };
  }

  /** A no-op if the connection has ended: all objects end with it. */
  async #release(of: number): Promise<void> {
    try {
      await this.#peer.request(remoteObjects.release, { of });
    } catch (error) {
      const cause = fromWireError(error);
      if (!(cause instanceof PwpError) || cause.code !== 'node-lost') throw cause;
    }
  }
}

/** What does not fit its schema is dropped: no call waits for it. */
function passOn({ result }: Call, value: unknown, receive: (value: unknown) => void): void {
  const checked = z.safeDecode(result, value);
  if (checked.success) receive(checked.data);
}

/** Whether a stream failed because the other side or the connection ended it. */
function isRemoteFailure(error: unknown): boolean {
  if (error instanceof RpcError) return error.code === ErrorCode.Closed;
  return error instanceof PwpError && error.code === 'stream-closed';
}
