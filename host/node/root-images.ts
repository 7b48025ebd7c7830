import { PwpError } from '../../bridge/lib/index.ts';
import { type Progress, pwpHome, silentProgress } from '../lib/index.ts';
import { connectEngine, openEngineImages } from './docker/index.ts';
import { type BuildNetwork, ensureRootImage, type EngineImages, type RootImage } from './root-image/index.ts';
import { installPackagesNow } from './setup/index.ts';

/** How a root image is fetched. */
export interface FetchRootOptions {
  readonly progress?: Progress;
  readonly signal: AbortSignal;
  /** Fetches or builds it also if it is there. Default false. */
  readonly refresh?: boolean;
  /** What the commands of a Dockerfile reach. Default `public`. */
  readonly network?: BuildNetwork;
}

/**
 * The image of a reference, as layers for the root of an agent on this machine: of the cache, this machine's Docker
 * Engine, a registry or files. Installs the Debian packages that it needs. Errors: those of {@link ensureRootImage}.
 */
export function fetchRootImage(
  reference: string,
  { progress = silentProgress, signal, ...options }: FetchRootOptions,
): Promise<RootImage> {
  return ensureRootImage(reference, {
    ...{ home: pwpHome(), progress, signal },
    engine: findEngineImages,
    install: (packages) => installPackagesNow(packages, { progress, signal }),
    ...options,
  });
}

/** Null if no engine runs. */
async function findEngineImages(): Promise<EngineImages | null> {
  try {
    return openEngineImages(await connectEngine());
  } catch (error) {
    if (error instanceof PwpError && error.code === 'docker-missing') return null;
    throw error;
  }
}
