import { neverAborted, type Cancellable } from '../../../bridge/lib/index.ts';
import type { Node, SandboxSpec } from '../../node/index.ts';
import { Starter, type Started } from './starter.ts';

/** The longest that an IDE may take to start, under other load, in milliseconds. */
const bootMs = 600_000;

/**
 * A ready sandbox with an IDE on files. Once this machine has booted one like it, the sandbox is restored with an empty
 * workspace, and the files are put in. Errors: those of `Node.start` and `Sandbox.ready`; then no sandbox is left.
 * @param spec its seeds are files of the workspace
 */
export async function startOnFolder(
  node: Node,
  spec: SandboxSpec,
  { signal = neverAborted }: Cancellable = {},
): Promise<Started> {
  // In Docker a checkpoint ends with its container, which is mostly gone before the next one asks.
  await using starter = new Starter({ node, cold: node.kind === 'docker', bootMs, warm: 0 });
  return await starter.startOnFolder(spec, signal);
}
