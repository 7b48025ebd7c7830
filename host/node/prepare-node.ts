import { neverAborted } from '../../bridge/lib/index.ts';
import { silentProgress } from '../lib/index.ts';
import { type NodeOptions, suggestNodeKind } from './create-node.ts';
import { prepareDockerNode } from './docker/index.ts';
import { prepareThisMachine } from './local/index.ts';
import { resolveLanguages } from './sandbox-spec.ts';
import { installMissingPackages } from './setup/index.ts';

/**
 * Makes everything that sandboxes of a node are made from and that is missing, so that no start has to wait for it:
 * Debian packages, layers, images in Docker. Errors: `packages-missing`, `command-failed`, `needs-root`,
 * `image-build-failed`, `no-base-image`, `disk-full`, `docker-other-machine`.
 */
export async function prepareNode({
  kind = suggestNodeKind().kind,
  languages = [],
  progress = silentProgress,
  signal = neverAborted,
}: NodeOptions = {}): Promise<void> {
  const installPackages = () => installMissingPackages({ progress, signal });
  const parts = { languages: resolveLanguages(languages), progress, signal };
  if (kind === 'docker') return prepareDockerNode(parts, installPackages);
  await installPackages();
  await prepareThisMachine(parts);
}
