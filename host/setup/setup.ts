import { PwpError } from '../../bridge/lib/index.ts';
import type { Progress } from '../lib/index.ts';
import { prepareLocal } from '../node/index.ts';
import { installPackages } from './apt.ts';
import { bundle } from './bundle.ts';
import { checkRequirements, missingPackages } from './requirements.ts';

export interface SetupOptions {
  readonly progress: Progress;
  readonly signal: AbortSignal;
  /** Builds `dist/` from the sources around it. Default false: the existing build is used. */
  readonly build?: boolean;
  /** Also installs packages that only tests and the bench need. Default false. */
  readonly tests?: boolean;
}

/**
 * Makes everything that is missing: Debian packages, bundles, the sandbox image. When nothing is, it is over in a
 * second. Errors: `packages-missing`, `apt-failed`, `bundle-failed`, `needs-root`, `image-build-failed`.
 */
export async function setup({ progress, signal, build = false, tests = false }: SetupOptions): Promise<void> {
  try {
    await installMissing({ progress, signal, tests });
    if (build) await bundle(signal);
    await prepareLocal({ progress, signal });
  } finally {
    progress.done();
  }
}

/** Installs the Debian packages that are missing. Errors: `packages-missing`, `apt-failed`. */
export async function installMissing({
  progress,
  signal,
  tests = false,
}: Omit<SetupOptions, 'build'>): Promise<void> {
  const packages = missingPackages(await checkRequirements(), tests);
  if (packages.length === 0) return;
  progress.stage(`Installing Debian packages: ${packages.join(' ')}`, 0);
  await installPackages(packages, signal);
  const still = missingPackages(await checkRequirements(), tests);
  if (still.length > 0)
    throw new PwpError('apt-failed', `still missing after installation: ${still.join(' ')}`);
}
