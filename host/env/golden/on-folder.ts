import { neverAborted, type Cancellable } from '../../../bridge/lib/index.ts';
import type { Node, SandboxSpec } from '../../node/index.ts';
import { Starter, type Started } from './starter.ts';

/** What an IDE may take to come up, beside other load, in milliseconds. */
const bootMs = 600_000;

/**
 * A sandbox with an IDE on files, ready: restored with an empty workspace, into which the files are put, once this machine
 * has booted one like it. Errors: those of `Node.start` and `Sandbox.ready`; then no sandbox is left.
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
