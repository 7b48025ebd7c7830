import { messageOf } from '../../../bridge/lib/index.ts';
import { partOf, pwpHome } from '../../lib/index.ts';
import { fetchCriu, findCriu } from './checkpoint/index.ts';
import { ensureImage, type ImageOptions } from './image/index.ts';

/**
 * Makes what nodes of this machine need beside its packages and is not there yet: CRIU and the image. Errors:
 * `needs-root`, `image-build-failed`.
 */
export async function prepareLocal({ progress, signal }: Omit<ImageOptions, 'home'>): Promise<void> {
  await provideCriu({ progress, signal });
  await ensureImage({ progress: partOf(progress, 0.1, 1), signal });
}

/** The distribution's where it works. Without any checkpoints are of files alone: worth a note, no reason to stop. */
async function provideCriu({ progress, signal }: Omit<ImageOptions, 'home'>): Promise<void> {
  // Who is not root has sandboxes in containers, which bring their own.
  if (process.getuid?.() !== 0) return;
  if ((await findCriu(pwpHome(), signal)).kind === 'live') return;
  progress.stage('Fetching CRIU for live checkpoints', 0.08);
  await fetchCriu(pwpHome(), signal).catch((error: unknown) => {
    signal.throwIfAborted();
    progress.stage(`No live checkpoints: ${messageOf(error)}`, 0.09);
  });
}
