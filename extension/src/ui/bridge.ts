import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PwpError, deadline } from '../../../bridge/lib/index.ts';
import type { Method, ParamsIn, ResultOf } from '../../../bridge/protocol/index.ts';
import { Peer, connectSocket, handshake } from '../../../bridge/rpc/index.ts';

/** Milliseconds: all that a person asks of the bridge is read from one page. */
const askMs = 15_000;

/** The socket of the bridge whose sandbox this window is in; undefined in anybody's own VS Code. */
export function bridgeSocket(env: Readonly<Record<string, string | undefined>>): string | undefined {
  if (!env.PWP_SOCKET_DIR) return undefined;
  const path = join(dirname(env.PWP_SOCKET_DIR), 'bridge.sock');
  return existsSync(path) ? path : undefined;
}

/** Asks the bridge one thing. Errors: `no-sandbox` if there is none, and what the bridge answers. */
export async function askBridge<M extends Method>(method: M, params: ParamsIn<M>): Promise<ResultOf<M>> {
  const path = bridgeSocket(process.env);
  if (path === undefined) {
    const help = 'Start one with `pwp up <folder>`; its window has this command, too.';
    throw new PwpError('no-sandbox', 'This is asked of the bridge of a sandbox, and this window is in none', {
      help,
    });
  }
  using limit = deadline(method.name, askMs);
  await using peer = new Peer(await connectSocket(path, limit.signal));
  await handshake(peer, 'extension', limit.signal);
  return await peer.request(method, params, limit.signal);
}
