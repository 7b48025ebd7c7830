import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import * as z from 'zod';
import { PwpError } from '../../../bridge/lib/index.ts';
import {
  type Call,
  type CallGroup,
  ErrorCode,
  type ParamsOut,
  remoteObjects,
  type ResultOf,
  rootObject,
  RpcError,
} from '../../../bridge/protocol/index.ts';
import type { Handlers, Peer } from '../../../bridge/rpc/index.ts';
import { ByteTransfers } from './byte-transfers.ts';
import { isCall, putBytes, requireFitting, takeBytes, toWireError } from './wire-values.ts';

interface GivenSignal {
  /** Fires when the caller gives up or goes away. */
  readonly signal: AbortSignal;
}

type ReadBytes = (bytes: AsyncIterable<Uint8Array>) => Promise<void>;

/** An object that the other end of a connection may call by these methods. */
export type Served<G> = {
  readonly [N in keyof G]: G[N] extends Call<infer K, infer A, infer O, infer R, infer M>
    ? K extends 'reports'
      ? (listener: (value: R) => void) => Disposable
      : K extends 'reads'
        ? (...args: [...A, read: ReadBytes, options: O & GivenSignal]) => Promise<unknown>
        : (
            ...args: [...A, options: O & GivenSignal]
          ) => Promise<M extends null ? R : R & Served<M> & AsyncDisposable>
    : Served<G[N]>;
};

/** An object that a connection has called for, until it is released. */
interface HeldObject {
  readonly calls: CallGroup;
  readonly target: object;
  /** How many objects it was called for through. */
  readonly depth: number;
  readonly end: () => unknown;
}

type CallParams = ParamsOut<typeof remoteObjects.call>;
type CallAnswer = ResultOf<typeof remoteObjects.call>;

const noAnswer: CallAnswer = { result: null };

/** Serves the objects of one connection. Disposing it, once the connection is over, ends all that are left. */
export class ObjectServer implements AsyncDisposable {
  readonly #peer: Peer;
  readonly #transfers: ByteTransfers;
  readonly #held = new Map<number, HeldObject>();
  readonly #running = new Set<Promise<unknown>>();

  constructor(peer: Peer, handlers: Handlers) {
    this.#peer = peer;
    this.#transfers = new ByteTransfers(peer.streams);
    handlers.add(remoteObjects.call, (params, signal) => this.#run(this.#answer(params, signal)));
    handlers.add(remoteObjects.release, ({ of }) => this.#run(this.#release(of).then(() => ({}))));
  }

  /**
   * Serves an object that the connection begins with and does not own.
   * @param instead methods in place of its own
   */
  serve<G extends CallGroup, N extends keyof G>(
    calls: G,
    target: Omit<Served<G>, N>,
    instead: Pick<Served<G>, N>,
  ): void {
    const own = Object.keys(calls).map((name) => {
      const value: unknown = Reflect.get(target, name);
      return [name, typeof value === 'function' ? (value as () => unknown).bind(target) : value] as const;
    });
    const root = { ...Object.fromEntries(own), ...instead };
    this.#held.set(rootObject, { calls, target: root, depth: 0, end: () => Promise.resolve() });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // A freeze ends before its sandbox. What can't be ended, e.g. of a sandbox that is gone, is left to the node's sweep.
    while (this.#held.size > 0) {
      const deepest = Math.max(...Array.from(this.#held.values(), ({ depth }) => depth));
      const ending = [...this.#held].filter(([, { depth }]) => depth === deepest);
      await Promise.allSettled(ending.map(([of]) => this.#release(of)));
    }
    await Promise.allSettled(this.#running);
  }

  async #run<T>(answer: Promise<T>): Promise<T> {
    this.#running.add(answer);
    try {
      return await answer;
    } catch (error) {
      throw toWireError(error);
    } finally {
      this.#running.delete(answer);
    }
  }

  async #answer({ of, method, as, ...params }: CallParams, signal: AbortSignal): Promise<CallAnswer> {
    const held = this.#held.get(of);
    if (!held) throw new PwpError('no-such-sandbox', `${method}: the connection holds no object ${of}`);
    const found = findMethod(held.calls, held.target, method.split('.'));
    if (!found) throw new RpcError(ErrorCode.MethodNotFound, `there is no method ${method}`);
    const { call, invoke } = found;
    const hold = (calls: CallGroup, target: object, end: () => unknown) =>
      this.#hold(as, { calls, target, depth: held.depth + 1, end }, signal);
    if (call.kind === 'reports') {
      const listening = invoke((value: unknown) => this.#report(as ?? rootObject, call, value)) as Disposable;
      await hold({}, listening, () => listening[Symbol.dispose]());
      return noAnswer;
    }
    const received: unknown = params.parts ? await this.#receive(call, params, signal) : params.args;
    const args = requireFitting(z.safeDecode(call.args, received), `${method}: bad arguments`);
    const chosen = requireFitting(z.safeDecode(call.options, params.options), `${method}: bad options`);
    const options = { ...(chosen as object), signal };
    if (call.kind === 'reads') {
      const stream = this.#transfers.accept(params.stream, 'write', signal);
      await invoke(
        ...args,
        (bytes: AsyncIterable<Uint8Array>) => pipeline(Readable.from(bytes), stream),
        options,
      );
      return noAnswer;
    }
    const returned = await invoke(...args, options);
    if (call.methods) {
      const target = returned as AsyncDisposable;
      await hold(call.methods, target, () => target[Symbol.asyncDispose]());
    }
    const result = requireFitting(
      z.safeEncode(call.result, returned),
      `${method}: bad result`,
      ErrorCode.InternalError,
    );
    if (call.kind !== 'answers') return { result };
    const { plain, parts, contents } = takeBytes(result);
    await this.#transfers.answer(this.#transfers.accept(params.stream, 'write', signal), parts, contents);
    return { result: plain, parts };
  }

  /** Arguments with their bytes. */
  async #receive(
    { kind }: Call,
    { args, parts = [], stream }: Pick<CallParams, 'args' | 'parts' | 'stream'>,
    signal: AbortSignal,
  ): Promise<unknown> {
    if (kind !== 'sends') throw new RpcError(ErrorCode.InvalidParams, 'bytes, where none are taken');
    const from = this.#transfers.accept(stream, 'read', signal);
    return putBytes(args, parts, await this.#transfers.receive(from, parts));
  }

  #report(of: number, { result }: Call, value: unknown): void {
    this.#peer.notify(remoteObjects.report, { of, value: z.encode(result, value) });
  }

  /** Ends it at once if its caller is no longer there, or has no number for it. */
  async #hold(as: number | undefined, held: HeldObject, signal: AbortSignal): Promise<void> {
    const isNumbered = as !== undefined && !this.#held.has(as);
    if (isNumbered && !signal.aborted) {
      this.#held.set(as, held);
      return;
    }
    await held.end();
    if (isNumbered) throw new PwpError('node-closed', 'the caller gave up');
    throw new RpcError(ErrorCode.InvalidParams, 'the call has no number for what it returns');
  }

  /** A no-op for what is over. */
  async #release(of: number): Promise<void> {
    const held = this.#held.get(of);
    this.#held.delete(of);
    await held?.end();
  }
}

interface FoundMethod {
  readonly call: Call;
  readonly invoke: (...args: readonly unknown[]) => unknown;
}

/** Undefined for what is not among the calls. */
function findMethod(
  calls: CallGroup,
  owner: object,
  [key = '', ...rest]: readonly string[],
): FoundMethod | undefined {
  const entry = Object.hasOwn(calls, key) ? calls[key] : undefined;
  if (!entry) return undefined;
  const value: unknown = Reflect.get(owner, key);
  if (!isCall(entry)) return findMethod(entry, value as object, rest);
  if (rest.length > 0) return undefined;
  return { call: entry, invoke: (...args): unknown => Reflect.apply(value as () => unknown, owner, args) };
}
