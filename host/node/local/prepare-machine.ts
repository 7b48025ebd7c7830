import { describeError } from '../../../bridge/lib/index.ts';
import { pathExists, pwpHome, scaleProgress } from '../../lib/index.ts';
import {
  buildCheckpointPaths,
  buildStorePaths,
  CheckpointStore,
  isCheckpointId,
} from '../checkpoint-store/index.ts';
import { fetchCriu, findCriu, isCriuFetched } from '../checkpoint/index.ts';
import { raiseWatchLimits, readSandboxRecord } from '../container/index.ts';
import { ensureImage, type SandboxImageOptions } from '../image/index.ts';

/**
 * Makes everything beside packages that nodes of this machine need and that is missing: CRIU, the image, enough file
 * watchers. Errors: `needs-root`, `image-build-failed`.
 */
export async function prepareThisMachine({
  progress,
  signal,
  languages = [],
}: Omit<SandboxImageOptions, 'home'>): Promise<void> {
  if (process.getuid?.() === 0) await raiseWatchLimits();
  await provideCriu({ progress, signal });
  await ensureImage({ progress: scaleProgress(progress, 0.1, 1), signal, languages });
}

/**
 * Our own, also where the distribution's works: with that, programs that wait get an error when a checkpoint is taken.
 * Without any, checkpoints are of files alone: worth a note, no reason to stop.
 */
async function provideCriu({ progress, signal }: Omit<SandboxImageOptions, 'home'>): Promise<void> {
  // Users other than root have sandboxes in containers, which bring their own CRIU.
  if (process.getuid?.() !== 0) return;
  if (await isCriuFetched(pwpHome())) return;
  progress.stage('Fetching CRIU for live checkpoints', 0.08);
  try {
    await fetchCriu(pwpHome(), signal);
  } catch (error) {
    signal.throwIfAborted();
    if ((await findCriu(pwpHome(), signal)).kind === 'live') return;
    progress.stage(`No live checkpoints: ${describeError(error)}`, 0.09);
  }
}

/** Whether this process may make sandboxes itself: Linux, and root. */
export function canRunLocally(): boolean {
  return process.platform === 'linux' && process.geteuid?.() === 0;
}

/** Whether a sandbox or a checkpoint of this machine has an id. */
export async function isOnThisMachine(id: string): Promise<boolean> {
  if (!isCheckpointId(id)) return (await readSandboxRecord(id)) !== null;
  const { folder } = buildCheckpointPaths(buildStorePaths(pwpHome()), id);
  return pathExists(folder);
}

/** Keys of the images that checkpoints in the cache need, except golden ones: these are made again. */
export async function listKeptImages(home: string = pwpHome()): Promise<string[]> {
  await using store = await CheckpointStore.open(home);
  return (await store.list()).flatMap(({ key, image }) => (key === null ? [image] : []));
}
