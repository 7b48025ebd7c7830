import {
  collectCauses,
  deadline,
  describeError,
  poll,
  type Probe,
  PwpError,
  raceSignal,
} from '../../../bridge/lib/index.ts';
import {
  desktop,
  ErrorCode,
  ide,
  type Method,
  type ParamsIn,
  type ResultOf,
  RpcError,
  toolMethods,
} from '../../../bridge/protocol/index.ts';
import { connectSocket, handshake, Peer } from '../../../bridge/rpc/index.ts';
import { identifyProcess, isProcessAlive } from '../../lib/index.ts';
import { readContainerState } from '../container/index.ts';
import { FreezeAwareTimeout, type IsFrozen } from '../freeze-aware-timeout.ts';

/** Pause between two checks whether the bridge listens, in milliseconds: a new socket file sends no event. */
const bridgePollMs = 25;
/** The longest that the bridge takes; the caller's signal ends it earlier. In milliseconds. */
const desktopWaitMs = 600_000;

/** Milliseconds until a bridge must have greeted. */
const greetingLimitMs = 30_000;
/** Milliseconds until it must have answered a request; added to the time of a request that has one of its own. */
const answerLimitMs = 120_000;
/** The same for tools, whose own times are in their arguments. */
const toolLimitMs = 3_600_000;

/** Which connection asks the bridge, and how. */
interface BridgeOptions {
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
  { isFrozen, signal, limitMs = greetingLimitMs }: BridgeOptions,
): Promise<Peer> {
  using limit = new FreezeAwareTimeout(limitMs, isFrozen, signal);
  let peer: Peer | undefined;
  try {
    peer = new Peer(await connectSocket(socket, limit.signal), { untrusted: true });
    await handshake(peer, 'node', limit.signal);
    return peer;
  } catch (error) {
    await peer?.close();
    signal.throwIfAborted();
    if (limit.expired) throw makeBridgeLostError(`it has not greeted within ${limitMs} ms`, error);
    throw isClosed(error) ? makeBridgeLostError(explainClosed(error), error) : error;
  }
}

/** Asks the bridge. Errors: its own; `bridge-lost` if it ends, breaks the protocol or does not answer in time. */
export async function requestFromBridge<M extends Method>(
  peer: Peer,
  method: M,
  params: ParamsIn<M>,
  { isFrozen, signal, limitMs = findAnswerLimit(method, params) }: BridgeOptions,
): Promise<ResultOf<M>> {
  using limit = new FreezeAwareTimeout(limitMs, isFrozen, signal);
  try {
    return await peer.request(method, params, limit.signal);
  } catch (error) {
    if (isClosed(error)) throw makeBridgeLostError(explainClosed(error), error);
    if (!limit.expired) throw error;
    // The next connection may find another bridge.
    await peer.close();
    throw makeBridgeLostError(`it has not answered ${method.name} within ${limitMs} ms`, error);
  }
}

function findAnswerLimit(method: Method, params: unknown): number {
  if (method.name === toolMethods.call.name) return toolLimitMs;
  const own: unknown = typeof params === 'object' && params !== null ? Reflect.get(params, 'timeoutMs') : 0;
  return answerLimitMs + (typeof own === 'number' ? own : 0);
}

function isClosed(error: unknown): boolean {
  return error instanceof RpcError && error.code === ErrorCode.Closed;
}

function explainClosed(error: unknown): string {
  const [cause] = collectCauses(error);
  return cause === undefined ? 'it hung up' : describeError(cause);
}

function makeBridgeLostError(why: string, cause: unknown): PwpError {
  return new PwpError('bridge-lost', `the bridge in the sandbox is lost: ${why}`, { cause });
}

/** Waits until the bridge answers and every part of the desktop is ready. Rejects as soon as the container has ended. */
export async function awaitDesktop(
  id: string,
  bridge: LazyConnection<Peer>,
  signal: AbortSignal,
): Promise<void> {
  using limit = deadline(`the desktop of sandbox ${id}`, desktopWaitMs, signal);
  const peer = await awaitBridge(id, bridge, limit.signal);
  await peer.request(desktop.wait, { timeoutMs: desktopWaitMs }, limit.signal);
}

async function awaitBridge(id: string, bridge: LazyConnection<Peer>, signal: AbortSignal): Promise<Peer> {
  const init = await identifyProcess((await readContainerState(id))?.pid ?? 0);
  const probe = async (): Promise<Probe<Peer | Error>> => {
    try {
      return { done: true, value: await bridge.get(signal) };
    } catch (error) {
      if (error instanceof RpcError && error.code === ErrorCode.VersionMismatch)
        return { done: true, value: error };
      if (error instanceof PwpError && error.code === 'bridge-lost') return { done: true, value: error };
      if (init && (await isProcessAlive(init))) throw error;
      const ended = new PwpError('sandbox-failed', 'its first process has ended', { cause: error });
      return { done: true, value: ended };
    }
  };
  const outcome = await poll(`the bridge of sandbox ${id}`, probe, { intervalMs: bridgePollMs, signal });
  if (outcome instanceof Peer) return outcome;
  throw outcome;
}

/** Something that was connected and may end on its own. */
export interface EndableConnection extends AsyncDisposable {
  /** Resolves when it is over; never rejects. */
  readonly closed: Promise<unknown>;
}

/** A connection that is made when it is first needed, and made again when it has ended meanwhile. */
export class LazyConnection<T extends EndableConnection> {
  readonly #connect: (signal: AbortSignal) => Promise<T>;
  #current: Promise<T> | undefined;
  #over = false;

  /** @param connect makes a new connection, or rejects; not called again while one is open */
  constructor(connect: (signal: AbortSignal) => Promise<T>) {
    this.#connect = connect;
  }

  /** The connection. Callers that come while it is being made share the attempt, but not its time-out. */
  async get(signal: AbortSignal): Promise<T> {
    if (this.#over) throw new PwpError('sandbox-stopped', 'the sandbox is stopped or given up');
    if (!this.#current) return this.#open(signal);
    const shared = await raceSignal(this.#current, signal).catch(() => undefined);
    signal.throwIfAborted();
    return shared ?? this.get(signal);
  }

  /** Ends the open connection; the next `get` makes a new one. */
  async drop(): Promise<void> {
    const current = this.#current;
    this.#current = undefined;
    await (await current?.catch(() => undefined))?.[Symbol.asyncDispose]();
  }

  /** Ends it for good. */
  async close(): Promise<void> {
    this.#over = true;
    await this.drop();
  }

  #open(signal: AbortSignal): Promise<T> {
    const attempt = this.#connect(signal);
    const forget = () => {
      if (this.#current === attempt) this.#current = undefined;
    };
    this.#current = attempt;
    attempt.then((connection) => connection.closed.then(forget), forget);
    return attempt;
  }
}

/** The longest wait within one request, in milliseconds: a checkpoint waits for the requests under way. */
export const requestSliceMs = 500;

/**
 * Repeats a request that waits for a change, each time with a short wait; makes any other request once.
 * @param ask makes the request once
 */
export async function askInSlices<M extends Method>(
  method: M,
  params: ParamsIn<M>,
  ask: (params: ParamsIn<M>) => Promise<ResultOf<M>>,
): Promise<ResultOf<M>> {
  if (method.name !== ide.changes.name) return ask(params);
  const end = performance.now() + ide.changes.params.parse(params).waitMs;
  for (;;) {
    const left = Math.max(0, Math.ceil(end - performance.now()));
    const answer = await ask({ ...Object(params), waitMs: Math.min(left, requestSliceMs) } as ParamsIn<M>);
    if (left <= requestSliceMs || ide.changes.result.parse(answer).changed.length > 0) return answer;
  }
}
