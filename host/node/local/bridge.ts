import { PwpError, causesOf, deadline, messageOf, poll, type Probe } from '../../../bridge/lib/index.ts';
import {
  ErrorCode,
  RpcError,
  desktop,
  toolMethods,
  type Method,
  type ParamsIn,
  type ResultOf,
} from '../../../bridge/protocol/index.ts';
import { Peer, connectSocket, handshake } from '../../../bridge/rpc/index.ts';
import { identify, isAlive } from '../../lib/index.ts';
import { Patience, type IsFrozen } from '../patience.ts';
import type { Link } from './link.ts';
import { stateOf } from './runc.ts';

/** Pause between two checks whether the bridge listens, in milliseconds: a new socket file sends no event. */
const intervalMs = 25;
/** The longest that the bridge takes; the caller's signal ends it earlier. In milliseconds. */
const waitMs = 600_000;

/** Milliseconds until a bridge must have greeted. */
const greetMs = 30_000;
/** Milliseconds until it must have answered a request; added to the time of a request that has one of its own. */
const answerMs = 120_000;
/** The same for tools, whose own times are in their arguments. */
const toolMs = 3_600_000;

/** Which connection asks the bridge, and how. */
export interface BridgeOptions {
  readonly isFrozen: IsFrozen;
  readonly signal: AbortSignal;
  /** Milliseconds, instead of the usual ones. */
  readonly limitMs?: number;
}

/**
 * Connects to a bridge that listens already. It is inside the wall and may be a false one: it can only answer what it
 * is asked, and report a little. Errors: `connect-failed` if nothing listens, `bridge-lost`.
 */
export async function connectBridge(
  socket: string,
  { isFrozen, signal, limitMs = greetMs }: BridgeOptions,
): Promise<Peer> {
  using limit = new Patience(limitMs, isFrozen, signal);
  let peer: Peer | undefined;
  try {
    peer = new Peer(await connectSocket(socket, limit.signal), { untrusted: true });
    await handshake(peer, 'node', limit.signal);
    return peer;
  } catch (error) {
    await peer?.close();
    signal.throwIfAborted();
    if (limit.expired) throw lost(`it has not greeted within ${limitMs} ms`, error);
    throw isClosed(error) ? lost(whyClosed(error), error) : error;
  }
}

/** Asks the bridge. Errors: its own; `bridge-lost` if it ends, breaks the protocol or does not answer in time. */
export async function askBridge<M extends Method>(
  peer: Peer,
  method: M,
  params: ParamsIn<M>,
  { isFrozen, signal, limitMs = longest(method, params) }: BridgeOptions,
): Promise<ResultOf<M>> {
  using limit = new Patience(limitMs, isFrozen, signal);
  try {
    return await peer.request(method, params, limit.signal);
  } catch (error) {
    if (isClosed(error)) throw lost(whyClosed(error), error);
    if (!limit.expired) throw error;
    // The next connection may find another bridge.
    await peer.close();
    throw lost(`it has not answered ${method.name} within ${limitMs} ms`, error);
  }
}

function longest(method: Method, params: unknown): number {
  if (method.name === toolMethods.call.name) return toolMs;
  const own: unknown = typeof params === 'object' && params !== null ? Reflect.get(params, 'timeoutMs') : 0;
  return answerMs + (typeof own === 'number' ? own : 0);
}

function isClosed(error: unknown): boolean {
  return error instanceof RpcError && error.code === ErrorCode.Closed;
}

function whyClosed(error: unknown): string {
  const [cause] = causesOf(error);
  return cause === undefined ? 'it hung up' : messageOf(cause);
}

function lost(why: string, cause: unknown): PwpError {
  return new PwpError('bridge-lost', `the bridge in the sandbox is lost: ${why}`, { cause });
}

/** Waits until the bridge answers and every part of the desktop is ready. Rejects as soon as the container has ended. */
export async function awaitDesktop(id: string, bridge: Link<Peer>, signal: AbortSignal): Promise<void> {
  using limit = deadline(`the desktop of sandbox ${id}`, waitMs, signal);
  const peer = await awaitBridge(id, bridge, limit.signal);
  await peer.request(desktop.wait, { timeoutMs: waitMs }, limit.signal);
}

async function awaitBridge(id: string, bridge: Link<Peer>, signal: AbortSignal): Promise<Peer> {
  const init = await identify((await stateOf(id))?.pid ?? 0);
  const probe = async (): Promise<Probe<Peer | Error>> => {
    try {
      return { done: true, value: await bridge.get(signal) };
    } catch (error) {
      if (error instanceof RpcError && error.code === ErrorCode.VersionMismatch)
        return { done: true, value: error };
      if (error instanceof PwpError && error.code === 'bridge-lost') return { done: true, value: error };
      if (init && (await isAlive(init))) throw error;
      const ended = new PwpError('sandbox-failed', 'its first process has ended', { cause: error });
      return { done: true, value: ended };
    }
  };
  const outcome = await poll(`the bridge of sandbox ${id}`, probe, { intervalMs, signal });
  if (outcome instanceof Peer) return outcome;
  throw outcome;
}
