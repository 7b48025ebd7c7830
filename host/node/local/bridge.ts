import { PwpError, poll, type Probe } from '../../../bridge/lib/index.ts';
import { ErrorCode, RpcError, desktop } from '../../../bridge/protocol/index.ts';
import { Peer, connectSocket, handshake } from '../../../bridge/rpc/index.ts';
import { identify, isAlive } from '../../lib/index.ts';
import type { Link } from './link.ts';
import { stateOf } from './runc.ts';

/** Pause between two looks whether the bridge listens, in milliseconds: a new socket file sends no event. */
const intervalMs = 25;
/** The longest that the bridge takes; the caller's signal ends it earlier. In milliseconds. */
const waitMs = 600_000;

/** Connects to a bridge that listens already. */
export async function connectBridge(socket: string, signal: AbortSignal): Promise<Peer> {
  const peer = new Peer(await connectSocket(socket, signal));
  try {
    await handshake(peer, 'node', signal);
    return peer;
  } catch (error) {
    await peer.close();
    throw error;
  }
}

/** Waits until the bridge answers and every part of the desktop is ready. Rejects as soon as the container has ended. */
export async function awaitDesktop(id: string, bridge: Link<Peer>, signal: AbortSignal): Promise<void> {
  const peer = await awaitBridge(id, bridge, signal);
  await peer.request(desktop.wait, { timeoutMs: waitMs }, signal);
}

async function awaitBridge(id: string, bridge: Link<Peer>, signal: AbortSignal): Promise<Peer> {
  const init = await identify((await stateOf(id))?.pid ?? 0);
  const probe = async (): Promise<Probe<Peer | Error>> => {
    try {
      return { done: true, value: await bridge.get(signal) };
    } catch (error) {
      if (error instanceof RpcError && error.code === ErrorCode.VersionMismatch)
        return { done: true, value: error };
      if (init && (await isAlive(init))) throw error;
      const ended = new PwpError('sandbox-failed', 'its first process has ended', { cause: error });
      return { done: true, value: ended };
    }
  };
  const outcome = await poll(`the bridge of sandbox ${id}`, probe, { intervalMs, signal });
  if (outcome instanceof Peer) return outcome;
  throw outcome;
}
