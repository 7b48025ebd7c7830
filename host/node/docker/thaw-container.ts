import type Docker from 'dockerode';
import { askEngine } from './engine.ts';
import { nodeLabel } from './labels.ts';

/** Where the helper sees the control groups of the engine's machine. */
const groupsFolder = '/engine-groups';
const thawScript = `find "$0" -path "*$1*" -name freezer.state | while read -r state; do echo THAWED > "$state"; done`;

/**
 * Resumes all processes that are frozen in a container. In cgroup version 1 a frozen process does not die of SIGKILL, so
 * a node that is killed while it has frozen a sandbox keeps its container from ending
 * (https://docs.kernel.org/admin-guide/cgroup-v1/freezer-subsystem.html). The node is gone and the engine's machine may
 * be another one: a second container of the same image writes into the groups. With version 2 there is nothing to do.
 */
export async function thawContainer(engine: Docker, name: string): Promise<void> {
  const { Id, Image } = await askEngine('the frozen container', (abortSignal) =>
    engine.getContainer(name).inspect({ abortSignal }),
  );
  const helper = await askEngine('making the container that thaws', (abortSignal) =>
    engine.createContainer({
      Image,
      Entrypoint: ['sh', '-c', thawScript, groupsFolder, Id],
      Labels: { [nodeLabel]: 'thaw' },
      HostConfig: { AutoRemove: true, NetworkMode: 'none', Binds: [`/sys/fs/cgroup:${groupsFolder}`] },
      abortSignal,
    }),
  );
  try {
    await askEngine('thawing', async (abortSignal) => {
      const removed = helper.wait({ condition: 'removed', abortSignal });
      await Promise.all([removed, helper.start({ abortSignal })]);
    });
  } catch (error) {
    // One that never ran does not remove itself.
    await helper.remove({ force: true }).catch(() => undefined);
    throw error;
  }
}
