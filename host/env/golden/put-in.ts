import { workspace } from '../../../bridge/protocol/index.ts';
import type { Sandbox, SandboxSpec } from '../../node/index.ts';

/**
 * Puts the files of a workspace under a window that is open on an empty one, so that it knows what a window that opens on
 * them knows. The window itself says where it has to be opened anew for that.
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
