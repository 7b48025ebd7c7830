import { deadline, describeError, PwpError } from '../../../../bridge/lib/index.ts';
import type { Transport } from '../../../../bridge/rpc/index.ts';
import { pwpHome, silentProgress } from '../../../lib/index.ts';
import { raiseWatchLimits } from '../../container/index.ts';
import { finishNodeImage, requireImage } from '../../image/index.ts';
import { createLocalNode } from '../../local/index.ts';
import { hasLastingState } from '../../node.ts';
import { serveNode } from '../../remote/index.ts';
import { resolveLanguages } from '../../sandbox-spec.ts';
import { otherKernelExit } from '../connector.ts';
import { isOtherKernel, listenAsConfigured, openCgroups } from './container-setup.ts';

// The node's program in its container: serves the sandboxes it makes there, and ends by itself when no host is
// connected, no sandbox is left and no checkpoint of one that was kept, so that a host that was killed leaves nothing
// behind.

/** Time in which a host connects, in milliseconds. */
const firstConnectionMs = 60_000;

async function main(): Promise<void> {
  await openCgroups();
  // The limits of the whole machine, or of the virtual one that Docker runs in.
  await raiseWatchLimits();
  const languages = resolveLanguages(
    (process.env['PWP_WITH'] ?? '').split(',').filter((name) => name !== ''),
  );
  const image = await requireImage([pwpHome(), ...listLayersInside()], languages);
  await using node = await createLocalNode({ image: () => Promise.resolve(image) });
  const over = Promise.withResolvers<void>();
  using first = deadline('the first connection', firstConnectionMs);
  first.signal.addEventListener('abort', () => over.resolve());
  process.once('SIGTERM', () => over.resolve());
  let connections = 0;
  const accept = async (transport: Transport) => {
    first[Symbol.dispose]();
    connections += 1;
    try {
      await serveNode(node, transport);
    } finally {
      connections -= 1;
    }
    const running = (await node.list()).filter(({ state }) => state !== 'stopped');
    if (connections > 0 || running.length > 0) return;
    // The checkpoints are in this container: with it, what a person saved would go, too.
    if (!(await hasLastingState(node))) over.resolve();
  };
  const server = await listenAsConfigured(
    process.env,
    (transport) => void accept(transport).catch(over.reject),
  );
  try {
    await over.promise;
  } finally {
    await server[Symbol.asyncDispose]();
  }
}

/** Where the layers are in an image that is complete. */
function listLayersInside(): string[] {
  return process.env['PWP_LAYERS'] ? [process.env['PWP_LAYERS']] : [];
}

/** The last step of building a complete image. */
async function seal(): Promise<void> {
  const [home] = listLayersInside();
  if (home === undefined) throw new PwpError('usage', 'PWP_LAYERS is not set');
  await finishNodeImage(home, { progress: silentProgress, signal: new AbortController().signal });
}

try {
  if (process.argv[2] === 'seal') {
    await seal();
    process.exit(0);
  }
  if (await isOtherKernel(process.env['PWP_BOOT_ID'])) process.exit(otherKernelExit);
  await main();
  process.exit(0);
} catch (error) {
  process.stderr.write(`${describeError(error)}${error instanceof PwpError ? ` (${error.code})` : ''}\n`);
  process.exit(1);
}
