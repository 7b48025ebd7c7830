import { PwpError, messageOf } from '../../bridge/lib/index.ts';
import { partOf, pwpHome, type Progress } from '../lib/index.ts';
import { fetchCriu, findCriu } from '../node/local/checkpoint/index.ts';
import { ensureImage } from '../node/local/image/index.ts';
import { installPackages } from './apt.ts';
import { bundle } from './bundle.ts';
import { checkRequirements, missingPackages } from './requirements.ts';

export interface SetupOptions {
  readonly progress: Progress;
  readonly signal: AbortSignal;
  /** Builds `dist/` from the sources around it. Default false: what was built is used. */
  readonly build?: boolean;
  /** Also installs what only tests and the bench need. Default false. */
  readonly tests?: boolean;
}

/**
 * Makes everything that is missing: Debian packages, bundles, the sandbox image. When nothing is, it is over in a
 * second. Errors: `packages-missing`, `apt-failed`, `bundle-failed`, `needs-root`, `image-build-failed`.
 */
export async function setup({ progress, signal, build = false, tests = false }: SetupOptions): Promise<void> {
  try {
    await installMissing(progress, signal, tests);
    if (build) await bundle(signal);
    await provideCriu(progress, signal);
    await ensureImage({ progress: partOf(progress, 0.1, 1), signal });
  } finally {
    progress.done();
  }
}

/** The distribution's where it works. Without any checkpoints are of files alone: worth a note, no reason to stop. */
async function provideCriu(progress: Progress, signal: AbortSignal): Promise<void> {
  // Who is not root has sandboxes in containers, which bring their own.
  if (process.getuid?.() !== 0) return;
  if ((await findCriu(pwpHome(), signal)).kind === 'live') return;
  progress.stage('Fetching CRIU for live checkpoints', 0.08);
  await fetchCriu(pwpHome(), signal).catch((error: unknown) => {
    signal.throwIfAborted();
    progress.stage(`No live checkpoints: ${messageOf(error)}`, 0.09);
  });
}

async function installMissing(progress: Progress, signal: AbortSignal, tests: boolean): Promise<void> {
  const packages = missingPackages(await checkRequirements(), tests);
  if (packages.length === 0) return;
  progress.stage(`Installing Debian packages: ${packages.join(' ')}`, 0);
  await installPackages(packages, signal);
  const still = missingPackages(await checkRequirements(), tests);
  if (still.length > 0)
    throw new PwpError('apt-failed', `still missing after installation: ${still.join(' ')}`);
}
