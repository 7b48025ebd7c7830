import { isErrorCode, PwpError, raceSignal } from '../../../bridge/lib/index.ts';
import {
  ErrorCode,
  limits,
  type Method,
  nodeErrorData,
  type ParamsIn,
  type ResultOf,
  RpcError,
} from '../../../bridge/protocol/index.ts';
import type { ByteStream, Peer } from '../../../bridge/rpc/index.ts';
import { readAll, splitParts } from './byte-transfers.ts';

/** A request whose errors are the node's own, as if it ran in this process. */
export async function askNode<M extends Method>(
  peer: Peer,
  method: M,
  params: ParamsIn<M>,
  signal?: AbortSignal,
  onLate?: (result: ResultOf<M>) => void,
): Promise<ResultOf<M>> {
  try {
    return await peer.request(method, params, signal, onLate);
  } catch (error) {
    throw fromWireError(error, signal);
  }
}

/** A request together with the stream that carries its bytes. */
interface NodeStreamRequest<M extends Method, T> {
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
  { method, direction, params, carry, signal, onLate }: NodeStreamRequest<M, T>,
): Promise<[ResultOf<M>, T]> {
  using open = openStream(peer, direction);
  const { stream } = open;
  const carried = carry(stream);
  let failure: unknown;
  // The node's part then fails as well, and its error would only name the closed stream.
  carried.catch((error: unknown) => (failure = isRemoteFailure(error) ? undefined : error));
  try {
    const result = await askNode(peer, method, params(stream.id), signal, onLate);
    return [result, await (signal ? raceSignal(carried, signal) : carried)];
  } catch (error) {
    throw failure ?? fromWireError(error, signal);
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
function isRemoteFailure(error: unknown): boolean {
  if (error instanceof RpcError) return error.code === ErrorCode.Closed;
  return error instanceof PwpError && error.code === 'stream-closed';
}

function openStream(peer: Peer, direction: 'read' | 'write'): Disposable & { readonly stream: ByteStream } {
  try {
    const stream = peer.streams.open(direction);
    return { stream, [Symbol.dispose]: () => void stream.destroy() };
  } catch (error) {
    throw fromWireError(error);
  }
}

/** A node's error as it goes over the wire. Errors of a bridge are passed on unchanged. */
export function toWireError(error: unknown): unknown {
  if (!(error instanceof PwpError)) return error;
  const data = { code: error.code, ...(error.help !== undefined && { help: error.help }) };
  return new RpcError(ErrorCode.InternalError, describeError(error), { data });
}

/** The node's error as it was thrown there; the signal's reason where the caller gave up. */
function fromWireError(error: unknown, signal?: AbortSignal): unknown {
  if (!(error instanceof RpcError)) return error;
  const { code, help } = nodeErrorData.safeParse(error.data).data ?? {};
  if (isErrorCode(code))
    return new PwpError(code, error.message, { cause: error, ...(help !== undefined && { help }) });
  if (error.code === ErrorCode.Cancelled && signal?.aborted) return signal.reason;
  if (error.code !== ErrorCode.Closed) return error;
  return new PwpError('node-lost', 'the node that the sandbox is on has ended', { cause: error });
}

/** The causes are part of the message: they don't cross the wire. */
function describeError(error: PwpError): string {
  const { cause } = error;
  if (!(cause instanceof Error) || error.message.includes(cause.message)) return error.message;
  return `${error.message}: ${cause.message}`;
}
