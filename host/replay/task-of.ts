import { PwpError } from '../../bridge/lib/index.ts';
import { packagedTasks } from '../lib/index.ts';
import type { EpisodeHistory } from '../record/index.ts';
import { findTasks, type Task } from '../tasks/index.ts';

/**
 * The task of an episode, in its variant. Errors: `no-such-task`; `replay-other-task` if its instruction has changed, for a
 * task with variants once it is made; `unsupported` for a record without a task.
 * @param folders the folders to search. Default: the project's own tasks
 */
export async function taskOf(
  { start, reset, folder }: EpisodeHistory,
  folders: readonly string[] = [packagedTasks()],
): Promise<Task> {
  const { task: id, seed } = start;
  if (id === null)
    throw new PwpError('unsupported', `${folder} records work on a folder, not on a task`, {
      help: 'Only the episode of a task can be replayed: its initial state is known.',
    });
  const found = (await findTasks(folders, { seed: seed ?? 0 })).find((task) => task.id === id);
  if (!found)
    throw new PwpError('no-such-task', `there is no task ${id} in ${folders.join(', ')}`, {
      help: 'Name its folder: --task <folder>',
    });
  const asRecorded = (task: Task): Task => {
    if (!reset || reset.instruction === task.instruction) return task;
    throw new PwpError(
      'replay-other-task',
      `the instruction of ${id} has changed since ${folder} was recorded`,
      {
        help: `Replay it with the task as it was: --task <folder>. It is read from ${task.path}.`,
      },
    );
  };
  const { make } = found;
  return make ? { ...found, make: async (run) => asRecorded(await make(run)) } : asRecorded(found);
}
