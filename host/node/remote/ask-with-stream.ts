import { PwpError, raceSignal } from '../../../bridge/lib/index.ts';
import {
  ErrorCode,
  RpcError,
  limits,
  type Method,
  type ParamsIn,
  type ResultOf,
} from '../../../bridge/protocol/index.ts';
import type { ByteStream, Peer } from '../../../bridge/rpc/index.ts';
import { ask } from './ask.ts';
import { readAll, splitParts } from './bytes.ts';
import { fromWire } from './errors.ts';

/** A request together with the stream that carries its bytes. */
export interface StreamRequest<M extends Method, T> {
  readonly method: M;
  readonly direction: 'read' | 'write';
  /** The parameters, which name the stream. */
  readonly params: (stream: number) => ParamsIn<M>;
  /** Reads the stream to its end, or writes it. */
  readonly carry: (stream: ByteStream) => Promise<T>;
  readonly signal?: AbortSignal | undefined;
  readonly onLate?: ((result: ResultOf<M>) => void) | undefined;
}

/**
 * Asks, and reads or writes the request's stream meanwhile; the stream is over when this settles. Rejects with what failed
 * first, the answer or this side's part.
 */
export async function askWithStream<M extends Method, T>(
  peer: Peer,
  { method, direction, params, carry, signal, onLate }: StreamRequest<M, T>,
): Promise<[ResultOf<M>, T]> {
  using open = openStream(peer, direction);
  const { stream } = open;
  const carried = carry(stream);
  let failure: unknown;
  // The node's part then fails as well, and its error would only name the closed stream.
  carried.catch((error: unknown) => (failure = isOfOtherSide(error) ? undefined : error));
  try {
    const result = await ask(peer, method, params(stream.id), signal, onLate);
    return [result, await (signal ? raceSignal(carried, signal) : carried)];
  } catch (error) {
    throw failure ?? fromWire(error, signal);
  }
}

/** Asks for bytes. Errors: `incomplete-transfer` if the node sends others than it says. */
export async function askForBytes<M extends Method>(
  peer: Peer,
  method: M,
  params: (stream: number) => ParamsIn<M>,
  sizes: (result: ResultOf<M>) => readonly number[],
  signal?: AbortSignal,
): Promise<[ResultOf<M>, Buffer[]]> {
  const carry = (stream: ByteStream) => readAll(stream, limits.answersBytes);
  const request = { method, direction: 'read', params, carry, signal } as const;
  const [result, bytes] = await askWithStream(peer, request);
  return [result, splitParts(bytes, sizes(result))];
}

/** Whether a stream failed because the other side or the connection ended it. */
function isOfOtherSide(error: unknown): boolean {
  if (error instanceof RpcError) return error.code === ErrorCode.Closed;
  return error instanceof PwpError && error.code === 'stream-closed';
}

function openStream(peer: Peer, direction: 'read' | 'write'): Disposable & { readonly stream: ByteStream } {
  try {
    const stream = peer.streams.open(direction);
    return { stream, [Symbol.dispose]: () => void stream.destroy() };
  } catch (error) {
    throw fromWire(error);
  }
}
