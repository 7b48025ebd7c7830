import { workspace } from '../../../bridge/protocol/index.ts';
import type { Sandbox, SandboxSpec } from '../../node/index.ts';

/**
 * Puts the files of a workspace under a window that is open on an empty one, so that its state is that of a window that
 * was opened on them. The window itself says whether it has to be reopened for that.
 */
export async function putIn(
  sandbox: Sandbox,
  seeds: SandboxSpec['seeds'],
  signal: AbortSignal,
): Promise<void> {
  for (const seed of seeds) await sandbox.unpack(seed, { signal });
  const { newWindow } = await sandbox.call(workspace.takeIn, {}, { signal });
  if (newWindow !== null) await sandbox.call(workspace.reopen, {}, { signal });
}
