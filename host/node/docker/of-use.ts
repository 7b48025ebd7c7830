import type { Node } from '../node.ts';

/** Whether a node has what outlives the processes that made it: sandboxes that are kept, and checkpoints of them. */
export async function isOfUse(node: Pick<Node, 'list' | 'checkpoints'>): Promise<boolean> {
  if ((await node.list()).some(({ keep, state }) => keep && state !== 'stopped')) return true;
  return (await node.checkpoints()).some(({ kept }) => kept);
}
