import { readFileSync } from 'node:fs';

/** A limit of each process of a sandbox, as the runtime specification has it. */
export interface ProcessLimit {
  readonly type: string;
  readonly hard: number;
  readonly soft: number;
}

/**
 * The kernel counts some things for a user, not for a sandbox, and this machine's root has the number of the agent's user.
 * With these a sandbox can't use up what the machine's own programs have.
 */
const ofUsers = [
  // Queued signals and timers.
  { type: 'RLIMIT_SIGPENDING', name: 'Max pending signals', most: 4096 },
  // Bytes of POSIX message queues: room for two of the usual size.
  { type: 'RLIMIT_MSGQUEUE', name: 'Max msgqueue size', most: 204_800 },
];

/** @param own this process's limits, as /proc/self/limits has them: none can be raised in a container */
export function processLimits(own = readFileSync('/proc/self/limits', 'utf8')): ProcessLimit[] {
  const shared = ofUsers.map(({ type, name, most }) => {
    const hard = Math.min(most, hardLimit(own, name));
    return { type, hard, soft: hard };
  });
  // A crash's memory image would land on the disk of the host.
  return [{ type: 'RLIMIT_CORE', hard: 0, soft: 0 }, ...shared];
}

/** Infinite where there is no limit, or the kernel doesn't say. */
function hardLimit(limits: string, name: string): number {
  const line = limits.split('\n').find((one) => one.startsWith(name));
  const [, hard = 'unlimited'] = line?.slice(name.length).trim().split(/\s+/) ?? [];
  return hard === 'unlimited' ? Infinity : Number(hard);
}
