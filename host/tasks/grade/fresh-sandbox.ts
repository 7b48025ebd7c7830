import { defaultLimits, type Sandbox } from '../../node/index.ts';
import type { Task, TaskSeed } from '../format/index.ts';
import { type AskIdeOptions, isHeldInMemory } from './ask-ide.ts';

/** Sandboxes without a desktop that hold the tests and the folders that they judge, in the root of the agent's. */
export function freshSpec(task: Task, { display, root, workspace }: Sandbox) {
  // All that the agent may have left, and as much again for what the tests write.
  const diskMb = 2 * (task.config.environment.storage_mb ?? defaultLimits.diskMb);
  const limits = { cpus: 2, memoryMb: 2048, pids: 512, diskMb };
  const spec = { name: 'grade', role: 'bare', keep: false, display, limits, workspace } as const;
  return { ...spec, ...(root !== null && { root }) };
}

/** A sandbox in the task's initial state, with further files. It never waits: the agent's would wait for it. */
export async function startUntouched(
  { node, sandbox, task, signal }: AskIdeOptions,
  further: readonly TaskSeed[] = [],
): Promise<Sandbox> {
  const own = await task.seeds({}, sandbox.workspace, sandbox.home);
  // Only the last one can be streamed.
  const [whole, streamed] = [own.filter(isHeldInMemory), own.filter((seed) => !isHeldInMemory(seed))];
  const seeds = [...whole, ...further, ...streamed];
  const copy = { from: sandbox.id, paths: [] };
  return await node.start({ ...freshSpec(task, sandbox), seeds, copy }, { signal });
}
