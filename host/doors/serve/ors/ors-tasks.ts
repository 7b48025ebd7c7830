import type { ServedTable } from '../episodes/index.ts';
import { type OrsCreate, orsEnvironment, OrsError, orsSplit } from './ors-messages.ts';

type Tasks = ServedTable['tasks'];

/** A task as clients get it, and send it back to start it. */
export interface OrsTask {
  readonly id: string;
  readonly instruction: string;
}

/** All tasks of the only split, or some as Python's slices choose them. Errors: 400 for another split. */
export function listOrsTasks(
  tasks: Tasks,
  {
    split,
    start,
    stop,
  }: { split: string; start?: number | null | undefined; stop?: number | null | undefined },
): OrsTask[] {
  if (split !== orsSplit)
    throw new OrsError(400, `there is no split ${JSON.stringify(split)}: there is ${orsSplit}`);
  return tasks.slice(start ?? 0, stop ?? undefined).map(({ id, instruction }) => ({ id, instruction }));
}

/** One of them. Errors: 400 for an index without a task. */
export function pickOrsTask(tasks: Tasks, { split, index }: { split: string; index: number }): OrsTask {
  const task = listOrsTasks(tasks, { split }).at(index);
  if (task) return task;
  throw new OrsError(400, `there is no task ${index}: there are ${tasks.length}`);
}

/** Id of the task that a session is to have. Errors: 400 for one that is not served. */
export function findOrsTask(tasks: Tasks, { task_spec: spec, split, index }: OrsCreate): string {
  if (spec == null) return pickOrsTask(tasks, { split: split ?? '', index: index ?? 0 }).id;
  if (tasks.some(({ id }) => id === spec.id)) return spec.id;
  throw new OrsError(400, `the task ${JSON.stringify(spec.id)} is not served`);
}

/** Errors: 404 for another environment than that of all tasks. */
export function requireOrsEnvironment(name: string): void {
  if (name.toLowerCase() !== orsEnvironment)
    throw new OrsError(404, `unknown environment ${JSON.stringify(name)}: there is ${orsEnvironment}`);
}
