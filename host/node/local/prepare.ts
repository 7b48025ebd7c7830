import { messageOf } from '../../../bridge/lib/index.ts';
import { partOf, pwpHome } from '../../lib/index.ts';
import { fetchCriu, findCriu, isCriuFetched } from './checkpoint/index.ts';
import { ensureImage, type ImageOptions } from './image/index.ts';
import { raiseWatchLimits } from './watch-limits.ts';

/**
 * Makes everything beside packages that nodes of this machine need and that is missing: CRIU, the image, enough file
 * watchers. Errors: `needs-root`, `image-build-failed`.
 */
export async function prepareLocal({
  progress,
  signal,
  languages = [],
}: Omit<ImageOptions, 'home'>): Promise<void> {
  if (process.getuid?.() === 0) await raiseWatchLimits();
  await provideCriu({ progress, signal });
  await ensureImage({ progress: partOf(progress, 0.1, 1), signal, languages });
}

/**
 * Our own, also where the distribution's works: with that, programs that wait get an error when a checkpoint is taken.
 * Without any, checkpoints are of files alone: worth a note, no reason to stop.
 */
async function provideCriu({ progress, signal }: Omit<ImageOptions, 'home'>): Promise<void> {
  // Users other than root have sandboxes in containers, which bring their own CRIU.
  if (process.getuid?.() !== 0) return;
  if (await isCriuFetched(pwpHome())) return;
  progress.stage('Fetching CRIU for live checkpoints', 0.08);
  try {
    await fetchCriu(pwpHome(), signal);
  } catch (error) {
    signal.throwIfAborted();
    if ((await findCriu(pwpHome(), signal)).kind === 'live') return;
    progress.stage(`No live checkpoints: ${messageOf(error)}`, 0.09);
  }
}
