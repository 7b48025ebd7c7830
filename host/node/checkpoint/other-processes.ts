import { readdir, readFile, readlink } from 'node:fs/promises';
import { deadline, poll, PwpError } from '../../../bridge/lib/index.ts';
import { isProcessAlive, readLockNote } from '../../lib/index.ts';
import { listProcessIds, runcRoot, type SandboxPaths } from '../container/index.ts';

/** The work, `checkpoint` or `restore`, that a dead process has left midway; null if there was no such work. */
export async function findInterruptedWork({ turn }: SandboxPaths): Promise<string | null> {
  const note = await readLockNote(turn);
  return note && !(await isProcessAlive(note)) ? (note.purpose ?? null) : null;
}

/** A dump or a restore is over in seconds, even on a busy machine; in milliseconds, as all here. */
const orphanPatienceMs = 60_000;
const orphanLookMs = 20;

/**
 * Waits for the end of runc and CRIU that have outlived the process that started them on a sandbox: a pause that is
 * late would freeze it for good, CRIU can't be ended midway, and at its end it freezes what it found frozen, regardless
 * of what another process did meanwhile.
 */
export async function awaitOrphans(id: string, paths: SandboxPaths): Promise<void> {
  using limit = deadline('the end of runc and CRIU', orphanPatienceMs);
  const probe = async () => {
    const pids = await findOrphans(id, paths.criuWork);
    if (pids.length === 0) return { done: true, value: undefined } as const;
    return { done: false, saw: `processes ${pids.join(', ')}` } as const;
  };
  await poll('the end of a dump or a restore', probe, { intervalMs: orphanLookMs, signal: limit.signal });
}

/** Processes of runc on this sandbox, and of CRIU with its work folder. */
async function findOrphans(id: string, folder: string): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const checked = pids.map(async (pid) => {
    const words = (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).split('\0');
    const isRunc = words[words.indexOf('--root') + 1] === runcRoot && words.includes(id);
    return isRunc || words[words.indexOf('--work-path') + 1] === folder ? [pid] : [];
  });
  return (await Promise.all(checked)).flat();
}

/** Time for other processes to end their work on a sandbox before they let go of it. In milliseconds. */
const disconnectMs = 10_000;
/**
 * The same before a restore: as long as a request that waits, plus some other work. A bridge that hangs never lets go.
 */
const disconnectGraceMs = 1000;
const connectionLookMs = 5;
/** Inside, the folder of all sockets that outside processes connect to. */
const deskPrefix = '/desk/';
const connectedState = '03';

/**
 * Waits until no process outside a sandbox is connected to a Unix socket in it: a dump can't hold half a connection.
 * Errors: `checkpoint-failed` if one stays connected, e.g. another process that has opened the sandbox.
 */
export async function awaitNoOutsideConnections(id: string, signal: AbortSignal): Promise<void> {
  try {
    await awaitNoConnections(id, disconnectMs, signal);
  } catch (cause) {
    signal.throwIfAborted();
    throw new PwpError('checkpoint-failed', 'another process is connected to the sandbox', {
      help: 'It did not disconnect in time: end every other program that drives or watches this sandbox, then try again. If there is no such program, the bridge hangs: restore an earlier checkpoint.',
      cause,
    });
  }
}

/** Before a restore, which ends all connections in any case: processes that let go in time lose no answer. */
export async function giveOthersTimeToDisconnect(id: string, signal: AbortSignal): Promise<void> {
  await awaitNoConnections(id, disconnectGraceMs, signal).catch(() => signal.throwIfAborted());
}

async function awaitNoConnections(id: string, mostMs: number, signal: AbortSignal): Promise<void> {
  using limit = deadline('the end of connections', mostMs, signal);
  const probe = async () => {
    const there = await listOutsideConnections(id);
    if (there.length === 0) return { done: true, value: undefined } as const;
    return { done: false, saw: there.join(', ') } as const;
  };
  await poll('the end of connections from outside', probe, {
    intervalMs: connectionLookMs,
    signal: limit.signal,
  });
}

/**
 * Paths, as seen inside, of the sockets that outside processes are connected to; once for each connection. The kernel
 * counts the sandbox's end of a connection to the network namespace of the process that has connected: it is in our
 * table, and CRIU, which looks into the sandbox's, would not find it.
 */
async function listOutsideConnections(id: string): Promise<string[]> {
  const accepted = parseAcceptedSockets(await readFile('/proc/self/net/unix', 'utf8'));
  if (accepted.size === 0) return [];
  const held = (await Promise.all((await listProcessIds(id)).map(listProcessSockets))).flat();
  return held.flatMap((socket) => accepted.get(socket) ?? []);
}

/** Number and path of each connected end inside any sandbox, from a table of `/proc/net/unix`. */
export function parseAcceptedSockets(table: string): Map<string, string> {
  const rows = table.split('\n').map((line) => line.trim().split(/\s+/));
  return new Map(
    rows.flatMap(([, , , , , state, socket, path]) =>
      state === connectedState && socket !== undefined && path?.startsWith(deskPrefix)
        ? [[socket, path]]
        : [],
    ),
  );
}

/** Empty for a process that has ended meanwhile. */
async function listProcessSockets(pid: number): Promise<string[]> {
  const folder = `/proc/${pid}/fd`;
  const names = await readdir(folder).catch(() => []);
  const targets = await Promise.all(names.map((name) => readlink(`${folder}/${name}`).catch(() => '')));
  return targets.flatMap((target) => /^socket:\[(\d+)\]$/.exec(target)?.[1] ?? []);
}
