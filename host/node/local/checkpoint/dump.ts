import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PwpError, messageOf } from '../../../../bridge/lib/index.ts';
import type { SandboxPaths } from '../paths.ts';
import { checkpointContainer, pauseContainer, resumeContainer, stateOf } from '../runc.ts';
import { run } from '../run.ts';
import { requireNothingInFlight } from './in-flight.ts';
import { requireNoOpenTty } from './open-tty.ts';
import { partsOf, type CheckpointParts } from './parts.ts';
import { reasonIn } from './reason.ts';
import { withoutStuck } from './stuck.ts';
import { requireRestorableTerminals } from './terminals.ts';
import { requireNoTraced } from './traced.ts';
import { keepTree } from './tree.ts';
import { writeWatchHints } from './watch-hints.ts';
import { pauseBetweenStarts } from './pause-between-starts.ts';

/** The parts of a sandbox that go into a checkpoint. */
export interface Subject {
  readonly id: string;
  readonly paths: SandboxPaths;
}

/** A dump can meet a moment that CRIU can't hold, e.g. a socket with a connection that was not accepted yet. */
const tries = 3;

/**
 * Writes a whole running sandbox, to which no process outside is connected, into a folder. It is frozen meanwhile and
 * then continues, even if this fails. The signal is ignored while it is frozen: that is over in a second.
 * @param criuFolder folder of the program; null saves only files
 * @returns milliseconds for which it was frozen. Errors: `checkpoint-failed`, `disk-full`
 */
export async function dump(
  subject: Subject,
  folder: string,
  criuFolder: string | null,
  signal: AbortSignal,
): Promise<number> {
  if (criuFolder !== null) {
    await requireNoTraced(subject.id);
    await requireNoOpenTty(subject.id);
  }
  for (let left = tries - 1; ; left -= 1) {
    const parts = await emptyParts(folder);
    try {
      return await dumpOnce(subject, parts, criuFolder, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (left === 0 || (error instanceof PwpError && error.code === 'disk-full')) throw error;
    }
  }
}

async function emptyParts(folder: string): Promise<CheckpointParts> {
  const parts = partsOf(folder);
  for (const path of [parts.images, join(folder, 'files')]) {
    await rm(path, { recursive: true, force: true });
    await mkdir(path, { recursive: true, mode: 0o700 });
  }
  return parts;
}

async function dumpOnce(
  { id, paths }: Subject,
  parts: CheckpointParts,
  criuFolder: string | null,
  signal: AbortSignal,
): Promise<number> {
  await mkdir(paths.criuWork, { recursive: true, mode: 0o700 });
  await writeWatchHints(paths, paths.criuWork);
  if (criuFolder === null) await pauseContainer(id);
  else await pauseBetweenStarts(id, signal);
  const begin = performance.now();
  try {
    if (criuFolder !== null) await dumpProcesses(id, paths, parts, criuFolder);
    await copyFiles(paths, parts);
  } finally {
    // In any case: frozen processes would delay even the sandbox's end.
    await resumeContainer(id);
  }
  return performance.now() - begin;
}

async function dumpProcesses(
  id: string,
  paths: SandboxPaths,
  { images, lastPid }: CheckpointParts,
  criuFolder: string,
): Promise<void> {
  try {
    // Nothing starts a process meanwhile.
    const counted = lastPidOf(id).then((last) => writeFile(lastPid, last));
    const work = paths.criuWork;
    const dumped = withoutStuck(id, () => checkpointContainer(id, { criuFolder, images, work }));
    for (const { reason } of (await Promise.allSettled([dumped, counted])).filter(isRejected)) throw reason;
  } catch (cause) {
    throw await reasonIn(join(paths.criuWork, 'dump.log'), cause, 'checkpoint-failed', images);
  }
  await requireRestorableTerminals(images);
  await requireNothingInFlight(images);
}

function isRejected(result: PromiseSettledResult<unknown>): result is PromiseRejectedResult {
  return result.status === 'rejected';
}

async function copyFiles(paths: SandboxPaths, parts: CheckpointParts): Promise<void> {
  try {
    await Promise.all([
      keepTree(paths.upper, parts.upper),
      run('cp', ['-a', paths.shared, parts.shared]),
      existsSync(paths.desk) ? run('cp', ['-a', paths.desk, parts.desk]) : undefined,
    ]);
  } catch (cause) {
    const code = messageOf(cause).includes('No space left') ? 'disk-full' : 'checkpoint-failed';
    throw new PwpError(code, `can't copy the files of the sandbox: ${messageOf(cause)}`, { cause });
  }
}

/** The last number that a process of the sandbox was given, in its own counting. */
async function lastPidOf(id: string): Promise<string> {
  const pid = (await stateOf(id))?.pid ?? 0;
  return run('nsenter', [`--pid=/proc/${pid}/ns/pid`, 'cat', lastPidFile]);
}

const lastPidFile = '/proc/sys/kernel/ns_last_pid';
/** Numbers left out: those of threads that were just starting are taken, though nothing reports them. */
const leap = 20;

/** New processes beside the one given get numbers beyond all that are remembered inside. */
export async function skipPids(pid: number, { lastPid }: CheckpointParts): Promise<void> {
  const next = Number(await readFile(lastPid, 'utf8')) + leap;
  await run('nsenter', [`--pid=/proc/${pid}/ns/pid`, 'sh', '-c', `echo ${next} > ${lastPidFile}`]);
}
