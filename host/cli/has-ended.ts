import { PwpError } from '../../bridge/lib/index.ts';
import type { Node } from '../node/index.ts';

/** Whether a sandbox has ended. Never rejects: a node that can't answer now may answer later. */
export async function hasEnded(node: Node, id: string): Promise<boolean> {
  try {
    const found = (await node.list()).find((one) => one.id === id);
    return found === undefined || found.state === 'stopped';
  } catch (error) {
    // Its sandboxes are gone with it.
    return error instanceof PwpError && error.code === 'node-lost';
  }
}
