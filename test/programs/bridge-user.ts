import { join } from 'node:path';
import { describeError, pause, PwpError } from '../../bridge/lib/index.ts';
import { desktop, RpcError } from '../../bridge/protocol/index.ts';
import type { Peer } from '../../bridge/rpc/index.ts';
import { connectBridge, requestFromBridge } from '../../host/node/local/bridge-connection.ts';
import { watchGrowth } from '../support/growth.ts';

/**
 * Uses bridges one after the other, as an episode would. Prints a line for each: how it ended, and how much this process
 * grew meanwhile.
 *   node bridge-user.ts <folder> <name>...
 */

const [folder = '', ...names] = process.argv.slice(2);
/** These end at the time-out that is set here; all others must be detected before, even on a busy machine. */
const slowOnes = ['silent', 'no-greeting', 'drips', 'never-answers'];

async function use(name: string): Promise<string> {
  const options = {
    isFrozen: () => Promise.resolve(false),
    signal: new AbortController().signal,
    limitMs: slowOnes.includes(name) ? 2000 : 60_000,
  };
  const socket = join(folder, name);
  let peer: Peer | undefined;
  try {
    peer = await connectBridge(socket, options);
    for (let i = 0; i < 3; i += 1) {
      await requestFromBridge(peer, desktop.status, {}, options);
      await Promise.race([peer.closed, pause(300)]);
    }
    return 'survived';
  } catch (error) {
    if (error instanceof RpcError) return `rpc ${error.code}: ${error.message.slice(0, 200)}`;
    return error instanceof PwpError ? `${error.code}: ${error.message}` : `untyped: ${describeError(error)}`;
  } finally {
    await peer?.close();
  }
}

for (const name of names) {
  const growth = watchGrowth();
  const ended = await use(name);
  console.log(JSON.stringify({ name, ended, ...(await growth.end()) }));
}
