import {
  defaultDisplay,
  defaultLimits,
  sandboxName,
  type Display,
  type NetworkPolicy,
  type SandboxSpec,
} from '../node/index.ts';
import type { Task } from '../tasks/index.ts';

/** The sandbox that a task asks for. Given parts replace those of its display: another size keeps the sound. */
export async function specOf(
  task: Task,
  { display, keep = false }: { readonly display?: Display | undefined; readonly keep?: boolean },
): Promise<SandboxSpec> {
  const {
    cpus = defaultLimits.cpus,
    memory_mb: memoryMb = defaultLimits.memoryMb,
    storage_mb: diskMb = defaultLimits.diskMb,
  } = task.config.environment;
  return {
    name: sandboxName(task.id),
    role: 'ide',
    seeds: await task.seeds(),
    keep,
    display: { ...defaultDisplay, ...task.config.pwp.display, ...display },
    limits: { ...defaultLimits, cpus, memoryMb, diskMb },
    network: networkOf(task),
  };
}

function networkOf({ config }: Task): NetworkPolicy {
  const { network_mode: mode, allowed_hosts: hosts } = config.environment;
  const gallery = config.pwp.gallery ? { gallery: true } : {};
  return mode === 'allowlist' ? { mode, hosts, ...gallery } : { mode, ...gallery };
}
