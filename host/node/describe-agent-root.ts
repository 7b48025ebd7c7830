import {
  type Cancellable,
  describeError,
  imageMountPoint,
  imagePrograms,
  neverAborted,
  PwpError,
} from '../../bridge/lib/index.ts';
import { type RootFacts, rootFacts } from '../../bridge/protocol/index.ts';
import type { Node } from './node.ts';
import { defaultDisplay } from './sandbox-spec.ts';

/** A start-up file may take ten seconds, and each program's version as long. */
const describeMs = 60_000;
const mostBytes = 100_000;
const limits = { cpus: 2, memoryMb: 1024, pids: 256, diskMb: 512 };

/**
 * Finds out what an image has as the root of an agent. All of it is read, and run, in a sandbox without a desktop and a
 * network, which ends with that. Errors: those of `Node.start`; `bad-image` if nothing can be found out.
 */
export async function describeAgentRoot(
  node: Node,
  image: string,
  { signal = neverAborted }: Cancellable = {},
): Promise<RootFacts> {
  const spec = { name: 'doctor', role: 'bare', seeds: [], keep: false, display: defaultDisplay } as const;
  await using sandbox = await node.start({ ...spec, limits, root: image }, { signal });
  const { stdout, stderr, timedOut } = await sandbox.exec(
    {
      argv: [imagePrograms.node, `${imageMountPoint}/opt/pwp/bridge.cjs`, 'describe-root'],
      cwd: '/',
      env: {},
      timeoutMs: describeMs,
      maxOutputBytes: mostBytes,
    },
    { signal },
  );
  try {
    return rootFacts.parse(JSON.parse(stdout));
  } catch (cause) {
    const why = timedOut ? `it took more than ${describeMs / 1000} s` : stderr || describeError(cause);
    throw new PwpError('bad-image', `${image} can't be described: ${why}`, { cause });
  }
}
