import { SerialQueue } from '../../../../bridge/lib/index.ts';

const queues = new Map<string, SerialQueue>();

/**
 * Does work on one file after all that was asked for before on the same file, whatever came of that. What was given up
 * while it waited is not begun; what was begun is done to its end.
 */
export async function inTurn<T>(file: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  const queue = queues.get(file) ?? new SerialQueue();
  queues.set(file, queue);
  try {
    return await queue.run(work, signal);
  } finally {
    if (queue.size === 0) queues.delete(file);
  }
}
