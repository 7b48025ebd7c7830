import { connectEngine } from '../../host/node/docker/index.ts';
import { nodeLabel, ownerLabel, ownerText } from '../../host/node/docker/labels.ts';

/** Kills the containers of this program's Docker nodes, with all sandboxes in them. Resolves with their number. */
export async function killContainers(): Promise<number> {
  const [engine, owner] = await Promise.all([connectEngine(), ownerText()]);
  const running = await engine.listContainers({ filters: { label: [`${nodeLabel}=container`] } });
  const own = running.filter(({ Labels }) => Labels[ownerLabel] === owner);
  for (const { Id } of own) await engine.getContainer(Id).kill();
  return own.length;
}
