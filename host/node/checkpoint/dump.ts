import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deadline, describeError, pause, PwpError } from '../../../bridge/lib/index.ts';
import { readProcessStat } from '../../lib/index.ts';
import {
  makeSockets,
  type SocketEntry,
  tarCreateArguments,
  tarExtractArguments,
} from '../checkpoint-store/index.ts';
import {
  checkpointContainer,
  chooseUser,
  isSandboxFrozen,
  listProcessIds,
  pauseContainer,
  readContainerState,
  resumeContainer,
  runHostCommand,
  type SandboxPaths,
  type SandboxRecord,
  thawProcesses,
} from '../container/index.ts';
import { explainCriuFailure } from './checkpoint-problems.ts';
import { writeWatchHints } from './criu.ts';
import {
  requireNoOpenTty,
  requireNothingInFlight,
  requireNoTracedProcess,
  requireRestorableTerminals,
} from './dump-checks.ts';

/** The parts of a sandbox that go into a checkpoint. */
interface DumpedSandbox extends Pick<SandboxRecord, 'id' | 'role' | 'workspace' | 'root'> {
  readonly paths: SandboxPaths;
}

/** A dump can meet a moment that CRIU can't hold, e.g. a socket with a connection that was not accepted yet. */
const dumpTries = 3;

/**
 * Writes a whole running sandbox, to which no process outside is connected, into a folder. It is frozen meanwhile and
 * then continues, even if this fails. The signal is ignored while it is frozen: that is over in a second.
 * @param criuFolder folder of the program; null saves only files
 * @returns milliseconds for which it was frozen. Errors: `checkpoint-failed`, `disk-full`
 */
export async function dumpSandbox(
  subject: DumpedSandbox,
  folder: string,
  criuFolder: string | null,
  signal: AbortSignal,
): Promise<number> {
  if (criuFolder !== null) {
    await requireNoTracedProcess(subject.id);
    await requireNoOpenTty(subject.id);
  }
  for (let left = dumpTries - 1; ; left -= 1) {
    const parts = await clearParts(folder);
    try {
      return await dumpOnce(subject, parts, criuFolder, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (left === 0 || (error instanceof PwpError && error.code === 'disk-full')) throw error;
    }
  }
}

async function clearParts(folder: string): Promise<CheckpointParts> {
  const parts = locateCheckpointParts(folder);
  for (const path of [parts.images, join(folder, 'files')]) {
    await rm(path, { recursive: true, force: true });
    await mkdir(path, { recursive: true, mode: 0o700 });
  }
  return parts;
}

async function dumpOnce(
  subject: DumpedSandbox,
  parts: CheckpointParts,
  criuFolder: string | null,
  signal: AbortSignal,
): Promise<number> {
  const { id, paths } = subject;
  await mkdir(paths.criuWork, { recursive: true, mode: 0o700 });
  await writeWatchHints(paths, [subject.workspace, chooseUser(subject).home], paths.criuWork);
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
    const counted = readLastPid(id).then((last) => writeFile(lastPid, last));
    const work = paths.criuWork;
    const dumped = thawWhenStuck(id, () => checkpointContainer(id, { criuFolder, images, work }));
    for (const { reason } of (await Promise.allSettled([dumped, counted])).filter(isRejected)) throw reason;
  } catch (cause) {
    throw await explainCriuFailure(join(paths.criuWork, 'dump.log'), cause, 'checkpoint-failed', images);
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
      saveTree(paths.upper, parts.upper),
      runHostCommand('cp', ['-a', paths.shared, parts.shared]),
      existsSync(paths.desk) ? runHostCommand('cp', ['-a', paths.desk, parts.desk]) : undefined,
    ]);
  } catch (cause) {
    const code = describeError(cause).includes('No space left') ? 'disk-full' : 'checkpoint-failed';
    throw new PwpError(code, `can't copy the files of the sandbox: ${describeError(cause)}`, { cause });
  }
}

/** The last number that a process of the sandbox was given, in its own counting. */
async function readLastPid(id: string): Promise<string> {
  const pid = (await readContainerState(id))?.pid ?? 0;
  return runHostCommand('nsenter', [`--pid=/proc/${pid}/ns/pid`, 'cat', lastPidFile]);
}

const lastPidFile = '/proc/sys/kernel/ns_last_pid';
/** Numbers left out: those of threads that were just starting are taken, though nothing reports them. */
const skippedPids = 20;

/** New processes beside the one given get numbers beyond all that are remembered inside. */
export async function skipPids(pid: number, { lastPid }: CheckpointParts): Promise<void> {
  const next = Number(await readFile(lastPid, 'utf8')) + skippedPids;
  await runHostCommand('nsenter', [`--pid=/proc/${pid}/ns/pid`, 'sh', '-c', `echo ${next} > ${lastPidFile}`]);
}

/** The parts of one checkpoint; absolute paths. */
export interface CheckpointParts {
  /** Processes, as CRIU writes them; empty in a checkpoint of the disk alone. */
  readonly images: string;
  /** Everything in the file system that belongs to this sandbox alone: an archive, see {@link saveTree}. */
  readonly upper: string;
  /** The folders that host and sandbox share: open logs, the sockets that are listened on. */
  readonly shared: string;
  readonly desk: string;
  /** A file with the last number that a process inside was given. */
  readonly lastPid: string;
}

/** @param folder of the checkpoint in the store */
export function locateCheckpointParts(folder: string): CheckpointParts {
  const files = join(folder, 'files');
  return {
    images: join(folder, 'images'),
    upper: join(files, 'upper'),
    shared: join(files, 'run'),
    desk: join(files, 'desk'),
    lastPid: join(files, 'last-pid'),
  };
}

/**
 * Saves a folder, with everything that a file system stores about it, in one file: many small ones take the disk
 * several times longer, and the sandbox is frozen meanwhile. A second file lists its sockets, which an archive can't
 * contain.
 */
async function saveTree(folder: string, target: string): Promise<void> {
  await Promise.all([
    runHostCommand('tar', [...tarCreateArguments, '--file', target, '--directory', folder, '.']),
    runHostCommand('find', [
      folder,
      '-type',
      's',
      '-fprintf',
      locateSocketList(target),
      String.raw`%P\0%m\0%U\0%G\0`,
    ]),
  ]);
}

/** Lays out again what {@link saveTree} has kept. The folder must not be there. */
export async function restoreTree(source: string, folder: string, signal: AbortSignal): Promise<void> {
  await mkdir(folder, { mode: 0o700 });
  await runHostCommand('tar', [...tarExtractArguments, '--file', source, '--directory', folder], { signal });
  await makeSockets(folder, parseSocketList(await readFile(locateSocketList(source), 'latin1')));
}

function locateSocketList(archive: string): string {
  return `${archive}.sockets`;
}

function parseSocketList(text: string): SocketEntry[] {
  const fields = text.split('\0').slice(0, -1);
  return Array.from({ length: fields.length / 4 }, (_, index) => {
    const [path = '', mode = '', uid = '', gid = ''] = fields.slice(index * 4, index * 4 + 4);
    return { path, mode: Number.parseInt(mode, 8), uid: Number(uid), gid: Number(gid) };
  });
}

/** A process that is dumped while it starts may be impossible to restore: seconds until it is whole. */
const startSeconds = 0.25;
/** Pause between two looks, and the longest wait for a sandbox that starts processes all the time; milliseconds. */
const startsLookMs = 60;
const startsPatienceMs = 5000;
/** Ticks per second of the kernel's clock in /proc, the same on every machine. */
const ticksPerSecond = 100;

/**
 * Stops a container at a moment when no process in it is just starting; after 5 s at any moment. Errors: those of
 * freezing, or the signal's reason; then all processes are resumed.
 */
async function pauseBetweenStarts(id: string, signal: AbortSignal): Promise<void> {
  using limit = deadline('the start of processes', startsPatienceMs, signal);
  for (;;) {
    if (!limit.signal.aborted && (await hasStartingProcess(id))) {
      await pause(startsLookMs, limit.signal).catch(() => undefined);
      signal.throwIfAborted();
      continue;
    }
    await pauseContainer(id);
    if (limit.signal.aborted || !(await hasStartingProcess(id))) return;
    await resumeContainer(id);
  }
}

async function hasStartingProcess(id: string): Promise<boolean> {
  const uptime = Number((await readFile('/proc/uptime', 'utf8')).split(' ')[0]);
  const ages = await Promise.all((await listProcessIds(id)).map((pid) => readAgeSeconds(pid, uptime)));
  return ages.some((age) => age < startSeconds);
}

/** In seconds; infinite for a process that has ended. */
async function readAgeSeconds(pid: number, uptime: number): Promise<number> {
  const stat = await readProcessStat(pid);
  const start = Number(stat?.field(22));
  if (!start || stat?.field(3) === 'Z') return Number.POSITIVE_INFINITY;
  return uptime - start / ticksPerSecond;
}

/** CRIU gets hold of a hundred frozen processes in less than half a second, on a busy machine too. In milliseconds. */
const stuckPatienceMs = 2000;

/**
 * Runs a dump of a frozen sandbox that may have stopped processes (Ctrl+Z, SIGSTOP). Under cgroup v1 one that is frozen
 * can't be traced before it is thawed, and CRIU waits for that forever, inside the kernel. So the sandbox is thawed
 * where CRIU has not done it itself in time: what it has got hold of stays where it is, and the rest follows one by one,
 * as without a freezer. At its end it freezes all again. Errors: `checkpoint-failed` where a slow dump was just over when
 * it was thawed: then the processes have gone on, and files no longer go with the memory that was dumped.
 */
export async function thawWhenStuck<T>(id: string, dump: () => Promise<T>): Promise<T> {
  const over = new AbortController();
  const watching = thawLate(id, over.signal);
  let result: T;
  try {
    result = await dump();
  } finally {
    over.abort();
    await watching;
  }
  if ((await watching) && !(await isSandboxFrozen(id)))
    throw new PwpError('checkpoint-failed', 'the sandbox went on before its files were copied');
  return result;
}

/** Whether the sandbox was thawed. */
async function thawLate(id: string, over: AbortSignal): Promise<boolean> {
  await pause(stuckPatienceMs, over).catch(() => undefined);
  if (over.aborted || !(await isSandboxFrozen(id))) return false;
  await thawProcesses(id);
  return true;
}
