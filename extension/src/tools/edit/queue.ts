import { SerialQueue } from '../../../../bridge/lib/index.ts';

const queues = new Map<string, SerialQueue>();

/**
 * Runs work on one file after all earlier work on the same file, regardless of its outcome. Work that is cancelled while
 * it waits is not started; work that was started is finished.
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
