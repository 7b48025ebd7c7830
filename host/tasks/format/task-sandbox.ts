import { defaultWorkspace } from '../../../bridge/protocol/index.ts';
import { type AgentRootInfo, defaultLimits, type Limits, type NetworkPolicy } from '../../node/index.ts';
import type { Task } from './task.ts';

type Configured = Pick<Task, 'config'>;

/** The network that the agent of a task has. */
export function readTaskNetwork({ config }: Configured): NetworkPolicy {
  const { network_mode: mode, allowed_hosts: hosts } = config.environment;
  const gallery = config.pwp.gallery ? { gallery: true } : {};
  return mode === 'allowlist' ? { mode, hosts, ...gallery } : { mode, ...gallery };
}

/** The limits that a task asks for. */
export function readTaskLimits({ config }: Configured): Limits {
  const { cpus, memory_mb: memoryMb, storage_mb: diskMb } = config.environment;
  return {
    ...defaultLimits,
    ...(cpus !== undefined && { cpus }),
    ...(memoryMb !== undefined && { memoryMb }),
    ...(diskMb !== undefined && { diskMb }),
  };
}

/** The workspace of a task: the image's working folder, unless the task names another one. */
export function chooseTaskWorkspace({ config }: Configured, root: AgentRootInfo | null): string {
  return root === null ? defaultWorkspace : (config.environment.workdir ?? root.workspace);
}
