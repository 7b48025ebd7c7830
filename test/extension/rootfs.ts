import { silentProgress } from '../../host/lib/index.ts';
import { ensureImage } from '../../host/node/image/sandbox-image.ts';

/** The lowest layer of the sandbox image holds code-server and Chromium, and no extension of ours. */
export async function lowestLayer(): Promise<string> {
  if (process.env.PWP_TEST_ROOTFS) return process.env.PWP_TEST_ROOTFS;
  const { layers } = await ensureImage({ progress: silentProgress, signal: AbortSignal.timeout(600_000) });
  const lowest = layers.at(-1);
  if (lowest === undefined) throw new Error('the image has no layer');
  return lowest;
}
