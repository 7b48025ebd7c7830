import { PwpError } from '../../bridge/lib/index.ts';
import { clip } from '../../bridge/text/index.ts';
import { type Progress, pwpHome, silentProgress } from '../lib/index.ts';
import { type AgentRoot, mostVariableBytes } from './agent-root.ts';
import { connectEngine, openEngineImages } from './docker/index.ts';
import {
  type BuildNetwork,
  ensureRootImage,
  type EngineImages,
  findImageUser,
  resolveInImage,
  type RootImage,
} from './root-image/index.ts';
import { installPackagesNow } from './setup/index.ts';

/** How a root image is fetched. */
export interface FetchRootOptions {
  readonly progress?: Progress;
  readonly signal: AbortSignal;
  /** Fetches or builds it also if it is there. Default false. */
  readonly refresh?: boolean;
  /** What the build of a Dockerfile reaches. Default `public`. */
  readonly network?: BuildNetwork;
  /** IP addresses of names that the proxy of a build does not look up; these may be private. Default: none. */
  readonly names?: Readonly<Record<string, string>>;
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

/** The same, as a node mounts it. Errors: also those of {@link findImageUser}. */
export async function fetchAgentRoot(image: string, options: FetchRootOptions): Promise<AgentRoot> {
  const found = await fetchRootImage(image, options);
  const { digest, layers, config } = found;
  const env = Object.fromEntries(Object.entries(config.env).filter(([name]) => name !== 'HOME'));
  refuseLongVariables(image, env);
  const workdir = await resolveInImage(layers, config.workdir);
  const { entrypoint } = config;
  return { image, digest, layers, env, entrypoint, workdir, user: await findImageUser(found) };
}

/** No program can be started with such ones. */
function refuseLongVariables(image: string, env: AgentRoot['env']): void {
  for (const [name, value] of Object.entries(env)) {
    const bytes = Buffer.byteLength(`${name}=${value}`);
    if (bytes <= mostVariableBytes) continue;
    const text = `the variable ${clip(name, 100)} of ${image} has ${bytes} bytes, and Linux starts no program with more than ${mostVariableBytes}`;
    throw new PwpError('bad-image', text, { help: 'Make an image of it with a shorter one.' });
  }
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
