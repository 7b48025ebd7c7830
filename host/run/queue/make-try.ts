import { neverAborted, type Cancellable } from '../../../bridge/lib/index.ts';
import type { Node } from '../../node/index.ts';
import { withVariants } from '../../tasks/index.ts';
import { openAgent } from '../agents/index.ts';
import type { WriteReport } from '../episode/index.ts';
import { type AskPace, makeOwnPace, sharePace } from '../models/index.ts';
import { isSharedError, LocalRunner, SharedFailure } from '../study/index.ts';
import type { BlobStore } from './blob-store.ts';
import type { QueuedAttempt } from './queued-attempt.ts';
import type { WorkedTry } from './queue-worker.ts';
import { unpackAttempt } from './study-package.ts';

export interface QueuedTryOptions extends Cancellable {
  readonly node: Node;
  readonly store: BlobStore;
  /** A folder of this machine for what is fetched. */
  readonly cache: string;
  readonly writeReport: WriteReport;
  /** The pace that all workers of the queue share. Default: this process has its own. */
  readonly askPace?: AskPace | undefined;
}

/**
 * Makes one try of an attempt from a queue, in this process, and leaves its record in the folder.
 * Errors: those of {@link unpackAttempt}, and of `openAgent` if other attempts may do better.
 */
export async function makeQueuedTry(
  attempt: QueuedAttempt,
  folder: string,
  { node, store, cache, writeReport, askPace = makeOwnPace(), signal = neverAborted }: QueuedTryOptions,
): Promise<WorkedTry> {
  const { package: name, task: id, agent: at, number, folder: place } = attempt;
  const {
    config,
    checkpointEvery,
    rate,
    task: planned,
    assertSame,
  } = await unpackAttempt({ name, task: id }, store, cache, { signal });
  const [task = planned] = await withVariants([planned], { node, signal, image: config.image });
  await assertSame(task);
  sharePace(askPace, rate);
  const settings = config.agents[at];
  if (!settings) throw new TypeError(`the study has no agent ${at}`);
  const runner = new LocalRunner({ node, config, checkpointEvery, writeReport });
  try {
    const agent = await openAgent(settings);
    await using owned = new AsyncDisposableStack();
    if (agent.model) owned.use(agent.model);
    await runner.run({ task, agent, number, folder: place }, folder, { signal });
    return { failure: null, shared: null };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof SharedFailure || isSharedError(error))
      return { failure: error.message, shared: error.code };
    throw error;
  }
}
