import * as z from 'zod';
import { PwpError } from '../../../../bridge/lib/index.ts';
import { clip } from '../../../../bridge/text/index.ts';
import type { Task } from '../../../tasks/index.ts';
import type { ResetData } from './openenv-messages.ts';

/** The one environment of a server, and its one split: all tasks that it serves. */
export const environmentName = 'pwp';
const splitName = 'train';
export const taskSplits = [{ name: splitName, type: splitName }] as const;

const splitField = { split: z.literal(splitName) };
const shownTask = z.object({ id: z.string(), instruction: z.string() });
const shownTasks = z.array(shownTask);

/** A request of the Task API. */
interface TaskCall {
  readonly about: string;
  readonly input: z.ZodType;
  readonly output: z.ZodType;
  /** Errors: `usage` for an index that no task has. */
  readonly answer: (all: readonly Task[], input: unknown) => object;
}

/** The requests of the Task API below the environment's name. */
export const taskCalls: Readonly<Record<string, TaskCall>> = {
  tasks: defineTaskCall(
    'the tasks of a split',
    z.object(splitField),
    z.object({ tasks: shownTasks, env_name: z.string() }),
    (all) => ({ tasks: all.map(showTask), env_name: environmentName }),
  ),
  num_tasks: defineTaskCall(
    'the number of tasks of a split',
    z.object(splitField),
    z.object({ num_tasks: z.int() }),
    (all) => ({ num_tasks: all.length }),
  ),
  task: defineTaskCall(
    'one task of a split',
    z.object({ ...splitField, index: z.int() }),
    z.object({ task: shownTask }),
    (all, { index }) => ({ task: showTask(taskAt(all, index)) }),
  ),
  task_range: defineTaskCall(
    'the tasks of a split from `start` to before `stop`',
    z.object({ ...splitField, start: z.int().nullish(), stop: z.int().nullish() }),
    z.object({ tasks: shownTasks }),
    (all, { start, stop }) => ({
      tasks: all.slice(start ?? undefined, stop ?? undefined).map(showTask),
    }),
  ),
};

function defineTaskCall<I extends z.ZodType, O extends z.ZodType>(
  about: string,
  input: I,
  output: O,
  answer: (all: readonly Task[], input: z.output<I>) => z.output<O> & object,
): TaskCall {
  return { about, input, output, answer: (all, given) => answer(all, input.parse(given)) };
}

interface ChosenTask {
  readonly task: string;
  /** The keys of the reset that chose it. */
  readonly by: readonly (keyof ResetData)[];
}

/** The task of a reset: by its place in a split, by its id, by the seed, or the only one. Errors: `usage`. */
export function chooseResetTask(all: readonly Task[], { task, index, seed }: ResetData): ChosenTask {
  if (typeof index === 'number') return { task: taskAt(all, index).id, by: ['split', 'index'] };
  if (typeof task === 'string') return { task: findTask(all, task).id, by: ['task'] };
  const [only, ...others] = all;
  if (only && others.length === 0) return { task: only.id, by: [] };
  const seeded = typeof seed === 'number' ? all[seed % all.length] : undefined;
  if (seeded) return { task: seeded.id, by: ['seed'] };
  throw new PwpError('usage', `${all.length} tasks are served`, {
    help: 'Give reset a task, or a split and an index, or a seed that chooses one',
  });
}

function showTask({ id, instruction }: Task): z.output<typeof shownTask> {
  return { id, instruction };
}

function findTask(all: readonly Task[], name: string): Task {
  const task = all.find(({ id }) => id === name);
  if (task) return task;
  throw new PwpError('usage', `the task ${JSON.stringify(clip(name, 200))} is not served`);
}

function taskAt(all: readonly Task[], index: number): Task {
  const task = all[index];
  if (task) return task;
  throw new PwpError('usage', `there is no task ${index}: the split has ${all.length}`);
}
