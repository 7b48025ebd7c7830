import {
  defaultDisplay,
  defaultLimits,
  type Display,
  type NetworkPolicy,
  type SandboxSpec,
} from '../node/index.ts';
import type { Task } from '../tasks/index.ts';

/** The sandbox that a task asks for. */
export async function specOf(task: Task, display: Display | undefined): Promise<SandboxSpec> {
  const {
    cpus = defaultLimits.cpus,
    memory_mb: memoryMb = defaultLimits.memoryMb,
    storage_mb: diskMb = defaultLimits.diskMb,
  } = task.config.environment;
  return {
    name: nameOf(task),
    role: 'ide',
    seeds: await task.seeds(),
    keep: false,
    display: display ?? task.config.pwp.display ?? defaultDisplay,
    limits: { ...defaultLimits, cpus, memoryMb, diskMb },
    network: networkOf(task),
  };
}

/** A task's name as a sandbox may carry it: a longer one is cut. */
export function nameOf({ id }: Task): string {
  return id
    .replaceAll(/[^a-z0-9-]+/gi, '-')
    .replace(/^-+/, '')
    .slice(0, 32);
}

function networkOf({ config }: Task): NetworkPolicy {
  const { network_mode: mode, allowed_hosts: hosts } = config.environment;
  const gallery = config.pwp.gallery ? { gallery: true } : {};
  return mode === 'allowlist' ? { mode, hosts, ...gallery } : { mode, ...gallery };
}
