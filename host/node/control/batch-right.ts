import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as z from 'zod';
import { deadline, poll, type Probe, PwpError } from '../../../bridge/lib/index.ts';
import { acquireLock, isProcessAlive, type ProcessIdentity } from '../../lib/index.ts';
import { readClock } from '../shared-state.ts';

/** Pause between two checks whether the other batch is over, in milliseconds. */
const batchLookMs = 20;
/** Longest wait for it, in milliseconds: more than a batch takes that waits for a test or a build. */
const longestBatchWaitMs = 120_000;

const batchHolderSchema = z.object({
  owner: z.object({ pid: z.int().positive(), startTime: z.string() }),
  /** By the clock since the boot. */
  sinceMs: z.number(),
});
type BatchHolder = z.output<typeof batchHolderSchema>;

/**
 * The right to play one batch of an agent and to judge it, which one session has at a time, in this process or another:
 * of two batches at once, each would be confirmed by the effects of the other. It ends with its process. Errors:
 * `batch-under-way` after a long wait; `sandbox-stopped`.
 * @param path a file that exists while a session has the right
 * @param waitMs the longest wait
 */
export async function takeBatchRight(
  path: string,
  owner: ProcessIdentity,
  signal: AbortSignal,
  waitMs = longestBatchWaitMs,
): Promise<AsyncDisposable> {
  const own: BatchHolder = { owner, sinceMs: readClock().ms };
  const draft = `${path}.${randomUUID()}`;
  using limit = deadline('the end of another batch', waitMs, signal);
  try {
    await writeFile(draft, JSON.stringify(own), { mode: 0o600 });
    const probe = () => tryTakeBatchRight(path, draft, limit.signal);
    const failure = await poll('the end of another batch', probe, {
      intervalMs: batchLookMs,
      signal: limit.signal,
    });
    if (failure) throw failure;
  } catch (cause) {
    signal.throwIfAborted();
    throw existsSync(dirname(path)) ? await makeUnderWayError(path, cause) : makeStoppedError(cause);
  } finally {
    await rm(draft, { force: true });
  }
  return { [Symbol.asyncDispose]: () => rm(path, { force: true }) };
}

/** A link is made as one step, with its content, or not at all. */
async function tryTakeBatchRight(
  path: string,
  draft: string,
  signal: AbortSignal,
): Promise<Probe<Error | null>> {
  try {
    await link(draft, path);
    return { done: true, value: null };
  } catch (error) {
    // The folder goes with its sandbox; the caller that made the draft sees that.
    if (!existsSync(draft)) return { done: true, value: error as Error };
  }
  const holder = await readBatchHolder(path);
  if (holder && !(await isProcessAlive(holder.owner))) await removeDeadHolder(path, signal);
  return { done: false, saw: 'it is under way' };
}

/** Under a lock: else a file that another process has just made could be removed in place of the dead one's. */
async function removeDeadHolder(path: string, signal: AbortSignal): Promise<void> {
  await using lock = await acquireLock(`${path}.lock`, { signal });
  void lock;
  const holder = await readBatchHolder(path);
  if (holder && !(await isProcessAlive(holder.owner))) await rm(path, { force: true });
}

async function makeUnderWayError(path: string, cause: unknown): Promise<PwpError> {
  const holder = await readBatchHolder(path).catch(() => null);
  const whose = holder
    ? `: process ${holder.owner.pid} has played it for ${Math.round((readClock().ms - holder.sinceMs) / 1000)} s`
    : '';
  return new PwpError('batch-under-way', `another batch is under way in this sandbox${whose}`, {
    help: 'Wait for its end, or end that process. One batch is played at a time, and nothing was done.',
    cause,
  });
}

function makeStoppedError(cause: unknown): PwpError {
  return new PwpError('sandbox-stopped', 'the sandbox is stopped', { cause });
}

/** Null if no session has it. */
async function readBatchHolder(path: string): Promise<BatchHolder | null> {
  const text = await readFile(path, 'utf8').catch(() => null);
  return text === null ? null : batchHolderSchema.parse(JSON.parse(text));
}
