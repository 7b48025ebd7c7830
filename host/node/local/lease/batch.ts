import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as z from 'zod';
import { PwpError, deadline, poll, type Probe } from '../../../../bridge/lib/index.ts';
import { acquireLock, isAlive, type ProcessIdentity } from '../../../lib/index.ts';
import { now } from './clock.ts';

/** Pause between two checks whether the other batch is over, in milliseconds. */
const lookMs = 20;
/** Longest wait for it, in milliseconds: more than a batch takes that waits for a test or a build. */
export const batchWaitMs = 120_000;

const holderSchema = z.object({
  owner: z.object({ pid: z.int().positive(), startTime: z.string() }),
  /** By the clock since the boot. */
  sinceMs: z.number(),
});
type Holder = z.output<typeof holderSchema>;

/**
 * The right to play one batch of an agent and to judge it, which one session has at a time, in this process or another:
 * of two batches at once, each would be confirmed by the effects of the other. It ends with its process. Errors:
 * `batch-under-way` after a long wait; `sandbox-stopped`.
 * @param path a file that exists while a session has the right
 * @param waitMs the longest wait
 */
export async function beginBatch(
  path: string,
  owner: ProcessIdentity,
  signal: AbortSignal,
  waitMs = batchWaitMs,
): Promise<AsyncDisposable> {
  const own: Holder = { owner, sinceMs: now().ms };
  const draft = `${path}.${randomUUID()}`;
  using limit = deadline('the end of another batch', waitMs, signal);
  try {
    await writeFile(draft, JSON.stringify(own), { mode: 0o600 });
    const probe = () => tryTake(path, draft, limit.signal);
    const failure = await poll('the end of another batch', probe, {
      intervalMs: lookMs,
      signal: limit.signal,
    });
    if (failure) throw failure;
  } catch (cause) {
    signal.throwIfAborted();
    throw existsSync(dirname(path)) ? await underWay(path, cause) : stopped(cause);
  } finally {
    await rm(draft, { force: true });
  }
  return { [Symbol.asyncDispose]: () => rm(path, { force: true }) };
}

/** A link is made as one step, with its content, or not at all. */
async function tryTake(path: string, draft: string, signal: AbortSignal): Promise<Probe<Error | null>> {
  try {
    await link(draft, path);
    return { done: true, value: null };
  } catch (error) {
    // The folder goes with its sandbox; the caller that made the draft sees that.
    if (!existsSync(draft)) return { done: true, value: error as Error };
  }
  const holder = await holderOf(path);
  if (holder && !(await isAlive(holder.owner))) await removeDead(path, signal);
  return { done: false, saw: 'it is under way' };
}

/** Under a lock: else a file that another process has just made could be removed in place of the dead one's. */
async function removeDead(path: string, signal: AbortSignal): Promise<void> {
  await using lock = await acquireLock(`${path}.lock`, { signal });
  void lock;
  const holder = await holderOf(path);
  if (holder && !(await isAlive(holder.owner))) await rm(path, { force: true });
}

async function underWay(path: string, cause: unknown): Promise<PwpError> {
  const holder = await holderOf(path).catch(() => null);
  const whose = holder
    ? `: process ${holder.owner.pid} has played it for ${Math.round((now().ms - holder.sinceMs) / 1000)} s`
    : '';
  return new PwpError('batch-under-way', `another batch is under way in this sandbox${whose}`, {
    help: 'Wait for its end, or end that process. One batch is played at a time, and nothing was done.',
    cause,
  });
}

function stopped(cause: unknown): PwpError {
  return new PwpError('sandbox-stopped', 'the sandbox is stopped', { cause });
}

/** Null if no session has it. */
async function holderOf(path: string): Promise<Holder | null> {
  const text = await readFile(path, 'utf8').catch(() => null);
  return text === null ? null : holderSchema.parse(JSON.parse(text));
}
