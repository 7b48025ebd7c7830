import { release } from 'node:os';
import type Docker from 'dockerode';
import { PwpError } from '../../../bridge/lib/index.ts';
import { canBeLocal, findImage } from '../local/index.ts';

/** The machine that an engine runs containers on. */
export interface Machine {
  /** As Node names it, e.g. `x64`. */
  readonly arch: string;
  /** It is this machine: its files are the engine's. Not so with Docker Desktop and engines elsewhere. */
  readonly shared: boolean;
}

/**
 * Where a node's container has the layers of sandboxes from: `bound` from this machine's cache, or `complete`, in its
 * own image.
 */
export type LayerSource = 'bound' | 'complete';

const architectures: Readonly<Record<string, string>> = { x86_64: 'x64', aarch64: 'arm64' };

/** Errors: `docker-other-machine` if the engine's machine is of a kind that nothing is made for. */
export async function engineMachine(engine: Docker): Promise<Machine> {
  const info = (await engine.info()) as EngineInfo;
  const arch = architectures[info.Architecture];
  if (info.OSType !== 'linux' || arch === undefined) {
    const what = `${info.OSType} containers on ${info.Architecture}`;
    throw new PwpError('docker-other-machine', `sandboxes can't be made in ${what}`, {
      help: 'Switch Docker to Linux containers, on a machine with an x86-64 or ARM64 processor.',
    });
  }
  return { arch, shared: isShared(info) };
}

interface EngineInfo {
  readonly OSType: string;
  readonly Architecture: string;
  readonly KernelVersion: string;
  readonly OperatingSystem: string;
}

function isShared({ KernelVersion, OperatingSystem }: EngineInfo): boolean {
  const desktop = OperatingSystem.startsWith('Docker Desktop');
  return process.platform === 'linux' && !desktop && KernelVersion === release();
}

/**
 * Layers of this machine where there are some or can be, since these cost no second copy; else those in the image.
 * `PWP_NODE_IMAGE` decides otherwise. Errors: `bad-setting`.
 */
export async function layerSource(
  machine: Machine,
  env: NodeJS.ProcessEnv = process.env,
): Promise<LayerSource> {
  const wanted = env['PWP_NODE_IMAGE'] ?? '';
  if (wanted === 'bound' || wanted === 'complete') return wanted;
  if (wanted !== '') {
    throw new PwpError('bad-setting', `PWP_NODE_IMAGE is ${JSON.stringify(wanted)}`, {
      help: 'It is bound, complete, or not set.',
    });
  }
  if (!machine.shared) return 'complete';
  return canBeLocal() || (await findImage()) !== null ? 'bound' : 'complete';
}
