import { join } from 'node:path';
import { type Command, Option } from 'commander';
import { PwpError } from '../../../bridge/lib/index.ts';
import { pwpHome } from '../../lib/index.ts';
import { type AttemptQueue, type BlobStore, openAttemptQueue, openBlobStore } from '../../run/index.ts';

export interface QueueOptions {
  readonly queue?: string;
  readonly store?: string;
}

/** `--queue`, or `PWP_QUEUE`. */
export function queueOption(help: string): Option {
  return new Option('--queue <url>', `${help}: redis://, rediss:// or postgres://`).env('PWP_QUEUE');
}

/** `--queue` and `--store`, or `PWP_QUEUE` and `PWP_STORE`. */
export function addQueueOptions(command: Command, help: string): Command {
  return command
    .addOption(queueOption(help))
    .addOption(
      new Option(
        '--store <place>',
        'with --queue: where tasks and records go: a folder that all machines of the queue see, or s3://bucket/prefix (default: a folder in the cache folder, for one machine)',
      ).env('PWP_STORE'),
    );
}

/** Errors: `usage` without an address; those of {@link openAttemptQueue}. */
export async function openChosenQueue({ queue }: QueueOptions): Promise<AttemptQueue> {
  if (queue !== undefined) return openAttemptQueue(queue);
  throw new PwpError('usage', 'expected --queue', { help: 'For example --queue redis://127.0.0.1:6379' });
}

/** Errors: those of {@link openBlobStore}. */
export function openChosenStore({ store = join(pwpHome(), 'store') }: QueueOptions): BlobStore {
  return openBlobStore(store);
}
