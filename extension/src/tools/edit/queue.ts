import { SerialQueue } from '../../../../bridge/lib/index.ts';

const queues = new Map<string, SerialQueue>();

/**
 * Does work on one file after all earlier work on the same file, whatever its outcome. Work that was cancelled while it
 * waited is not started; work that was started is finished.
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
