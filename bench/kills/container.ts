import { describeError } from '../../bridge/lib/index.ts';
import { connectEngine } from '../../host/node/docker/engine.ts';
import { formatOwner, nodeLabel, ownerLabel } from '../../host/node/docker/labels.ts';

/** Kills the containers of this program's Docker nodes, with all sandboxes in them. Resolves with their number. */
export async function killContainers(): Promise<number> {
  const [engine, owner] = await Promise.all([connectEngine(), formatOwner()]);
  const running = await engine.listContainers({ filters: { label: [`${nodeLabel}=container`] } });
  const own = running.filter(({ Labels }) => Labels[ownerLabel] === owner);
  for (const { Id } of own) {
    await engine
      .getContainer(Id)
      .kill()
      .catch((error: unknown) => {
        // What the node had frozen ends only when its removal has thawed it.
        if (!describeError(error).includes('did not receive an exit event')) throw error;
      });
  }
  return own.length;
}
