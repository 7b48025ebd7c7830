import { PwpError } from '../../../bridge/lib/index.ts';
import type { Usage } from '../../../bridge/protocol/index.ts';
import { countRefusedForks, readCpuMs, readGroup, readNumberField } from './cgroup.ts';
import type { SandboxPaths } from './sandbox-record.ts';
import { readVolumeUse } from './volume.ts';

/** Resource usage of a sandbox, from the kernel's own counts. `hits.disk` is about now. Errors: `sandbox-stopped`. */
export async function readSandboxUsage(id: string, paths: SandboxPaths): Promise<Usage> {
  try {
    const [memory, cpu, pids, disk] = await Promise.all([
      readMemory(id),
      readCpu(id),
      readPids(id),
      readVolumeUse(paths),
    ]);
    return {
      memoryBytes: memory.usedBytes,
      memoryLimitBytes: memory.limitBytes,
      ...cpu.times,
      pids: pids.count,
      pidsLimit: pids.limit,
      diskBytes: disk.usedBytes,
      diskLimitBytes: disk.limitBytes,
      hits: { cpu: cpu.held, memory: memory.kills, pids: pids.refused, disk: disk.full ? 1 : 0 },
    };
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw cause;
    throw new PwpError('sandbox-stopped', `sandbox ${id} is stopped`, { cause });
  }
}

/** Memory alone, in bytes; null if the sandbox has none. */
export async function readMemoryUse(id: string): Promise<number | null> {
  const files = { v1: 'memory.usage_in_bytes', v2: 'memory.current' };
  const [usage, stat] = await Promise.all([
    readGroup(id, 'memory', files),
    readGroup(id, 'memory', { v1: 'memory.stat', v2: 'memory.stat' }),
  ]);
  if (usage === null || stat === null) return null;
  const droppable = readNumberField(stat, 'total_inactive_file') || readNumberField(stat, 'inactive_file');
  return Math.max(0, Number(usage) - droppable);
}

async function readMemory(id: string) {
  const [usedBytes, limit, events] = await Promise.all([
    readMemoryUse(id),
    readGroup(id, 'memory', { v1: 'memory.limit_in_bytes', v2: 'memory.max' }),
    readGroup(id, 'memory', { v1: 'memory.oom_control', v2: 'memory.events' }),
  ]);
  return {
    usedBytes: requireRunning(id, usedBytes),
    limitBytes: Number(requireRunning(id, limit)),
    kills: readNumberField(requireRunning(id, events), 'oom_kill'),
  };
}

async function readCpu(id: string) {
  const [stat, used] = await Promise.all([
    readGroup(id, 'cpu', { v1: 'cpu.stat', v2: 'cpu.stat' }),
    readCpuMs(id),
  ]);
  const text = requireRunning(id, stat);
  // Nanoseconds in cgroup v1, microseconds in v2; the other name is not there.
  const throttledMs =
    readNumberField(text, 'throttled_time') / 1e6 + readNumberField(text, 'throttled_usec') / 1e3;
  return { times: { cpuMs: used, throttledMs }, held: readNumberField(text, 'nr_throttled') };
}

async function readPids(id: string) {
  const [current, max, refused] = await Promise.all([
    readGroup(id, 'pids', { v1: 'pids.current', v2: 'pids.current' }),
    readGroup(id, 'pids', { v1: 'pids.max', v2: 'pids.max' }),
    countRefusedForks(id),
  ]);
  return { count: Number(requireRunning(id, current)), limit: Number(requireRunning(id, max)), refused };
}

function requireRunning<T>(id: string, value: T | null): T {
  if (value !== null) return value;
  throw new PwpError('sandbox-stopped', `sandbox ${id} is stopped`);
}
