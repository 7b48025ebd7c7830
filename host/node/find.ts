import { neverAborted, type Cancellable } from '../../bridge/lib/index.ts';
import { suggestNodeKind } from './create.ts';
import { createDockerNode } from './docker/index.ts';
import { isHere } from './local/index.ts';
import type { Node } from './node.ts';

/**
 * The kind of the node that has a sandbox or a checkpoint, by its id. Where no node has it, the kind that fits this
 * process, whose error then says so.
 */
export async function findNodeKind(
  id: string,
  { signal = neverAborted }: Cancellable = {},
): Promise<Node['kind']> {
  const { kind } = suggestNodeKind();
  if (kind === 'docker' || (await isHere(id))) return kind;
  return (await isInDocker(id, signal)) ? 'docker' : kind;
}

/** False where no engine answers. */
async function isInDocker(id: string, signal: AbortSignal): Promise<boolean> {
  try {
    await using node = await createDockerNode({ signal });
    const all = [...(await node.list()), ...(await node.checkpoints())];
    return all.some((one) => one.id === id);
  } catch {
    signal.throwIfAborted();
    return false;
  }
}
