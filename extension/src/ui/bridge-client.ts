import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { deadline, PwpError } from '../../../bridge/lib/index.ts';
import type { Method, ParamsIn, ResultOf } from '../../../bridge/protocol/index.ts';
import { connectSocket, handshake, Peer } from '../../../bridge/rpc/index.ts';

/** Milliseconds for a request of a person to the bridge: each is answered from one page. */
const askMs = 15_000;

/** The socket of the bridge whose sandbox this window is in; undefined in a user's own VS Code. */
export function findBridgeSocket(env: Readonly<Record<string, string | undefined>>): string | undefined {
  if (!env.PWP_SOCKET_DIR) return undefined;
  const path = join(dirname(env.PWP_SOCKET_DIR), 'bridge.sock');
  return existsSync(path) ? path : undefined;
}

/** Sends one request to the bridge. Errors: `unsupported` outside of a sandbox, and the bridge's own. */
export async function askSandboxBridge<M extends Method>(
  method: M,
  params: ParamsIn<M>,
): Promise<ResultOf<M>> {
  const path = findBridgeSocket(process.env);
  if (path === undefined) {
    const help = 'Start one with `pwp up <folder>`; its window has this command, too.';
    throw new PwpError('unsupported', 'This needs the bridge of a sandbox; this window is not in one', {
      help,
    });
  }
  using limit = deadline(method.name, askMs);
  await using peer = new Peer(await connectSocket(path, limit.signal));
  await handshake(peer, 'extension', limit.signal);
  return await peer.request(method, params, limit.signal);
}
